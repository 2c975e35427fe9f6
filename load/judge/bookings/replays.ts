import { endOf } from '../../../fixtures/checkers/endpoint.ts'
import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { broken, type Decision, kept } from '../decision.ts'
import { type BookingAnswer, bookingsOf, hasBooked, isUncertain, type Race, readingOf } from './race.ts'

/** The number of exchanges that a finding about a race cites. */
export const A_FEW = 4

/** How a booking is repeated: with a v2 key or a v1 reference. */
type RepeatedBy = 'key' | 'reference'

export const countOf = ({ exchanges }: Race, answer: BookingAnswer): number =>
  exchanges.filter(exchange => readingOf(exchange) === answer).length

export const triedWith = (races: readonly Race[], by: RepeatedBy): string =>
  `Sending ${races.length} ${by}s, each with the same booking several times at once`

/**
 * Decides whether a key or reference ever made two bookings, by the answers and by the deployment's own count.
 *
 * @param made the number of bookings that the deployment counted; `undefined` if unknown
 */
export function oneBooking(
  clause: ClauseId,
  races: readonly Race[],
  made: number | undefined,
  by: RepeatedBy = 'key',
): Decision {
  const several = races.filter(race => bookingsOf(race).length > 1)
  const tried = triedWith(races, by)
  const [worst] = several
  if (worst !== undefined) {
    const ids = bookingsOf(worst)
    return broken(clause, {
      tried,
      expected: `one booking for each ${by}`,
      observed: `several for ${several.length} ${by}${several.length === 1 ? '' : 's'}, such as the ${ids.length} bookings ${ids.join(', ')}`,
      exchanges: worst.exchanges.filter(exchange => exchange.response.status < 300).slice(0, A_FEW),
    })
  }
  const booked = races.filter(hasBooked)
  const uncertain = races.filter(isUncertain).length
  if (made === undefined || made <= booked.length + uncertain) return kept(clause)
  const suspicious = booked.find(race => countOf(race, 'created') > 1) ?? booked[0]!
  return broken(clause, {
    tried,
    expected: `${told(booked.length, uncertain)} by the deployment's own count`,
    observed: `${made}`,
    exchanges: suspicious.exchanges.slice(0, A_FEW),
  })
}

const told = (booked: number, uncertain: number): string =>
  uncertain === 0 ? `${booked} bookings` : `${booked} to ${booked + uncertain} bookings`

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
    .filter(exchange => exchange !== shown && Date.parse(exchange.startedAt) > endOf(shown))
    .filter(exchange => readingOf(exchange) === 'in progress' || exchange.response.status < 300)
    .map(repeat => ({ shown, repeat }))
}

const SHOWS: readonly BookingAnswer[] = ['created', 'replay']
