import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { ENDPOINTS } from '../../../fixtures/ground/endpoints.ts'
import { isV1Product, type V1Product } from '../../../fixtures/ground/products.ts'
import type { Fact } from '../../../fixtures/ground/record-load.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import type { Operation } from '../../scenarios/lib/output.ts'
import { answered, broken, type Decision, kept, notExercised } from '../decision.ts'
import type { Answered, Judge } from '../judge.ts'
import { identityOf } from '../rate-limits/limits.ts'
import {
  type BookingAnswer,
  hasBooked,
  isRaced,
  isUncertain,
  type Race,
  racesOf,
  readingOf,
  repeatsOf,
  whyUnraced,
} from './race.ts'
import { factsOfReferences, judgeReferences, ownIds, referenceClauses } from './references.ts'
import { A_FEW, oneBooking, triedWith } from './replays.ts'

const CLAUSES = {
  oneBooking: 'V2-IDEM-RACE-ONE-BOOKING',
  answers: 'V2-IDEM-RACE-ANSWERS',
} as const

/** The confirmation endpoint of each v1 product. */
const V1_CONFIRMATIONS: readonly (readonly [V1Product, Operation])[] = ENDPOINTS.flatMap(row =>
  row.version === 'v1' && row.does === 'books' ? [[row.products[0], row.id] as const] : [],
)

/** The clauses of the scenario, whatever products are sold. What answers of a key must be beside, the model judges. */
export const CONTENTION_CLAUSES: readonly ClauseId[] = [
  ...Object.values(CLAUSES),
  ...V1_CONFIRMATIONS.flatMap(([product]) => Object.values(referenceClauses(product))),
]

/** Judges whether one key or reference makes one booking, however many concurrent requests carry it. */
export const judgeBookingContention: Judge = (stages, circumstances) => {
  const stage = stages.get('booking-contention')
  if (stage === undefined) return { answers: [], facts: [], plots: [] }
  const { products } = stage.plan
  const keys = racesOf(stage)
  const made = madeIn(stage, circumstances)
  // A run that sells nothing through v2 has no keys.
  const hasKeys = keys.length > 0 || products.length === 0 || !products.every(isV1Product)
  const answers = hasKeys ? answersOfKeys(stage, keys, made) : []
  const facts = keys.length === 0 ? [] : [...factsOfKeys(keys, made)]
  for (const [product, op] of V1_CONFIRMATIONS) {
    const why = circumstances.leftOut?.[product]
    // Products that are neither sold nor planned are ignored.
    if (why === undefined && !products.includes(product)) continue
    const races = racesOf(stage, op)
    answers.push(...judgeReferences(product, races, madeIn(stage, circumstances, product), why))
    if (races.length > 0) facts.push(...factsOfReferences(product, races))
  }
  answers.push(...ownIds([stage]))
  return { answers, facts, plots: [] }
}

function answersOfKeys(stage: StageEvidence, races: readonly Race[], made: number | undefined): Answered[] {
  const decisions = races.some(race => hasBooked(race) && isRaced(race))
    ? [oneBooking(CLAUSES.oneBooking, races, made), documented(races, failedRepeats(stage, races))]
    : Object.values(CLAUSES).map(clause => notExercised(clause, whyUnraced(races, 'key')))
  return [answered('one key makes one booking, however often it is sent at once', decisions)]
}

/** Considers only keys with which something could be booked. What is refused for every key says nothing about races. */
function documented(races: readonly Race[], failed: readonly LoadExchange[]): Decision {
  const odd = races
    .filter(hasBooked)
    .map(race => ({
      race,
      answers: race.exchanges.filter(one => isUndocumented(one) || hasBookedAsRefused(race, one)),
    }))
    .filter(({ answers }) => answers.length > 0)
  const [worst] = odd
  if (worst === undefined && failed.length > 0) {
    return broken(CLAUSES.answers, {
      tried: triedWith(races, 'key'),
      expected: 'BOOKING_IN_PROGRESS for a repeat while the first request runs',
      observed: `${wordsOf(failed)}, only to such repeats`,
      exchanges: failed.slice(0, A_FEW),
    })
  }
  if (worst === undefined) return kept(CLAUSES.answers)
  const booking = worst.race.exchanges.find(exchange => readingOf(exchange) === 'created')
  return broken(CLAUSES.answers, {
    tried: triedWith(races, 'key'),
    expected: 'besides the booking of a key, only replays, pending bookings and BOOKING_IN_PROGRESS',
    observed: `other answers for ${keys(odd.length)}, such as ${wordsOf(worst.answers)}`,
    exchanges: [...(booking === undefined ? [] : [booking]), ...worst.answers.slice(0, A_FEW)],
  })
}

/** The number of failures at which it cannot be chance that all are repeats. At least every third request is not. */
const NO_CHANCE = 30

/**
 * Returns failures of repeats that were sent while the first request of their key ran, if nothing else failed. An
 * overloaded deployment would fail for other requests too.
 */
function failedRepeats({ exchanges, failures }: StageEvidence, races: readonly Race[]): LoadExchange[] {
  const failed = exchanges.filter(({ response }) => response.status >= 500)
  if (failed.length < NO_CHANCE || failures.length > 0) return []
  const repeats = new Set(races.flatMap(repeatsOf))
  const others = exchanges.length - repeats.size
  return 2 * others >= failed.length && failed.every(exchange => repeats.has(exchange)) ? failed : []
}

const keys = (count: number): string => (count === 1 ? '1 key' : `${count} keys`)

const isUndocumented = (exchange: LoadExchange): boolean => readingOf(exchange) === 'undocumented'

/**
 * Returns whether a refusal booked nevertheless: every request of its key was answered, some with a replay, and
 * none with a new booking. A refusal frees the key, so the next request should have booked.
 */
const hasBookedAsRefused = ({ exchanges, unanswered }: Race, one: LoadExchange): boolean =>
  unanswered === 0 &&
  readingOf(one) === 'beside the point' &&
  exchanges.some(exchange => readingOf(exchange) === 'replay') &&
  exchanges.every(({ response: { status } }) => [200, 409, 429].includes(status))

/** Returns statuses and error codes with their counts. */
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

/**
 * Returns how many bookings the deployment counted during the stage for the senders of a product, or of v2.
 * Undefined if others may have booked too.
 */
function madeIn(
  { counted, plan }: StageEvidence,
  { minted }: Circumstances,
  product?: V1Product,
): number | undefined {
  if (counted === undefined || !minted) return undefined
  const senders = plan.senders.filter(sender =>
    product === undefined
      ? sender.product === undefined || !isV1Product(sender.product)
      : sender.product === product,
  )
  const companies = new Map(senders.map(sender => [identityOf(sender), counted.get(sender.alias)]))
  let sum = 0
  for (const counters of companies.values()) {
    if (counters === undefined) return undefined
    const { total, ...kinds } = counters.bookings
    sum += total ?? Object.values(kinds).reduce((one, other) => one + other, 0)
  }
  return companies.size === 0 ? undefined : sum
}

function* factsOfKeys(races: readonly Race[], made: number | undefined): Generator<Fact> {
  const all = races.flatMap(({ exchanges }) => exchanges)
  const count = (answer: BookingAnswer) => all.filter(one => readingOf(one) === answer).length
  yield { name: 'keys', value: races.length }
  yield { name: 'keys with concurrent requests', value: races.filter(isRaced).length }
  yield { name: 'keys that booked', value: races.filter(hasBooked).length }
  const uncertain = races.filter(isUncertain).length
  if (uncertain > 0) yield { name: 'keys whose result is unknown', value: uncertain }
  if (made !== undefined) yield { name: "bookings by the deployment's own count", value: made }
  for (const answer of ['created', 'replay', 'pending', 'in progress'] as const)
    yield { name: `answers: ${answer}`, value: count(answer) }
  const beside = all.filter(one => readingOf(one) === 'beside the point')
  if (beside.length > 0) yield { name: 'answers that are not judged here', value: wordsOf(beside) }
  const unanswered = races.reduce((sum, race) => sum + race.unanswered, 0)
  if (unanswered > 0) yield { name: 'requests without an answer', value: unanswered }
}
