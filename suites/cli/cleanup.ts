import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { findDefinition, loadDeployment } from '../../fixtures/deployments/load.ts'
import { print } from '../../fixtures/output/console.ts'
import { oneLine } from '../../reports/plain.ts'
import { EXIT, type ExitCode, wrongCall } from './failure.ts'
import { definitionOfRun } from './run-folder.ts'
import { isAnythingOpen, sweep } from './sweep.ts'

/** Options of `tss cleanup`, as they were given. */
export interface CleanupOptions {
  deployment?: string
}

/** Cancels what a killed run left booked, and says what it did. */
export async function cleanup(run: string, { deployment: wanted }: CleanupOptions): Promise<ExitCode> {
  const dir = resolve(run)
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    throw wrongCall(`There is no folder ${run}: name the folder of a run, such as one under reports/out.`)
  }
  const used = definitionOfRun(dir)
  if (!isAnythingOpen(dir)) {
    print(`Nothing is left to cancel in ${run}.\n`)
    return EXIT.conforms
  }
  const definition = findDefinition(wanted ?? used, process.cwd())
  const deployment = await loadDeployment(definition)
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort(new Error('it was interrupted')))
  const { done, leftovers } = await sweep(deployment, dir, {
    patience: deployment.traffic.patience * 60_000,
    signal: interrupted.signal,
  })
  for (const sentence of done) print(`${oneLine(sentence)}\n`)
  for (const { bookingId, product, role, reason } of leftovers) {
    const booking = bookingId === undefined ? 'a booking whose id is not known' : `booking ${bookingId}`
    print(`Left: ${product} ${oneLine(booking)} (${role}): ${oneLine(reason)}\n`)
  }
  if (interrupted.signal.aborted) return EXIT.interrupted
  if (leftovers.length === 0) return EXIT.conforms
  print(`Try again later with tss cleanup ${relative(process.cwd(), dir)}, or cancel by hand.\n`)
  return EXIT.violates
}
