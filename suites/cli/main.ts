import { inspect } from 'node:util'
import { CommanderError } from 'commander'
import { RecordingError } from '../../fixtures/client/exchanges-file.ts'
import { DefinitionError } from '../../fixtures/deployments/define.ts'
import { say } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode, Failure } from '../../fixtures/run/failure.ts'
import { endWithParent } from '../../fixtures/run/parent.ts'
import { learnEnvironment } from '../../fixtures/secrets/known.ts'
import { exitCode, program } from './program.ts'

/** Longer than a run that is interrupted cleans up and writes, in milliseconds. */
const LONGEST_END = 120_000

learnEnvironment()

// A reader that closes early (`travel-sales clauses | head`) is no fault, and what goes on without it has yet to end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// Its reader is gone; what was booked still has to be cancelled.
process.stderr.on('error', () => {})

let failed: ExitCode | undefined
let over = false
process.on('uncaughtException', error => {
  const isFirst = failed === undefined
  if (isFirst || over) failed = report(error)
  // A run ends as after an interrupt, and cancels what it booked. If the fault prevents that, the timer ends it.
  if (over || (isFirst && !process.emit('SIGTERM', 'SIGTERM'))) process.exit(failed)
  setTimeout(() => process.exit(failed), LONGEST_END).unref()
})
// A definition can end the process, which must not make it green.
process.on('exit', code => {
  if (over) process.exitCode = failed ?? exitCode
  if (over || code !== EXIT.conforms) return
  say('travel-sales: Something ended this process before the command was over: does the definition?')
  process.exitCode = EXIT.incomplete
})
endWithParent()

try {
  await program.parseAsync()
} catch (error) {
  failed = report(error)
}
over = true
process.exitCode = failed ?? exitCode
// The results are written. A definition or an abandoned thread may still keep something open.
setTimeout(() => process.exit(failed ?? exitCode), 2_000).unref()

/** Tells the caller what went wrong, in one sentence. */
function report(error: unknown): ExitCode {
  // Commander has printed its own sentence, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conforms : EXIT.wrongCall
  const known = [Failure, DefinitionError, RecordingError].some(kind => error instanceof kind)
  const message = error instanceof Error ? error.message : String(error)
  if (process.env.DEBUG === 'travel-sales') say(inspect(error))
  else if (known) say(`travel-sales: ${message}`)
  else say(`travel-sales: The kit itself failed: ${message} (DEBUG=travel-sales shows where).`)
  if (error instanceof Failure) return error.exitCode
  return error instanceof DefinitionError ? EXIT.wrongCall : EXIT.incomplete
}
