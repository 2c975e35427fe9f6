import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { clauseFor } from '../../../fixtures/clauses/v1-idempotency.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import { confirmationOf } from '../../../fixtures/ground/endpoints.ts'
import type { ApiVersion } from '../../../fixtures/ground/exchange.ts'
import type { Operation } from '../../../fixtures/ground/logged.ts'
import { isV1Product, productOf, productsOf, type V1Product } from '../../../fixtures/ground/products.ts'
import type { Fact } from '../../../fixtures/ground/record-load.ts'
import { type Circumstances, tenantOf } from '../../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../../read/evidence.ts'
import { broken, type Claim, type Judge, kept, notExercised, type Open, type Question } from '../judge.ts'
import { isAnswered, isServed } from '../timeouts.ts'

/** The number of exchanges that a finding about a race cites. */
const A_FEW = 4

/** All requests with one key. */
interface Race {
  /** Those that were answered, in the order of sending. */
  copies: readonly SentCopy[]
  /** The number of requests without an answer. */
  unanswered: number
}

type SentCopy = RequestRow & Required<Pick<RequestRow, 'copy'>>

/**
 * Returns why races show nothing, if none of them had concurrent requests and a booking.
 *
 * @param what the value that the requests share
 */
const whyUnraced = ({ length }: readonly Race[], what: 'key' | 'reference'): Open =>
  notExercised(
    length === 0
      ? `no request with a ${what} was sent, because nothing bookable was found, or the load ended first`
      : `none of ${length} ${what}s was ${what === 'key' ? 'booked' : 'ordered'} by requests that ran at the same time`,
  )

/** Returns the booking requests of a stage, grouped by key or reference. */
export function racesOf({ requests }: StageEvidence, op: Operation = 'v2 book'): Race[] {
  const sent = requests.filter((row): row is SentCopy => row.op === op && row.copy !== undefined)
  return [...Map.groupBy(sent, ({ copy }) => copy.name).values()].map(all => {
    const copies = all.filter(({ status }) => status > 0)
    return { copies, unanswered: all.length - copies.length }
  })
}

/** Returns whether the answers of a key show a booking or a pending one. */
const hasBooked = ({ copies }: Race): boolean => copies.some(isServed)

/** Returns the requests of a key that were sent before the answer arrived that created its booking. */
function repeatsOf({ copies }: Race): SentCopy[] {
  const created = copies.find(({ copy }) => copy.says === 'created')
  if (created === undefined) return []
  return copies.filter(one => one !== created && one.at <= created.copy.heardAt)
}

/** Returns whether a key may have made a booking that no answer shows. */
const isUncertain = (race: Race): boolean =>
  !hasBooked(race) &&
  (race.unanswered > 0 || race.copies.some(one => one.status >= 500 || one.copy.says === 'in progress'))

/** Returns whether two requests of a key ran concurrently. */
function isRaced({ copies }: Race): boolean {
  let until = Number.NEGATIVE_INFINITY
  for (const { at, took } of copies.toSorted((one, other) => one.at - other.at)) {
    if (at < until) return true
    until = Math.max(until, at + Math.max(took, 1))
  }
  return false
}

/** Returns how many bookings the answers of a key show. */
const bookedBy = (race: Race): number =>
  Math.max(Number(hasBooked(race)), new Set(race.copies.flatMap(({ copy }) => copy.id ?? [])).size)

/** Yields how many keys or references there were, and what they were answered. */
function* factsOfRaces(prefix: string, what: 'keys' | 'references', races: readonly Race[]): Generator<Fact> {
  yield { name: `${prefix}${what}`, value: races.length }
  yield { name: `${prefix}${what} with concurrent requests`, value: races.filter(isRaced).length }
  yield { name: `${prefix}${what} that booked`, value: races.filter(hasBooked).length }
  const uncertain = races.filter(isUncertain).length
  if (uncertain > 0) yield { name: `${prefix}${what} whose result is unknown`, value: uncertain }
  const said = races.flatMap(({ copies }) => copies.flatMap(({ copy }) => copy.says ?? []))
  const answers = Map.groupBy(said, answer => answer)
  for (const [answer, { length }] of answers) yield { name: `${prefix}answers: ${answer}`, value: length }
  const unanswered = races.reduce((sum, race) => sum + race.unanswered, 0)
  if (unanswered > 0) yield { name: `${prefix}requests without an answer`, value: unanswered }
}

const ONE_BOOKING = 'V2-IDEM-RACE-ONE-BOOKING'
const ANSWERS = 'V2-IDEM-RACE-ANSWERS'
const oneOrder = (product: V1Product): ClauseId => clauseFor('V1-IDEM-NEVER-TWO', product)

/** The confirmation endpoint of each v1 product. */
const V1_CONFIRMATIONS = productsOf('v1')
  .filter(isV1Product)
  .map(product => [product, confirmationOf(product)] as const)

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
 * Asks whether one key or reference makes more bookings than its answers show, however many concurrent requests carry it.
 */
export const judgeBookingContention: Judge = (stages, circumstances) => {
  const stage = stages.get('booking-contention')
  if (stage === undefined) return { questions: [], claims: [], facts: [], plots: [] }
  const { products } = stage.plan
  const keys = racesOf(stage)
  const made = madeIn(stage, circumstances)
  const questions: Question[] = []
  const claims = takenKeys(stage)
  // A run that sells nothing through v2 has no keys.
  if (keys.length > 0 || products.length === 0 || !products.every(isV1Product)) {
    const title = 'requests with one key make no more than they show, and do not fail for it'
    questions.push({ title, clauses: [ONE_BOOKING, ANSWERS], whyOpen: () => whyUnraced(keys, 'key') })
    claims.push(...counted(ONE_BOOKING, keys, made, 'key'), ...failing(stage, keys))
  }
  const facts = keys.length === 0 ? [] : [...factsOfRaces('', 'keys', keys)]
  if (keys.length > 0 && made !== undefined)
    facts.push({ name: "bookings by the deployment's own count", value: made })
  for (const [product, op] of V1_CONFIRMATIONS) {
    const why = circumstances.leftOut?.[product]
    // Products that are neither sold nor planned are ignored.
    if (why === undefined && !products.includes(product)) continue
    const races = racesOf(stage, op)
    const { title } = productOf(product)
    questions.push({
      title: `${title}: requests with one reference make no more than they show`,
      clauses: [oneOrder(product)],
      whyOpen: () => (why === undefined ? whyUnraced(races, 'reference') : notExercised(why)),
    })
    claims.push(...counted(oneOrder(product), races, madeIn(stage, circumstances, product), 'reference'))
    if (races.length > 0) facts.push(...factsOfRaces(`${title}: `, 'references', races))
  }
  return { questions, claims, facts, plots: [] }
}

const areRaced = (races: readonly Race[]): boolean => races.some(race => hasBooked(race) && isRaced(race))

const triedWith = (races: readonly Race[], by: 'key' | 'reference'): string =>
  `Sending ${races.length} ${by}s, each with the same booking several times at once`

/**
 * Claims whether more was booked than the answers show; nothing where nobody counts.
 *
 * @param made the number of bookings that the deployment counted; `undefined` if unknown
 */
function counted(
  clause: ClauseId,
  races: readonly Race[],
  made: number | undefined,
  by: 'key' | 'reference',
): Claim[] {
  if (!areRaced(races) || made === undefined) return []
  const shown = races.reduce((sum, race) => sum + bookedBy(race), 0)
  const most = shown + races.filter(isUncertain).length
  if (made <= most) return [kept(clause)]
  const expected = `${most === shown ? most : `${shown} to ${most}`} bookings by the deployment's own count`
  const shownBy = races.find(hasBooked)!.copies.slice(0, A_FEW)
  return [broken(clause, { tried: triedWith(races, by), expected, observed: `${made}` }, shownBy)]
}

/** Claims that repeats fail for what they are: the model leaves open whether an overload is the reason. */
function failing(stage: StageEvidence, races: readonly Race[]): Claim[] {
  const failed = failedRepeats(stage, races)
  if (failed.length === 0) return []
  const told = {
    tried: triedWith(races, 'key'),
    expected: 'BOOKING_IN_PROGRESS for a repeat while the first request runs',
    observed: `${failed.length} failures, such as ${failed[0]!.status}, only of such repeats`,
  }
  return [broken(ANSWERS, told, failed.slice(0, A_FEW))]
}

/** The number of failures at which it cannot be chance that all are repeats. At least every third request is not. */
const NO_CHANCE = 30

/**
 * Returns failures of repeats that were sent while the first request of their key ran, if nothing else failed. An
 * overloaded deployment would fail for other requests too.
 */
function failedRepeats({ requests }: StageEvidence, races: readonly Race[]): RequestRow[] {
  const failed = requests.filter(({ status }) => status >= 500)
  if (failed.length < NO_CHANCE || !requests.every(isAnswered)) return []
  const repeats = new Set<RequestRow>(races.flatMap(repeatsOf))
  const others = requests.length - repeats.size
  return 2 * others >= failed.length && failed.every(row => repeats.has(row)) ? failed : []
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
  const companies = new Map(senders.map(sender => [tenantOf(sender), counted.get(sender.alias)]))
  let sum = 0
  for (const counters of companies.values()) {
    if (counters === undefined) return undefined
    const { total, ...kinds } = counters.bookings
    sum += total ?? Object.values(kinds).reduce((one, other) => one + other, 0)
  }
  return companies.size === 0 ? undefined : sum
}

/** Claims that a key was taken for another one. Every request of a key has the same body, and no other run has its keys. */
export function takenKeys(stage: StageEvidence): Claim[] {
  const races = racesOf(stage)
  const taken = races
    .filter(race => !hasBooked(race))
    .flatMap(({ copies }) => copies.filter(({ copy }) => copy.isTaken))
  if (taken.length === 0) return []
  const told = {
    tried: `Sending ${races.length} keys, each with one body`,
    expected: 'none to be taken for another one',
    observed: `${taken.length} × 409 IDEMPOTENCY_KEY_REUSED`,
  }
  return [broken('V2-IDEM-KEY-WHOLE', told, taken.slice(0, A_FEW))]
}
