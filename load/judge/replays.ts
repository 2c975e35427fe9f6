import type { LoadExchange } from '../read/evidence.ts'
import { broken, type Decision, kept } from './decision.ts'
import { type Race, readingOf } from './race.ts'

const CLAUSE = 'V2-IDEM-REPLAY-STATUS'
const A_FEW = 4

/**
 * Judges whether keys that have booked are released: a repeat that is sent once the booking was shown must not be told
 * that it is still being made. Whatever else it is told is a matter of the race.
 *
 * @returns `undefined` where nothing was repeated after a booking
 */
export function replaysAfterwards(races: readonly Race[]): Decision | undefined {
  const repeats = races.flatMap(race => repeatsOf(race))
  if (repeats.length === 0) return undefined
  const stuck = repeats.filter(({ repeat }) => readingOf(repeat) === 'in progress')
  const [first] = stuck
  if (first === undefined) return kept(CLAUSE)
  return broken(CLAUSE, {
    tried: `Repeating ${repeats.length} times what had been answered with its booking`,
    expected: 'a replay with 200',
    observed: `${stuck.length} × 409 BOOKING_IN_PROGRESS`,
    exchanges: [first.shown, ...stuck.slice(0, A_FEW).map(({ repeat }) => repeat)],
  })
}

/** Repeats that left after the booking of their key had been shown, and were told something of the key. */
function repeatsOf({ exchanges }: Race): { shown: LoadExchange; repeat: LoadExchange }[] {
  const shown = exchanges
    .filter(exchange => ['created', 'replay'].includes(readingOf(exchange)))
    .sort((one, other) => endOf(one) - endOf(other))[0]
  if (shown === undefined) return []
  return exchanges
    .filter(exchange => Date.parse(exchange.startedAt) >= endOf(shown))
    .filter(exchange => ['replay', 'in progress'].includes(readingOf(exchange)))
    .map(repeat => ({ shown, repeat }))
}

const endOf = ({ startedAt, milliseconds }: LoadExchange): number => Date.parse(startedAt) + milliseconds
