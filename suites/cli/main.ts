import { say } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { endWithParent } from '../../fixtures/run/parent.ts'
import { call, report } from './call.ts'

/** Longer than a run that is interrupted cleans up and writes, in milliseconds. */
const LONGEST_END = 120_000

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
  if (over) process.exitCode = failed ?? ended
  if (over || code !== EXIT.conforms) return
  say('travel-sales: Something ended this process before the command was over: does the definition?')
  process.exitCode = EXIT.incomplete
})
endWithParent()

const ended = await call(process.argv.slice(2))
over = true
process.exitCode = failed ?? ended
// The results are written. A definition or an abandoned thread may still keep something open.
setTimeout(() => process.exit(failed ?? ended), 2_000).unref()
