import { endOf } from '../../../fixtures/checkers/endpoint.ts'
import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { clauseFor } from '../../../fixtures/clauses/v1-idempotency.ts'
import { at, bookingOf, errorCode, flagged, textOf } from '../../../fixtures/contracts/reading.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import { ENDPOINTS } from '../../../fixtures/ground/endpoints.ts'
import { type ApiVersion, type Exchange, header } from '../../../fixtures/ground/exchange.ts'
import { referenceIn, v1IdIn } from '../../../fixtures/ground/ids.ts'
import type { Operation } from '../../../fixtures/ground/logged.ts'
import { isV1Product, productOf, type V1Product } from '../../../fixtures/ground/products.ts'
import type { Fact } from '../../../fixtures/ground/record-load.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import { type Answered, answered, broken, type Decision, type Judge, kept, notExercised } from '../judge.ts'
import { identityOf } from '../rate-limits.ts'

/** The number of exchanges that a finding about a race cites. */
const A_FEW = 4

/** The meaning of an answer to a booking request. */
type BookingAnswer =
  | 'created'
  | 'replay'
  | 'pending'
  | 'in progress'
  /** Says nothing of what was booked. Whether a key may be answered so, the model judges. */
  | 'beside the point'

/** All requests with one key. */
interface Race {
  /** In the order of sending. */
  exchanges: readonly LoadExchange[]
  /** The number of requests without an answer. */
  unanswered: number
}

/**
 * Returns why races show nothing, if none of them had concurrent requests and a booking.
 *
 * @param what the value that the requests share
 */
const whyUnraced = ({ length }: readonly Race[], what: 'key' | 'reference'): string =>
  length === 0
    ? `no request with a ${what} was sent, because nothing bookable was found, or the load ended first`
    : `none of ${length} ${what}s was ${what === 'key' ? 'booked' : 'ordered'} by requests that ran at the same time`

/** Returns what an answer to a booking request says about its key or reference. */
export const readingOf = (exchange: Exchange): BookingAnswer =>
  exchange.version === 'v1' ? v1ReadingOf(exchange) : v2ReadingOf(exchange)

function v2ReadingOf(exchange: Exchange): BookingAnswer {
  const { status } = exchange.response
  if (status === 201) return 'created'
  if (status === 202) return 'pending'
  if (status === 200 && flagged(exchange, 'idempotent_replay')) return 'replay'
  return errorCode(exchange) === 'BOOKING_IN_PROGRESS' ? 'in progress' : 'beside the point'
}

/** In v1 a market may refuse anything with any words. An answer may be unreadable, or too long to be kept. */
function v1ReadingOf(exchange: Exchange): BookingAnswer {
  const { status, json } = exchange.response
  if (status === 429 || status >= 500 || json === undefined) return 'beside the point'
  if (status < 300) return flagged(exchange, 'idempotent_replay') ? 'replay' : 'created'
  const words = [at(json, 'error'), at(json, 'message')]
  return words.includes('ORDER_CONFIRMATION_IN_PROGRESS') ? 'in progress' : 'beside the point'
}

/** Returns the booking requests of a stage, grouped by key or reference. */
export function racesOf({ exchanges, failures }: StageEvidence, op: Operation = 'v2 book'): Race[] {
  const groups = new Map<string, { exchanges: LoadExchange[]; unanswered: number }>()
  for (const sent of [...exchanges, ...failures]) {
    if (sent.op !== op) continue
    const { tenant, role } = sent.sender
    const { headers, body } = sent.request
    const key =
      op === 'v2 book' ? header(headers, 'idempotency-key') : referenceIn(Buffer.from(body ?? []).toString())
    if (key === null || key === undefined) continue
    const name = JSON.stringify([tenant ?? role, key])
    const group = groups.get(name) ?? { exchanges: [], unanswered: 0 }
    groups.set(name, group)
    if ('response' in sent) group.exchanges.push(sent)
    else group.unanswered++
  }
  return [...groups.values()]
}

/** Returns whether the answers of a key show a booking or a pending one. */
const hasBooked = ({ exchanges }: Race): boolean =>
  exchanges.some(({ response }) => response.status >= 200 && response.status < 300)

/** Returns the requests of a key that were sent before the answer arrived that created its booking. */
export function repeatsOf({ exchanges }: Race): LoadExchange[] {
  const created = exchanges.find(exchange => readingOf(exchange) === 'created')
  if (created === undefined) return []
  const answeredAt = endOf(created)
  return exchanges.filter(exchange => exchange !== created && Date.parse(exchange.startedAt) <= answeredAt)
}

/** Returns whether a key may have made a booking that no answer shows. */
export const isUncertain = (race: Race): boolean =>
  !hasBooked(race) &&
  (race.unanswered > 0 ||
    race.exchanges.some(exchange => exchange.response.status >= 500 || readingOf(exchange) === 'in progress'))

/** Returns whether two requests of a key ran concurrently. */
export function isRaced({ exchanges }: Race): boolean {
  const spans = exchanges
    .map(({ startedAt, milliseconds }) => ({ from: Date.parse(startedAt), milliseconds }))
    .sort((one, other) => one.from - other.from)
  let until = Number.NEGATIVE_INFINITY
  for (const { from, milliseconds } of spans) {
    if (from < until) return true
    until = Math.max(until, from + Math.max(milliseconds, 1))
  }
  return false
}

/** Returns how many bookings the answers of a key show. */
export const bookedBy = (race: Race): number =>
  Math.max(Number(hasBooked(race)), new Set(race.exchanges.flatMap(one => idIn(one) ?? [])).size)

/** Returns the id of the booking or order in an answer. The same id may be a number first and text later. */
function idIn(exchange: Exchange): string | undefined {
  const id = exchange.version === 'v1' ? v1IdIn(exchange.response.json) : bookingOf(exchange)?.booking_id
  return id === undefined ? undefined : textOf(id)
}

/** Yields how many keys or references there were, and what they were answered. */
function* factsOfRaces(prefix: string, what: 'keys' | 'references', races: readonly Race[]): Generator<Fact> {
  yield { name: `${prefix}${what}`, value: races.length }
  yield { name: `${prefix}${what} with concurrent requests`, value: races.filter(isRaced).length }
  yield { name: `${prefix}${what} that booked`, value: races.filter(hasBooked).length }
  const uncertain = races.filter(isUncertain).length
  if (uncertain > 0) yield { name: `${prefix}${what} whose result is unknown`, value: uncertain }
  const answers = Map.groupBy(races.flatMap(({ exchanges }) => exchanges).map(readingOf), answer => answer)
  for (const [answer, { length }] of answers) yield { name: `${prefix}answers: ${answer}`, value: length }
  const unanswered = races.reduce((sum, race) => sum + race.unanswered, 0)
  if (unanswered > 0) yield { name: `${prefix}requests without an answer`, value: unanswered }
}

const ONE_BOOKING = 'V2-IDEM-RACE-ONE-BOOKING'
const ANSWERS = 'V2-IDEM-RACE-ANSWERS'
const oneOrder = (product: V1Product): ClauseId => clauseFor('V1-IDEM-NEVER-TWO', product)

/** The confirmation endpoint of each v1 product. */
const V1_CONFIRMATIONS: readonly (readonly [V1Product, Operation])[] = ENDPOINTS.flatMap(row =>
  row.version === 'v1' && row.does === 'books' ? [[row.products[0], row.id] as const] : [],
)

/** The clauses of the scenario, whatever products are sold. */
export const CONTENTION_CLAUSES: readonly ClauseId[] = [
  ONE_BOOKING,
  ANSWERS,
  ...V1_CONFIRMATIONS.map(([product]) => oneOrder(product)),
]

/** Returns the clause that stands for all that a product, or an API version, leaves open that cannot be booked. */
export const clauseOfBookings = (what: Product | ApiVersion): ClauseId =>
  isV1Product(what) ? oneOrder(what) : 'V2-BOOK-READ-SAME'

/**
 * Judges whether one key or reference makes more bookings than its answers show, however many concurrent requests carry
 * it. What they show, and what repeats are answered, the model judges.
 */
export const judgeBookingContention: Judge = (stages, circumstances) => {
  const stage = stages.get('booking-contention')
  if (stage === undefined) return { answers: [], facts: [], plots: [] }
  const { products } = stage.plan
  const keys = racesOf(stage)
  const made = madeIn(stage, circumstances)
  // A run that sells nothing through v2 has no keys.
  const hasKeys = keys.length > 0 || products.length === 0 || !products.every(isV1Product)
  const answers = hasKeys
    ? [
        answered('requests with one key make no more than they show, and do not fail for it', [
          ...counted(ONE_BOOKING, keys, made, 'key'),
          ...failing(stage, keys),
        ]),
      ]
    : []
  const facts = keys.length === 0 ? [] : [...factsOfRaces('', 'keys', keys)]
  if (keys.length > 0 && made !== undefined)
    facts.push({ name: "bookings by the deployment's own count", value: made })
  for (const [product, op] of V1_CONFIRMATIONS) {
    const why = circumstances.leftOut?.[product]
    // Products that are neither sold nor planned are ignored.
    if (why === undefined && !products.includes(product)) continue
    const races = racesOf(stage, op)
    const { title } = productOf(product)
    const clause = oneOrder(product)
    const decisions =
      why === undefined
        ? counted(clause, races, madeIn(stage, circumstances, product), 'reference')
        : [notExercised(clause, why)]
    if (decisions.length > 0)
      answers.push(answered(`${title}: requests with one reference make no more than they show`, decisions))
    if (races.length > 0) facts.push(...factsOfRaces(`${title}: `, 'references', races))
  }
  answers.push(...ownIds([stage]))
  return { answers, facts, plots: [] }
}

const areRaced = (races: readonly Race[]): boolean => races.some(race => hasBooked(race) && isRaced(race))

const triedWith = (races: readonly Race[], by: 'key' | 'reference'): string =>
  `Sending ${races.length} ${by}s, each with the same booking several times at once`

/**
 * Decides whether more was booked than the answers show; nothing where nobody counts.
 *
 * @param made the number of bookings that the deployment counted; `undefined` if unknown
 */
function counted(
  clause: ClauseId,
  races: readonly Race[],
  made: number | undefined,
  by: 'key' | 'reference',
): Decision[] {
  if (!areRaced(races)) return [notExercised(clause, whyUnraced(races, by))]
  if (made === undefined) return []
  const shown = races.reduce((sum, race) => sum + bookedBy(race), 0)
  const most = shown + races.filter(isUncertain).length
  if (made <= most) return [kept(clause)]
  return [
    broken(clause, {
      tried: triedWith(races, by),
      expected: `${most === shown ? most : `${shown} to ${most}`} bookings by the deployment's own count`,
      observed: `${made}`,
      exchanges: races.find(hasBooked)!.exchanges.slice(0, A_FEW),
    }),
  ]
}

/** Decides whether repeats fail for what they are: the model leaves open whether an overload is the reason. */
function failing(stage: StageEvidence, races: readonly Race[]): Decision[] {
  if (!areRaced(races)) return [notExercised(ANSWERS, whyUnraced(races, 'key'))]
  const failed = failedRepeats(stage, races)
  if (failed.length === 0) return [kept(ANSWERS)]
  return [
    broken(ANSWERS, {
      tried: triedWith(races, 'key'),
      expected: 'BOOKING_IN_PROGRESS for a repeat while the first request runs',
      observed: `${failed.length} failures, such as ${failed[0]!.response.status}, only of such repeats`,
      exchanges: failed.slice(0, A_FEW),
    }),
  ]
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

/** The clause that tells apart what was booked under different keys. Orders of v1 and their references, the model tells apart. */
export const OWN_ID = 'V2-IDEM-KEY-WHOLE'

/** Decides whether different keys are told apart; nothing where too little was made. */
export const ownIds = (stages: Iterable<StageEvidence>): Answered[] => {
  const decisions = [...stages].flatMap(stage => decide(stage) ?? [])
  return decisions.length === 0
    ? []
    : [answered('what is booked at the same time is not mixed up', decisions)]
}

function decide(stage: StageEvidence): Decision | undefined {
  const races = racesOf(stage)
  const made = races.flatMap(race => {
    const first = race.exchanges.find(exchange => ['created', 'replay'].includes(readingOf(exchange)))
    return first !== undefined && idIn(first) !== undefined ? [first] : []
  })
  // Every request of a key has the same body. Keys with a booking are judged as races.
  const taken = races
    .filter(race => !hasBooked(race))
    .flatMap(({ exchanges }) => exchanges.filter(one => errorCode(one) === 'IDEMPOTENCY_KEY_REUSED'))
  if (taken.length > 0) {
    return broken(OWN_ID, {
      tried: `Sending ${races.length} keys, each with one body`,
      expected: 'none to be taken for another one',
      observed: `${taken.length} × 409 IDEMPOTENCY_KEY_REUSED`,
      exchanges: taken.slice(0, A_FEW),
    })
  }
  if (made.length < 2) return undefined
  // Each company may count its ids for itself.
  const nameOf = (one: LoadExchange) => JSON.stringify([one.sender.tenant ?? one.sender.role, idIn(one)])
  const mixed = [...Map.groupBy(made, nameOf).values()].filter(({ length }) => length > 1)
  const [worst] = mixed
  if (worst === undefined) return kept(OWN_ID)
  return broken(OWN_ID, {
    tried: `Booking ${made.length} times, each with a key of its own`,
    expected: 'an id of its own for each',
    observed: `${mixed.length} ids that several have, such as ${idIn(worst[0]!)}`,
    exchanges: worst.slice(0, 4),
  })
}
