import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { ENDPOINTS } from '../../../fixtures/ground/endpoints.ts'
import { isV1Product, productOf, type V1Product } from '../../../fixtures/ground/products.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import type { Operation } from '../../scenarios/lib/output.ts'
import { answered, broken, type Decision, kept, notExercised } from '../decision.ts'
import type { Answered, Judge } from '../judge.ts'
import { identityOf } from '../rate-limits/limits.ts'
import { factsOfRaces, hasBooked, isRaced, type Race, racesOf, repeatsOf, whyUnraced } from './race.ts'
import { judgeReferences, ownIds, referenceClauses } from './references.ts'
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
  const facts = keys.length === 0 ? [] : [...factsOfRaces('', 'keys', keys)]
  if (keys.length > 0 && made !== undefined)
    facts.push({ name: "bookings by the deployment's own count", value: made })
  for (const [product, op] of V1_CONFIRMATIONS) {
    const why = circumstances.leftOut?.[product]
    // Products that are neither sold nor planned are ignored.
    if (why === undefined && !products.includes(product)) continue
    const races = racesOf(stage, op)
    answers.push(...judgeReferences(product, races, madeIn(stage, circumstances, product), why))
    if (races.length > 0) facts.push(...factsOfRaces(`${productOf(product).title}: `, 'references', races))
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

/** What answers of a key must be beside the booking, the model judges; it cannot tell failures of repeats from an overload. */
function documented(races: readonly Race[], failed: readonly LoadExchange[]): Decision {
  if (failed.length === 0) return kept(CLAUSES.answers)
  return broken(CLAUSES.answers, {
    tried: triedWith(races, 'key'),
    expected: 'BOOKING_IN_PROGRESS for a repeat while the first request runs',
    observed: `${failed.length} failures, such as ${failed[0]!.response.status}, only of such repeats`,
    exchanges: failed.slice(0, A_FEW),
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
