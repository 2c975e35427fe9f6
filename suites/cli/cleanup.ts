import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { isSamePlace, unchangedRoles } from '../../fixtures/client/booked-by.ts'
import { LEDGER_FILE, LedgerError } from '../../fixtures/client/ledger.ts'
import { findDefinition, loadDeployment } from '../../fixtures/deployments/load.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { print } from '../../fixtures/output/console.ts'
import { cleanUp, isAnythingStanding } from '../../fixtures/run/cleanup.ts'
import { EXIT, type ExitCode, incomplete, wrongCall } from '../../fixtures/run/failure.ts'
import { noteOfRun } from '../../fixtures/run/run-folder.ts'
import { leftoverLine } from '../../reports/digest.ts'
import { oneLine } from '../../reports/plain.ts'

/** Options of `travel-sales cleanup`, as they were given. */
export interface CleanupOptions {
  deployment?: string
}

/**
 * Cancels what a killed run left booked, and says what it did.
 *
 * @throws {DefinitionError | Failure} before anything was sent
 */
export async function cleanup(run: string, options: CleanupOptions): Promise<ExitCode> {
  try {
    return await cleanUpRun(run, options)
  } catch (error) {
    if (error instanceof LedgerError) throw incomplete(oneLine(error.message), { cause: error })
    throw error
  }
}

async function cleanUpRun(run: string, { deployment: wanted }: CleanupOptions): Promise<ExitCode> {
  const dir = resolve(run)
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    throw wrongCall(`There is no folder ${run}: name the folder of a run, such as one under reports/out.`)
  }
  const { definition: used, bookedBy } = noteOfRun(dir)
  if (!isAnythingStanding(dir)) {
    print(`Nothing is left to cancel in ${run}.\n`)
    return EXIT.conforms
  }
  const definition = findDefinition(wanted ?? used, process.cwd())
  const deployment = await loadDeployment(definition)
  if (bookedBy !== undefined && !isSamePlace(bookedBy, deployment)) {
    throw wrongCall(
      oneLine(
        `The run in ${run} booked at ${bookedBy.baseUrl}, and the definition is one of ${deployment.baseUrl}, where the same numbers are bookings of somebody else: give the definition of that run with --deployment.`,
      ),
    )
  }
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort(new Error('it was interrupted')))
  const { done, leftovers, damaged, read } = await cleanUp(deployment, dir, {
    patience: deployment.traffic.patience * 60_000,
    signal: interrupted.signal,
    unchanged: bookedBy === undefined ? new Set() : unchangedRoles(bookedBy, deployment),
  })
  for (const sentence of done) print(`${oneLine(sentence)}\n`)
  if (read.of > 0) print(`Read ${read.bookings} of ${read.of} bookings that had been cancelled.\n`)
  for (const leftover of leftovers) print(`Left: ${oneLine(leftoverLine(leftover))}\n`)
  if (damaged > 0) {
    const lines = damaged === 1 ? '1 line' : `${damaged} lines`
    print(
      `${lines} of ${join(run, LEDGER_FILE)} cannot be read: look at the deployment for bookings of that run.\n`,
    )
  }
  if (interrupted.signal.aborted) return EXIT.interrupted
  if (leftovers.length === 0 && damaged > 0) return EXIT.violates
  if (leftovers.length === 0) {
    if (done.length === 0) print(`Nothing is left to cancel in ${run}.\n`)
    return EXIT.conforms
  }
  print(`Try again later with ${commandLine('cleanup', relative(process.cwd(), dir))}, or cancel by hand.\n`)
  return EXIT.violates
}
