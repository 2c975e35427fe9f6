import { errorCode, textOf } from '../../../fixtures/contracts/reading.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { broken, type Decision, kept } from '../decision.ts'
import { A_FEW } from './one-booking.ts'
import { type BookingAnswer, type Race, readingOf } from './race.ts'

/** The clause that repeats decide. */
export const REPLAYED = 'V2-IDEM-REPLAY-STATUS'

/**
 * Judges whether keys with a booking are released: a repeat sent after the booking was shown must not be answered
 * with "in progress" or an error of the offer. Other answers are judged as part of the race.
 *
 * @returns `undefined` if no booking was repeated
 */
export function replaysAfterwards(races: readonly Race[]): Decision | undefined {
  const repeats = races.flatMap(repeatsAfterwards)
  if (repeats.length === 0) return undefined
  const stuck = repeats.filter(({ repeat }) => readingOf(repeat) !== 'replay')
  const [first] = stuck
  if (first === undefined) return kept(REPLAYED)
  return broken(REPLAYED, {
    tried: `Repeating ${repeats.length} booking requests that had been answered with a booking`,
    expected: 'a replay with 200',
    observed: `${stuck.length} × 409 ${textOf(errorCode(first.repeat))}`,
    exchanges: [first.shown, ...stuck.slice(0, A_FEW).map(({ repeat }) => repeat)],
  })
}

/** A repeat, and the earlier answer that showed the booking. */
export interface Repeat {
  shown: LoadExchange
  repeat: LoadExchange
}

/** Returns the repeats that were sent after the booking of their key was shown, and whose answer concerns the key. */
export function repeatsAfterwards({ exchanges }: Race): Repeat[] {
  const shown = exchanges
    .filter(exchange => SHOWS.includes(readingOf(exchange)))
    .sort((one, other) => endOf(one) - endOf(other))[0]
  if (shown === undefined) return []
  return exchanges
    .filter(exchange => exchange !== shown && Date.parse(exchange.startedAt) >= endOf(shown))
    .filter(
      exchange =>
        TOLD.includes(readingOf(exchange)) ||
        isCheckedAnew(exchange) ||
        (exchange.version === 'v1' && exchange.response.status < 300),
    )
    .map(repeat => ({ shown, repeat }))
}

const SHOWS: readonly BookingAnswer[] = ['created', 'replay']
const TOLD: readonly BookingAnswer[] = ['replay', 'in progress']

/** A replay must not check the offer again, even if it has expired or its price has changed. */
const isCheckedAnew = (exchange: LoadExchange): boolean =>
  exchange.response.status === 409 && CHECKED_ANEW.includes(errorCode(exchange))

const CHECKED_ANEW: readonly unknown[] = ['PRICE_CHANGED', 'OFFER_EXPIRED', 'NO_AVAILABILITY']

const endOf = ({ startedAt, milliseconds }: LoadExchange): number => Date.parse(startedAt) + milliseconds
