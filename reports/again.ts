import { commandLine } from '../fixtures/output/command-line.ts'
import type { Finding } from '../fixtures/record.ts'

/**
 * Returns the command that shows a finding again; `undefined` for one of a recording, which is what it is.
 *
 * @param at position among the findings of its clause
 */
export function commandToSeeAgain(
  clause: string,
  { check }: Pick<Finding, 'check'>,
  at: number,
): string | undefined {
  const situation = /^examine > .* > ([\w-]+)$/.exec(check)?.[1]
  if (situation !== undefined) return commandLine('examine', '--situation', situation)
  if (/^(?:examine|audit) > /.test(check)) return undefined
  return commandLine('replay', at === 0 ? clause : `${clause}#${at + 1}`)
}
