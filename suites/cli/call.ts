import { inspect, types } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { RecordingError } from '../../fixtures/client/recording/index.ts'
import { DefinitionError } from '../../fixtures/deployments/definition/index.ts'
import { definitionBehind, firstLine, kindOf } from '../../fixtures/deployments/loading/index.ts'
import { say } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode, Failure } from '../../fixtures/run/failure.ts'
import { learnArguments, learnEnvironment } from '../../fixtures/secrets/known.ts'
import { exitCode, program } from './program.ts'
import { refuseRemoved } from './removed.ts'

/** Runs a command of the program in this process, and returns its exit code. */
export async function call(args: readonly string[], of: Command = program): Promise<ExitCode> {
  learnEnvironment()
  learnArguments(args)
  try {
    if (of === program) refuseRemoved(args)
    await of.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return report(error)
  }
}

/** Reports an error in one sentence. */
export function report(error: unknown): ExitCode {
  // Commander has already printed its own message or the help.
  if (isOf(error, CommanderError)) return error.exitCode === 0 ? EXIT.conforms : EXIT.wrongCall
  const known = isOf<Error>(error, Failure, DefinitionError, RecordingError)
  const message = known ? (error as Error).message : firstLine(error).replace(/^Error: /, '')
  const definition = known ? undefined : definitionBehind(error)
  if (process.env.DEBUG === 'travel-sales') say(inspect(error))
  else if (known) say(`travel-sales: ${message}`)
  else if (definition !== undefined)
    say(
      `travel-sales: ${definition} left an error unhandled (${kindOf(error)}), and what it says is not shown, since it may hold a secret (DEBUG=travel-sales shows it).`,
    )
  else if (isOfSystem(error))
    say(`travel-sales: ${error.path} cannot be used (${error.syscall}: ${error.code}): look at who may.`)
  else say(`travel-sales: The kit itself failed: ${message} (DEBUG=travel-sales shows where).`)
  if (isOf(error, Failure)) return error.exitCode
  return isOf(error, DefinitionError) || definition !== undefined ? EXIT.wrongCall : EXIT.incomplete
}

/** Returns whether an error is of one of these classes. To ask a proxy would run its code. */
const isOf = <Of extends Error>(
  error: unknown,
  ...kinds: (abstract new (
    ...given: never[]
  ) => Of)[]
): error is Of => types.isNativeError(error) && kinds.some(kind => error instanceof kind)

/** Returns whether the file system refused something. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error
