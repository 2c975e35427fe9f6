import { commandLine } from '../../fixtures/output/command-line.ts'
import type { Finding, RunRecord } from '../../fixtures/record.ts'

/**
 * Returns the command that reproduces a finding, or `undefined` for a recording. It never contains a client's
 * command (`--exec`), which may hold secrets, and a record of others must not suggest what to execute.
 *
 * @param at index among the findings of its clause
 * @param run the run as the command names it: by its name, or its folder
 */
export function commandToSeeAgain(
  record: Pick<RunRecord, 'deployment' | 'run'>,
  clause: string,
  { check }: Pick<Finding, 'check'>,
  at: number,
  run = record.run,
): string | undefined {
  const situation = /^examine > .* > ([\w-]+)$/.exec(check)?.[1]
  if (situation !== undefined) {
    const { products = [] } = record.deployment
    const own = products.length === 0 ? [] : ['--products', products.join(',')]
    return commandLine('examine', '--situation', situation, ...own)
  }
  if (/^(?:examine|audit) > /.test(check)) return undefined
  const scenario = scenarioOf(check)
  if (scenario !== undefined) return commandLine('load', '--scenario', scenario)
  return commandLine('replay', at === 0 ? clause : `${clause}#${at + 1}`, '--run', run)
}

/** Returns the load scenario of a finding's check, if any. */
export const scenarioOf = (check: string): string | undefined =>
  /^load\/scenarios\/([\w-]+)\.ts > /.exec(check)?.[1]
