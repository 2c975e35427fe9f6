import type { RunRecord } from '../../../fixtures/ground/record.ts'
import { EXIT, type ExitCode } from '../../../fixtures/run/failure.ts'
import { outcomeOf, unheededIn } from '../../../reports/judge/outcome.ts'
import type { FailOn } from './sides.ts'

/** Returns the exit code for judged traffic. What could not be judged fails whatever is asked for. */
export function exitCodeOf(record: RunRecord, failOn: FailOn = 'must'): ExitCode {
  const { exitCode } = outcomeOf(record)
  if (failOn === 'none') return exitCode === EXIT.violates ? EXIT.conforms : exitCode
  if (failOn === 'should' && exitCode === EXIT.conforms && unheededIn(record) > 0) return EXIT.violates
  return exitCode
}
