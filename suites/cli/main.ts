import { notLoaded, whatLoads } from '../../fixtures/deployments/loading/index.ts'
import { say } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { endWithParent } from '../../fixtures/run/parent.ts'
import { call, report } from './call.ts'

/** More milliseconds than an interrupted run needs to clean up and write. */
const LONGEST_END = 120_000

// A reader that closes early (`travel-sales explain http | head`) is not a fault, and the command still has to end.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// The reader is gone; bookings must be cancelled nevertheless.
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
// A definition that ends the process must not make the result green.
process.on('exit', code => {
  if (over) process.exitCode = failed ?? ended
  const definition = whatLoads()
  if (over || failed !== undefined || (code !== EXIT.conforms && definition === undefined)) return
  say(
    definition === undefined
      ? 'travel-sales: Something ended this process before the command was over: does the definition?'
      : `travel-sales: ${notLoaded(definition)}: it ended this process (process.exit).`,
  )
  process.exitCode = definition === undefined ? EXIT.incomplete : EXIT.wrongCall
})
endWithParent()

const ended = await call(process.argv.slice(2))
over = true
process.exitCode = failed ?? ended
// The results are written, but a definition or an abandoned thread may keep the process alive.
setTimeout(() => process.exit(failed ?? ended), 2_000).unref()
