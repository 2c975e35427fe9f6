import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../fixtures/client/client.ts'
import { errorCodeOf, isGone, settlementOf } from '../../fixtures/client/confirmations.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { credentialTokens } from '../../fixtures/client/guard.ts'
import {
  createLedger,
  LEDGER_FILE,
  type Ledger,
  type LedgerEntry,
  readLedger,
  tidyLedger,
} from '../../fixtures/client/ledger.ts'
import { openLine } from '../../fixtures/client/line.ts'
import { createPartner, type Partner } from '../../fixtures/client/partner.ts'
import { createShared, halted, openShared, requestsSent, type Shared } from '../../fixtures/client/shared.ts'
import { TIMEOUT } from '../../fixtures/client/timeouts.ts'
import { type Deployment, loadRole, type Role } from '../../fixtures/deployments/definition.ts'
import type { Leftover } from '../../fixtures/record.ts'

/** Number that no worker of a run has: entries and exchanges of the sweep never share an id with theirs. */
const SWEEPER = 26 * 26

/** The document's own interval for repeating a confirmation that is in progress, in milliseconds. */
const ASK_AGAIN = 5_000

/** What became of everything that a journal held open. */
export interface Swept {
  /** What was done about each entry that is closed now, one sentence each. */
  done: string[]
  /** What may still stand. */
  leftovers: Leftover[]
  requests: { v1: number; v2: number }
}

export interface SweepOptions {
  /** How long to wait, all in all, for bookings whose result is not known yet, in milliseconds. */
  patience: number
  /** Gives up at once. */
  signal?: AbortSignal
  /** How long to wait before asking again, in milliseconds. Default 5000. */
  askAgain?: number
}

/** How often and how long to ask. */
interface Asking {
  /** Epoch milliseconds. */
  until: number
  every: number
  signal?: AbortSignal
}

/** Whether the journal in the folder of a run that is over holds anything open; where it does not, it is removed. */
export function isAnythingOpen(dir: string): boolean {
  if (readLedger(dir).length > 0) return true
  rmSync(join(dir, LEDGER_FILE), { force: true })
  return false
}

/**
 * Cancels what the journal in a run's folder holds open. Where it is not known whether anything was booked, the same
 * confirmation is sent once more with the same key and body: it books nothing twice, and its answer tells.
 *
 * The journal ends up holding what is still open, and is removed when nothing is.
 */
export async function sweep(deployment: Deployment, dir: string, options: SweepOptions): Promise<Swept> {
  const shared = openShared(
    createShared({
      credentials: credentialTokens(deployment).length,
      perMinute: deployment.traffic.perMinute,
    }),
  )
  const { client, recorder } = openLine({
    deployment,
    shared,
    worker: SWEEPER,
    dir,
    // Replays are journalled nowhere: the entry that they are about is open already.
    ledger: createLedger({ dir: null, worker: SWEEPER }),
    connections: 1,
    limits: { patience: options.patience },
  })
  const journal = createLedger({ dir, worker: SWEEPER })
  const done: string[] = []
  const leftovers: Leftover[] = []
  try {
    const { patience, askAgain = ASK_AGAIN, signal } = options
    const asking: Asking = { until: Date.now() + patience, every: askAgain, ...(signal && { signal }) }
    for (const entry of readLedger(dir)) {
      const outcome = await undo(entry, deployment, client, asking).catch((error: unknown) => ({
        left: error instanceof Error ? error.message : String(error),
      }))
      note(journal, entry, outcome)
      if ('done' in outcome) done.push(outcome.done)
      else leftovers.push(leftoverOf({ ...entry, ...outcome, reason: outcome.left }))
    }
  } finally {
    await journal.close()
    await client.close()
    // Whoever cancels for want of disk space must not fail for it.
    await recorder.close().catch(() => {})
  }
  try {
    tidyLedger(dir)
  } catch {
    // The journal stays as it is: what it holds too much of is found to be cancelled the next time.
  }
  const { v1, v2 } = requestsSent(shared)
  return { done, leftovers, requests: { v1, v2 } }
}

/** How long the sweep may take once a run is to end early, in milliseconds; what may still be booked is listed after that. */
export const IN_HASTE = 30_000

/** Cancels at the end of a run what was not cancelled in it, in the time that the run has for it. */
export async function sweepUp(
  deployment: Deployment,
  dir: string,
  shared: Shared,
  ending?: AbortSignal,
): Promise<Pick<Swept, 'leftovers' | 'requests'>> {
  if (!isAnythingOpen(dir)) return { leftovers: [], requests: { v1: 0, v2: 0 } }
  const inHaste = halted(shared) !== null
  return sweep(deployment, dir, {
    patience: inHaste ? IN_HASTE : deployment.traffic.patience * 60_000,
    ...(inHaste
      ? { signal: AbortSignal.timeout(IN_HASTE) }
      : ending === undefined
        ? {}
        : { signal: someTimeAfter(ending, IN_HASTE) }),
  })
}

/** Aborts so many milliseconds after another signal. */
function someTimeAfter(signal: AbortSignal, milliseconds: number): AbortSignal {
  const late = new AbortController()
  signal.addEventListener('abort', () => void setTimeout(() => late.abort(), milliseconds).unref(), {
    once: true,
  })
  return late.signal
}

type Outcome = { done: string } | { left: string; bookingId?: string }

function leftoverOf({
  bookingId,
  product,
  role,
  tenant,
  reason,
}: LedgerEntry & { reason: string }): Leftover {
  return {
    ...(bookingId === undefined ? {} : { bookingId }),
    product,
    role: tenant === undefined ? role : `${role} of ${tenant}`,
    reason,
  }
}

function note(journal: Ledger, entry: LedgerEntry, outcome: Outcome): void {
  if ('done' in outcome) {
    journal.cancelled(entry.id)
    return
  }
  if (outcome.bookingId !== undefined) journal.settle(entry.id, { bookingId: outcome.bookingId })
  journal.left(entry.id, outcome.left)
}

async function undo(
  entry: LedgerEntry,
  deployment: Deployment,
  client: Client,
  asking: Asking,
): Promise<Outcome> {
  if (!entry.product.startsWith('v2-'))
    return { left: `a booking of ${entry.product} has to be cancelled by hand` }
  const token = await tokenOf(entry, deployment)
  if (token === undefined)
    return { left: `the definition has no credential of the role ${entry.role} any more` }
  const { product } = entry
  const partner = createPartner({ client, token, sender: { role: entry.role }, check: 'cleanup', product })
  let { bookingId } = entry
  if (bookingId === undefined) {
    const settlement = await replay(entry, partner, asking)
    if ('nothingBooked' in settlement)
      return { done: `Found that a ${product} confirmation had booked nothing.` }
    if ('unknown' in settlement) return { left: `the same confirmation sent again ${settlement.unknown}` }
    bookingId = settlement.bookingId
  }
  return cancel({ bookingId, product }, partner, asking)
}

/** Sends the same confirmation again until its answer tells what it booked. */
async function replay(
  entry: LedgerEntry,
  partner: Partner,
  asking: Asking,
): Promise<ReturnType<typeof settlementOf>> {
  for (;;) {
    const answer = await partner.send({
      method: 'POST',
      path: entry.path,
      headers: entry.headers,
      body: entry.body,
      timeoutMs: TIMEOUT.v2Book,
      cleanup: true,
      signal: asking.signal,
    })
    const settlement = settlementOf(answer)
    // Only a first attempt that still runs is worth waiting for: what cannot answer now is listed instead.
    const running = 'unknown' in settlement && answer.response.status === 409
    if (!running && failedAtSource(answer)) return { nothingBooked: true }
    if (!running || !(await waited(asking))) return settlement
  }
}

/** Part 7.5: nothing was booked, neither by this attempt nor, as it would be replayed, by an earlier one. */
const failedAtSource = ({ response }: Exchange): boolean =>
  ['PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'].includes(errorCodeOf(response.json) ?? '')

/** Cancels a booking; one that is still pending is first waited for. */
async function cancel(
  { bookingId, product }: { bookingId: string; product: string },
  partner: Partner,
  asking: Asking,
): Promise<Outcome> {
  const extra = { cleanup: true, ...(asking.signal && { signal: asking.signal }) }
  let settled = false
  for (;;) {
    const answer = await partner.v2.cancel(bookingId, undefined, extra)
    if (isGone(answer, 'cancel')) return { done: `Cancelled ${product} booking ${bookingId}.` }
    const now = await partner.v2.booking(bookingId, extra)
    if (isGone(now, 'read')) return { done: `Found ${product} booking ${bookingId} ${stateOf(now)}.` }
    if (stateOf(now) === 'pending') {
      if (await waited(asking)) continue
    } else if (!settled && outcomeOf(answer) === '409 NOT_CANCELLABLE') {
      // It may have settled after it was refused as pending: that is asked once more.
      settled = true
      continue
    }
    return { bookingId, left: `its cancellation answered ${outcomeOf(answer)}` }
  }
}

/** Waits for the next attempt; `false` when there is no time for one. */
async function waited({ until, every, signal }: Asking): Promise<boolean> {
  if (Date.now() + every > until || signal?.aborted) return false
  await new Promise(resolve => setTimeout(resolve, every))
  return signal?.aborted !== true
}

/** A credential of the company that booked: a minted one is gone with its run, so another is minted for it. */
async function tokenOf({ role, tenant }: LedgerEntry, deployment: Deployment): Promise<string | undefined> {
  if (tenant === undefined) {
    const { credentials, load } = deployment
    return credentials[role as Role]?.token ?? load.tokens?.find((_, index) => loadRole(index) === role)
  }
  return (await deployment.control.mint?.({ companyOf: tenant }))?.token
}

function stateOf({ response }: Exchange): unknown {
  return (response.json as { booking?: { status?: unknown } } | undefined)?.booking?.status
}

function outcomeOf({ response }: Exchange): string {
  const code = (response.json as { error?: { code?: unknown } } | undefined)?.error?.code
  return typeof code === 'string' ? `${response.status} ${code}` : String(response.status)
}
