import type { Fact } from '../../fixtures/record-load.ts'
import type { Circumstances } from '../plan/plan.ts'
import type { LoadExchange, StageEvidence } from '../read/evidence.ts'
import { answered, broken, type Decision, kept, notExercised } from './decision.ts'
import type { Judge } from './judge.ts'
import { identityOf } from './limits.ts'
import {
  type BookingAnswer,
  bookingsOf,
  hasBooked,
  isRaced,
  isUncertain,
  type Race,
  racesOf,
  readingOf,
  repeatsOf,
} from './race.ts'
import { replaysAfterwards } from './replays.ts'

const CLAUSES = {
  oneBooking: 'V2-IDEM-RACE-ONE-BOOKING',
  oneCreated: 'V2-IDEM-RACE-ONE-CREATED',
  answers: 'V2-IDEM-RACE-ANSWERS',
} as const

/** Returns whether one key makes one booking, however many requests come with it at once. */
export const judgeBookingContention: Judge = (stages, circumstances) => {
  const stage = stages.get('booking-contention')
  const races = stage === undefined ? [] : racesOf(stage)
  const made = stage === undefined ? undefined : madeIn(stage, circumstances)
  const decisions = races.some(race => hasBooked(race) && isRaced(race))
    ? [oneBooking(races, made), oneCreated(races), documented(races, failedRepeats(stage!, races))]
    : Object.values(CLAUSES).map(clause =>
        notExercised(clause, `none of ${races.length} keys was booked by requests that ran at the same time`),
      )
  const afterwards = replaysAfterwards(races.filter(isRaced))
  return {
    answers: [
      answered('one key makes one booking, however often it is sent at once', decisions),
      ...(afterwards === undefined
        ? []
        : [answered('a key that has booked is no longer in progress', [afterwards])]),
    ],
    facts: [...factsOf(races, made)],
    plots: [],
  }
}

function oneBooking(races: readonly Race[], made: number | undefined): Decision {
  const clause = CLAUSES.oneBooking
  const several = races.filter(race => bookingsOf(race).length > 1)
  const tried = triedWith(races)
  const [worst] = several
  if (worst !== undefined) {
    const ids = bookingsOf(worst)
    return broken(clause, {
      tried,
      expected: 'one booking for each key',
      observed: `several for ${keys(several.length)}, such as the ${ids.length} bookings ${ids.join(', ')}`,
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

function oneCreated(races: readonly Race[]): Decision {
  const several = races.filter(race => countOf(race, 'created') > 1)
  const [worst] = several
  if (worst === undefined) return kept(CLAUSES.oneCreated)
  return broken(CLAUSES.oneCreated, {
    tried: triedWith(races),
    expected: 'at most one 201 for each key',
    observed: `several for ${keys(several.length)}, such as ${countOf(worst, 'created')} for one`,
    exchanges: worst.exchanges.filter(({ response }) => response.status === 201).slice(0, A_FEW),
  })
}

/** Only of keys under which something could be booked: what everybody is refused is no matter of the race. */
function documented(races: readonly Race[], failed: readonly LoadExchange[]): Decision {
  const odd = races
    .filter(hasBooked)
    .map(race => ({ race, answers: race.exchanges.filter(isUndocumented) }))
    .filter(({ answers }) => answers.length > 0)
  const [worst] = odd
  if (worst === undefined && failed.length > 0) {
    return broken(CLAUSES.answers, {
      tried: triedWith(races),
      expected: 'BOOKING_IN_PROGRESS for a repeat while the first request runs',
      observed: `${wordsOf(failed)}, to such repeats alone and to nothing else that was sent`,
      exchanges: failed.slice(0, A_FEW),
    })
  }
  if (worst === undefined) return kept(CLAUSES.answers)
  const booking = worst.race.exchanges.find(exchange => readingOf(exchange) === 'created')
  return broken(CLAUSES.answers, {
    tried: triedWith(races),
    expected: 'nothing beside the booking of a key but replays, pending and BOOKING_IN_PROGRESS',
    observed: `other answers for ${keys(odd.length)}, such as ${wordsOf(worst.answers)}`,
    exchanges: [...(booking === undefined ? [] : [booking]), ...worst.answers.slice(0, A_FEW)],
  })
}

/** As many as chance does not deal to repeats alone: of every three requests one, at least, is something else. */
const NO_CHANCE = 30

/**
 * Failures that came to repeats while the first request of their key ran, where nothing else failed: a deployment that
 * is merely overloaded does not choose. Otherwise none.
 */
function failedRepeats({ exchanges, failures }: StageEvidence, races: readonly Race[]): LoadExchange[] {
  const failed = exchanges.filter(({ response }) => response.status >= 500)
  if (failed.length < NO_CHANCE || failures.length > 0) return []
  const repeats = new Set(races.flatMap(repeatsOf))
  const others = exchanges.length - repeats.size
  return 2 * others >= failed.length && failed.every(exchange => repeats.has(exchange)) ? failed : []
}

const A_FEW = 4

const keys = (count: number): string => (count === 1 ? '1 key' : `${count} keys`)

const isUndocumented = (exchange: LoadExchange): boolean => readingOf(exchange) === 'undocumented'

const countOf = ({ exchanges }: Race, answer: BookingAnswer): number =>
  exchanges.filter(exchange => readingOf(exchange) === answer).length

const triedWith = (races: readonly Race[]): string =>
  `Sending ${races.length} keys, each with the same booking several times at once`

/** Statuses and error codes with their counts. */
function wordsOf(exchanges: readonly LoadExchange[]): string {
  const words = exchanges.map(wordOf)
  return [...new Set(words)].map(word => `${words.filter(one => one === word).length} × ${word}`).join(', ')
}

function wordOf(exchange: LoadExchange): string {
  const { status, json } = exchange.response
  const code = (json as { error?: { code?: unknown } } | null | undefined)?.error?.code
  if (typeof code === 'string') return `${status} ${code}`
  return status === 200 ? '200 without idempotent_replay' : String(status)
}

/** Bookings that the deployment says were made during the stage, where nobody else can have made any. */
function madeIn({ counted, plan }: StageEvidence, { minted }: Circumstances): number | undefined {
  if (counted === undefined || !minted) return undefined
  const companies = new Map(plan.senders.map(sender => [identityOf(sender), counted.get(sender.alias)]))
  let sum = 0
  for (const counters of companies.values()) {
    if (counters === undefined) return undefined
    sum += Object.values(counters.bookings).reduce((one, other) => one + other, 0)
  }
  return sum
}

function* factsOf(races: readonly Race[], made: number | undefined): Generator<Fact> {
  const all = races.flatMap(({ exchanges }) => exchanges)
  const count = (answer: BookingAnswer) => all.filter(one => readingOf(one) === answer).length
  yield { name: 'keys', value: races.length }
  yield { name: 'keys of which requests ran at the same time', value: races.filter(isRaced).length }
  yield { name: 'keys that booked', value: races.filter(hasBooked).length }
  const uncertain = races.filter(isUncertain).length
  if (uncertain > 0) yield { name: 'keys whose result is unknown', value: uncertain }
  if (made !== undefined) yield { name: "bookings by the deployment's own count", value: made }
  for (const answer of ['created', 'replay', 'pending', 'in progress'] as const) {
    yield { name: `answers: ${answer}`, value: count(answer) }
  }
  const beside = all.filter(one => readingOf(one) === 'beside the point')
  if (beside.length > 0) yield { name: 'answers that are not judged here', value: wordsOf(beside) }
  const unanswered = races.reduce((sum, race) => sum + race.unanswered, 0)
  if (unanswered > 0) yield { name: 'requests without an answer', value: unanswered }
}
