import type { ClauseRecord, Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { commandLine, folderOfRun, stated, withClient } from '../../fixtures/output/command-line.ts'

/**
 * Returns the command that reproduces a finding, or `undefined` for a recording. Reports of a record that others handed
 * over name no client (`--exec`): they must not suggest what to execute.
 *
 * @param at index among the findings of its clause
 */
export function commandToSeeAgain(
  { called, deployment, run, subject }: Pick<RunRecord, 'called' | 'deployment' | 'run' | 'subject'>,
  clause: string,
  { check }: Pick<Finding, 'check'>,
  at: number,
): string | undefined {
  const situation = /^examine > .* > ([\w-]+)$/.exec(check)?.[1]
  if (situation !== undefined) {
    const { products = [] } = deployment
    const own = products.length === 0 ? [] : ['--products', products.join(',')]
    return commandLine('examine', '--situation', situation, ...own, ...withClient(), ...stated(called, 'env'))
  }
  if (subject !== undefined) return undefined
  const scenario = scenarioOf(check)
  if (scenario !== undefined) {
    const own = stated(called, 'profile', 'set', 'variant', 'deployment')
    return commandLine('load', '--scenario', scenario, ...own)
  }
  // A name is looked for where runs are by default.
  const folder = called?.out === undefined ? run : folderOfRun({ called, run })
  const found = at === 0 ? clause : `${clause}#${at + 1}`
  return commandLine('replay', found, '--run', folder, ...stated(called, 'deployment'))
}

/** Returns the command that reproduces a finding; for a recording, a sentence about what can be done instead. */
export const howToSeeAgain = (
  record: Parameters<typeof commandToSeeAgain>[0],
  { id, side }: Pick<ClauseRecord, 'id' | 'side'>,
  finding: Pick<Finding, 'check'>,
  at: number,
): string =>
  commandToSeeAgain(record, id, finding, at) ??
  `The kit does not send a recording again: ${side === 'client' ? 'let the client do the same' : 'report.html shows how to send its requests with curl'}, and a new recording can be judged.`

/** Returns the load scenario of a finding's check, if any. */
export const scenarioOf = (check: string): string | undefined =>
  /^load\/scenarios\/([\w-]+)\.ts > /.exec(check)?.[1]
