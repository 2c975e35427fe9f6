import { clauseFor } from '../../../fixtures/clauses/every-confirmation.ts'
import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import { ENDPOINTS } from '../../../fixtures/ground/endpoints.ts'
import type { ApiVersion } from '../../../fixtures/ground/exchange.ts'
import { isV1Product, productOf, type V1Product } from '../../../fixtures/ground/products.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import type { Operation } from '../../scenarios/lib/output.ts'
import { answered, broken, type Decision, kept, notExercised } from '../decision.ts'
import type { Judge } from '../judge.ts'
import { identityOf } from '../rate-limits.ts'
import { ownIds } from './own-ids.ts'
import {
  A_FEW,
  bookedBy,
  factsOfRaces,
  hasBooked,
  isRaced,
  isUncertain,
  type Race,
  racesOf,
  repeatsOf,
  whyUnraced,
} from './race.ts'

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
