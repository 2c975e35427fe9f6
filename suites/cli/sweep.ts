import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { credentialTokens } from '../../fixtures/client/guard.ts'
import {
  createLedger,
  keysOf,
  LEDGER_FILE,
  type Ledger,
  type LedgerEntry,
  readCancelled,
  readLedger,
  tidyLedger,
} from '../../fixtures/client/ledger.ts'
import { openLine } from '../../fixtures/client/line.ts'
import { createShared, halted, openShared, requestsSent, type Shared } from '../../fixtures/client/shared.ts'
import type { Deployment } from '../../fixtures/deployments/definition.ts'
import type { Leftover } from '../../fixtures/record.ts'
import { type Asking, lookAgain, type Outcome, pairOf, undo } from './undo.ts'

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
  /** Of the bookings that were cancelled, so many were read again. */
  read: { of: number; bookings: number }
  requests: { v1: number; v2: number }
}

export interface SweepOptions {
  /** How long to wait, all in all, for bookings whose result is not known yet, in milliseconds. */
  patience: number
  /** Gives up at once. */
  signal?: AbortSignal
  /** How long to wait before asking again, in milliseconds. Default 5000. */
  askAgain?: number
  /** Whether a confirmation may be sent again to find out what it booked. Default true, where test mode was proven. */
  repeats?: boolean
}

/**
 * Whether the journal in the folder of a run that is over holds anything that may still stand, cancelled or not; where
 * it does not, it is removed.
 */
export function isAnythingOpen(dir: string): boolean {
  if (readLedger(dir).length > 0 || readCancelled(dir).length > 0) return true
  rmSync(join(dir, LEDGER_FILE), { force: true })
  return false
}

/**
 * Cancels what the journal in a run's folder holds open, and reads whether what was cancelled is. Where it is not known
 * whether anything was booked, the same confirmation is sent once more with the same key and body, if test mode was
 * proven when it first left: it books nothing twice, and its answer tells. Any other is listed, never repeated.
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
    // Nothing is repeated here but what had been let through as proven.
    deployment: { ...deployment, allowLiveBookings: true },
    shared,
    worker: SWEEPER,
    dir,
    // Replays are journalled nowhere: the entry that they are about is open already.
    ledger: createLedger({ dir: null, worker: SWEEPER }),
    connections: 1,
    limits: { patience: options.patience },
  })
  const journal = createLedger({ dir, worker: SWEEPER, redact: recorder.redactor.text })
  const done = new Map<string, string>()
  const leftovers: Leftover[] = []
  let read = { of: 0, bookings: 0 }
  try {
    const { patience, askAgain = ASK_AGAIN, signal, repeats = true } = options
    const asking: Asking = { until: Date.now() + patience, every: askAgain, ...(signal && { signal }) }
    const [open, cancelled] = [readLedger(dir), readCancelled(dir)]
    const proven = new Set([...open, ...cancelled].filter(isTest).map(pairOf))
    for (const entry of open) {
      const outcome = await undo(entry, { deployment, client, asking, proven, repeats }).catch(
        (error: unknown) => ({
          left: error instanceof Error ? error.message : String(error),
        }),
      )
      note(journal, entry, outcome)
      if ('left' in outcome) leftovers.push(leftoverOf({ ...entry, ...outcome, reason: outcome.left }))
      else {
        done.set(entry.id, outcome.done)
        if (outcome.cancelled !== undefined) cancelled.push({ ...entry, bookingId: outcome.cancelled })
      }
    }
    const looked = await lookAgain(cancelled, deployment, client, asking)
    read = { of: cancelled.length, bookings: looked.read }
    for (const { entry, reason } of looked.standing) {
      journal.stands(entry.id, reason)
      done.delete(entry.id)
      leftovers.push(leftoverOf({ ...entry, reason }))
    }
  } finally {
    await journal.close()
    await client.close()
    // Whoever cancels for want of disk space must not fail for it.
    await recorder.close().catch(() => {})
  }
  try {
    tidyLedger(dir, options.repeats)
  } catch {
    // The journal stays as it is: what it holds too much of is found to be cancelled the next time.
  }
  const { v1, v2 } = requestsSent(shared)
  return { done: [...done.values()], leftovers, read, requests: { v1, v2 } }
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
  const ended = halted(shared)
  const inHaste = ended !== null
  return sweep(deployment, dir, {
    // What was taken for a test may have been none.
    repeats: ended?.reason !== 'not a test credential',
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

function leftoverOf(entry: LedgerEntry & { reason: string; refused?: boolean }): Leftover {
  const { bookingId, product, role, tenant, reason, requestId, exchange, refused } = entry
  const [key] = keysOf(entry)
  return {
    ...(bookingId === undefined ? {} : { bookingId }),
    product,
    role: tenant === undefined ? role : `${role} of ${tenant}`,
    reason,
    ...(key === undefined ? {} : { key }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(exchange === undefined ? {} : { exchange }),
    ...(refused ? { refused } : {}),
  }
}

/** Whether a confirmation booked, or would have booked, a test. */
const isTest = ({ proven, test }: LedgerEntry): boolean => proven === true || test === true

function note(journal: Ledger, entry: LedgerEntry, outcome: Outcome): void {
  if ('done' in outcome) {
    if (outcome.cancelled !== undefined) journal.settle(entry.id, { bookingId: outcome.cancelled })
    journal.cancelled(entry.id)
    return
  }
  if (outcome.bookingId !== undefined) journal.settle(entry.id, { bookingId: outcome.bookingId })
  journal.left(entry.id, outcome.left)
}
