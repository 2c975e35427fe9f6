import type { Client } from '../../fixtures/client/client.ts'
import { bookingIn, errorCodeOf, isGone, settlementOf } from '../../fixtures/client/confirmations.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import type { LedgerEntry } from '../../fixtures/client/ledger.ts'
import { createPartner, type Partner } from '../../fixtures/client/partner.ts'
import { type Deployment, loadRole, type Role } from '../../fixtures/deployments/definition.ts'
import { timeoutOf } from '../../fixtures/service/endpoints.ts'
import { findStillBooked, type Look, type StillBooked } from './still-booked.ts'

/** How often and how long to ask. */
export interface Asking {
  /** Epoch milliseconds. */
  until: number
  every: number
  signal?: AbortSignal
}

/**
 * What became of an entry. `cancelled` is the booking that its answer says is cancelled now; `refused` says that a test
 * booking stands because its cancellation was refused, as it may be.
 */
export type Outcome =
  | { done: string; cancelled?: string }
  | { left: string; bookingId?: string; refused?: boolean }

/** Of which test mode is a property. */
export const pairOf = ({ product, kind, role, tenant }: LedgerEntry): string =>
  JSON.stringify([product, kind, tenant === undefined ? role : 'made by control'])

/** What undoing an entry needs. */
export interface Undoing {
  deployment: Deployment
  client: Client
  asking: Asking
  /** Pairs of which something was booked as a proven test. */
  proven: ReadonlySet<string>
  /** Whether a confirmation may be sent again, where test mode was proven when it first left. */
  repeats: boolean
}

/** Somebody who can cancel and read what the entry is about; a sentence where nobody can. */
async function partnerFor(
  { role, kind, ...entry }: LedgerEntry,
  deployment: Deployment,
  client: Client,
): Promise<Partner | string> {
  const token = await tokenOf({ role, ...entry }, deployment)
  if (token === undefined) return `the definition has no credential of the role ${role} any more`
  return createPartner({ client, token, sender: { role }, check: 'cleanup', kind })
}

/** Cancels what an entry is about, or says why it may still stand. */
export async function undo(entry: LedgerEntry, undoing: Undoing): Promise<Outcome> {
  const { deployment, client, asking } = undoing
  const proven = undoing.proven.has(pairOf(entry))
  const { product } = entry
  let { bookingId } = entry
  if (bookingId === undefined && !(entry.proven && undoing.repeats)) {
    // Never a second time, only to find out: it may be for real.
    return entry.believed && proven
      ? {
          done: `Took it that a ${product} confirmation had booked nothing, as the document says of its answer.`,
        }
      : { left: entry.reason ?? 'nobody knows what was answered to it' }
  }
  if (!product.startsWith('v2-')) return { left: `a booking of ${product} has to be cancelled by hand` }
  const partner = await partnerFor(entry, deployment, client)
  if (typeof partner === 'string') return { left: partner }
  if (bookingId === undefined) {
    const settlement = await replay(entry, partner, asking)
    if ('nothingBooked' in settlement)
      return { done: `Found that a ${product} confirmation had booked nothing.` }
    if ('unknown' in settlement) return { left: `the same confirmation sent again ${settlement.unknown}` }
    bookingId = settlement.bookingId
  }
  const outcome = await cancel({ bookingId, product }, partner, asking)
  return 'left' in outcome && outcome.refused ? { ...outcome, refused: proven } : outcome
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
      timeoutMs: timeoutOf('v2 book'),
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
    if (isGone(answer, 'cancel'))
      return { done: `Cancelled ${product} booking ${bookingId}.`, cancelled: bookingId }
    const now = await partner.v2.booking(bookingId, extra)
    if (isGone(now, 'read')) return { done: `Found ${product} booking ${bookingId} ${stateOf(now)}.` }
    if (stateOf(now) === 'pending') {
      if (await waited(asking)) continue
    } else if (!settled && outcomeOf(answer) === '409 NOT_CANCELLABLE') {
      // It may have settled after it was refused as pending: that is asked once more.
      settled = true
      continue
    }
    const refused = answer.response.status === 409
    return { bookingId, left: `its cancellation answered ${outcomeOf(answer)}`, refused }
  }
}

/** Reads bookings whose cancellation was answered with a success, and cancels once more what stands. */
export function lookAgain(
  cancelled: readonly LedgerEntry[],
  deployment: Deployment,
  client: Client,
  { until, signal }: Asking,
): Promise<StillBooked> {
  const extra = { cleanup: true, ...(signal && { signal }) }
  const partners = new Map<string, Promise<Partner | string>>()
  const partnerOf = (entry: LedgerEntry) => {
    const who = JSON.stringify([entry.role, entry.tenant, entry.kind])
    const found = partners.get(who) ?? partnerFor(entry, deployment, client)
    partners.set(who, found)
    return found
  }
  return findStillBooked(
    // Nothing but v2 is read: what v1 shows of a booking differs by product.
    cancelled.filter(({ product, bookingId }) => bookingId !== undefined && product.startsWith('v2-')),
    {
      until,
      signal,
      async read(entry): Promise<Look> {
        try {
          const partner = await partnerOf(entry)
          if (typeof partner === 'string') return 'unreadable'
          const answer = await partner.v2.booking(entry.bookingId!, extra)
          if (isGone(answer, 'read')) return 'gone'
          const { status, json } = answer.response
          const { bookingId, state } = bookingIn(json)
          return status < 300 && bookingId === entry.bookingId && state !== undefined
            ? { stands: state }
            : 'unreadable'
        } catch {
          return 'unreadable'
        }
      },
      async cancel(entry) {
        const partner = await partnerOf(entry)
        if (typeof partner === 'string') return
        await partner.v2.cancel(entry.bookingId!, undefined, extra).catch(() => {})
      },
    },
  )
}

/** Waits for the next attempt; `false` when there is no time for one. */
async function waited({ until, every, signal }: Asking): Promise<boolean> {
  if (Date.now() + every > until || signal?.aborted) return false
  await new Promise(resolve => setTimeout(resolve, every))
  return signal?.aborted !== true
}

/** A credential of the company that booked: a minted one is gone with its run, so another is minted for it. */
async function tokenOf(
  { role, tenant }: Pick<LedgerEntry, 'role' | 'tenant'>,
  deployment: Deployment,
): Promise<string | undefined> {
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
