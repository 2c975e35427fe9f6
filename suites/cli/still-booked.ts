import type { LedgerEntry } from '../../fixtures/client/ledger.ts'

/** What a booking that was cancelled looks like when it is read: in a state, or not to be read at all. */
export type Look = { stands: string } | 'gone' | 'unreadable'

/** How cancelled bookings are looked at again. */
export interface Looking {
  read(entry: LedgerEntry): Promise<Look>
  /** Tries once more to cancel. */
  cancel(entry: LedgerEntry): Promise<void>
  /** Epoch milliseconds after which nothing more is asked. */
  until: number
  signal?: AbortSignal | undefined
}

/** What was found out about bookings whose cancellation was answered with a success. */
export interface StillBooked {
  /** Those that may stand all the same, with the reason. */
  standing: { entry: LedgerEntry; reason: string }[]
  read: number
}

/** Bookings of one credential and kind of product that are read first. */
const SAMPLE = 3
/** Bookings that are read in all, at most. */
const MOST = 1000

/**
 * Reads bookings that are said to be cancelled: a few of each credential and kind of product, and all of them where
 * one still stands. What stands is cancelled once more.
 */
export async function findStillBooked(
  cancelled: readonly LedgerEntry[],
  looking: Looking,
): Promise<StillBooked> {
  const standing: StillBooked['standing'] = []
  let read = 0
  const over = () => read >= MOST || Date.now() >= looking.until || looking.signal?.aborted === true

  async function look(entry: LedgerEntry): Promise<Look> {
    if (over()) return 'unreadable'
    read++
    return looking.read(entry)
  }

  const groups = Map.groupBy(cancelled, ({ product, kind, role }) => JSON.stringify([product, kind, role]))
  for (const group of groups.values()) {
    const [sample, rest] = sampleOf(group)
    const seen = new Map<LedgerEntry, Look>()
    for (const entry of sample) seen.set(entry, await look(entry))
    const untrue = [...seen.values()].some(stands)
    if (!untrue) continue
    for (const entry of rest) seen.set(entry, await look(entry))
    for (const [entry, first] of seen) {
      if (first === 'gone') continue
      if (first !== 'unreadable' && !over()) {
        await looking.cancel(entry)
        const second = await look(entry)
        if (second === 'gone') continue
        if (stands(second)) {
          standing.push({
            entry,
            reason: `its cancellations were answered with success, and it is still ${second.stands}`,
          })
          continue
        }
      }
      standing.push({
        entry,
        reason:
          first === 'unreadable'
            ? 'its cancellation was answered with success, as were those of others that stand, and it could not be read'
            : `its cancellation was answered with success, and it was still ${first.stands} when it was last read`,
      })
    }
  }
  return { standing, read }
}

const stands = (look: Look): look is { stands: string } => typeof look === 'object'

/** A few from beginning to end, and the others. */
function sampleOf(group: readonly LedgerEntry[]): [LedgerEntry[], LedgerEntry[]] {
  const step = Math.max(1, (group.length - 1) / (SAMPLE - 1))
  const places = new Set(Array.from({ length: SAMPLE }, (_, index) => Math.round(index * step)))
  return [group.filter((_, at) => places.has(at)), group.filter((_, at) => !places.has(at))]
}
