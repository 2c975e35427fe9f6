import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { type BookedBy, isSamePlace, rememberedOf, unchangedRoles } from '../../fixtures/client/booked-by.ts'
import {
  LEDGER_FILE,
  type LedgerEntry,
  LedgerError,
  placesOf,
  readLedger,
} from '../../fixtures/client/ledger.ts'
import { isClosed } from '../../fixtures/client/proof.ts'
import type { Deployment } from '../../fixtures/deployments/definition.ts'
import { findDefinition, findStatedDefinition, loadDeployment } from '../../fixtures/deployments/load.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { print } from '../../fixtures/output/console.ts'
import { cleanUp, isAnythingStanding, LONGEST_CLEANUP } from '../../fixtures/run/cleanup.ts'
import { EXIT, type ExitCode, incomplete, wrongCall } from '../../fixtures/run/failure.ts'
import { noteOfRun, rememberedIn } from '../../fixtures/run/run-folder.ts'
import { leftoverLine } from '../../reports/render/digest-lines.ts'
import { oneLine } from '../../reports/render/plain.ts'

export interface CleanupOptions {
  deployment?: string
  cleanupPatience?: number
  /** The address at which the bookings were made, if the journal does not say. */
  bookedAt?: string
}

/**
 * Cancels what a killed run left booked, and prints what it did.
 *
 * @throws {DefinitionError | Failure} before anything is sent
 */
export async function cleanup(run: string, options: CleanupOptions): Promise<ExitCode> {
  try {
    return await cleanUpRun(run, options)
  } catch (error) {
    if (error instanceof LedgerError) throw incomplete(oneLine(error.message), { cause: error })
    throw error
  }
}

async function cleanUpRun(run: string, options: CleanupOptions): Promise<ExitCode> {
  const dir = resolve(run)
  if (!existsSync(dir) || !statSync(dir).isDirectory())
    throw wrongCall(`There is no folder ${run}: name the folder of a run, such as one under reports/out.`)
  const { definition: used } = noteOfRun(dir)
  if (!isAnythingStanding(dir)) {
    print(`Nothing is left to cancel in ${run}.\n`)
    return EXIT.conforms
  }
  const definition =
    options.deployment !== undefined || used === undefined
      ? findDefinition(options.deployment, process.cwd())
      : findStatedDefinition(used, process.cwd())
  const deployment = await loadDeployment(definition)
  const places = placesOf(dir)
  const refusal = whyNotHere(run, { places, deployment, entries: readLedger(dir) }, options.bookedAt)
  if (refusal !== undefined) throw wrongCall(oneLine(refusal))
  const closed = rememberedIn(dir).flatMap(one => rememberedOf(one, deployment).filter(isClosed))
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort(new Error('it was interrupted')))
  const { done, leftovers, damaged, read } = await cleanUp(deployment, dir, {
    patience: deployment.traffic.patience * 60_000,
    longest: options.cleanupPatience ?? LONGEST_CLEANUP,
    signal: interrupted.signal,
    unchanged: rolesOf(places, deployment),
    mayBeReal: ({ role, product, kind }) =>
      closed.some(one => one.who === role && one.kind === kind && one.product === product),
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
  print(`Go on with ${commandLine('cleanup', relative(process.cwd(), dir))}, or cancel by hand.\n`)
  return EXIT.violates
}

/** Returns the roles that still have the credential that booked. */
const rolesOf = (places: readonly BookedBy[], deployment: Deployment): Set<string> =>
  new Set(places.flatMap(place => [...unchangedRoles(place, deployment)]))

/**
 * Returns why this definition must not be used to cancel: at another deployment, or for another company, the same ids are
 * somebody else's bookings.
 */
function whyNotHere(
  run: string,
  {
    places,
    deployment,
    entries,
  }: { places: readonly BookedBy[]; deployment: Deployment; entries: LedgerEntry[] },
  bookedAt: string | undefined,
): string | undefined {
  const { baseUrl } = deployment
  const stated = `--booked-at ${baseUrl}`
  if (bookedAt !== undefined) {
    if (URL.canParse(bookedAt) && isSamePlace({ baseUrl: bookedAt }, deployment)) return undefined
    return `--booked-at names ${bookedAt}, and the definition is one of ${baseUrl}: give the definition of that address with --deployment.`
  }
  const elsewhere = places.find(place => !isSamePlace(place, deployment))
  if (elsewhere !== undefined)
    return `The run in ${run} booked at ${elsewhere.baseUrl}, and the definition is one of ${baseUrl}, where the same numbers are bookings of somebody else: give the definition of that run with --deployment.`
  if (places.length === 0)
    return `The journal in ${run} does not say where its bookings were made, and elsewhere the same numbers are bookings of somebody else: look it up, and state it with ${stated} where it was there.`
  const known = rolesOf(places, deployment)
  const other = entries.find(
    ({ role, tenant }) => tenant === undefined && !known.has(role) && role in deployment.credentials,
  )
  return other === undefined
    ? undefined
    : `The run in ${run} booked with another credential of the role ${other.role} than the definition has now: give the one of that run, or, where this one is of the same company, state it with ${stated}.`
}
