import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { RecordingError } from '../../fixtures/client/recorder.ts'
import { DefinitionError } from '../../fixtures/deployments/define.ts'
import { say } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode, Failure } from '../../fixtures/run/failure.ts'
import { learnEnvironment } from '../../fixtures/secrets/known.ts'
import { exitCode, program } from './program.ts'

/** Runs a command in this process, and returns its exit code. */
export async function call(args: readonly string[]): Promise<ExitCode> {
  learnEnvironment()
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return report(error)
  }
}

/** Reports an error in one sentence. */
export function report(error: unknown): ExitCode {
  // Commander has already printed its own message or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conforms : EXIT.wrongCall
  const known = [Failure, DefinitionError, RecordingError].some(kind => error instanceof kind)
  const message = error instanceof Error ? error.message : String(error)
  if (process.env.DEBUG === 'travel-sales') say(inspect(error))
  else if (known) say(`travel-sales: ${message}`)
  else say(`travel-sales: The kit itself failed: ${message} (DEBUG=travel-sales shows where).`)
  if (error instanceof Failure) return error.exitCode
  return error instanceof DefinitionError ? EXIT.wrongCall : EXIT.incomplete
}
