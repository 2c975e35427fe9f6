import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDeviants } from '../../fixtures/deviants/index.ts'
import type { Tenant } from '../../fixtures/ground/control.ts'
import { productsOf } from '../../fixtures/ground/products.ts'
import { judgeTimeouts } from '../judge/timeouts.ts'
import { rowOf } from '../read/evidence.ts'
import { circumstancesOf, staged, stageOf } from '../testing/evidence.ts'
import { type K6Stages, openStages } from '../testing/k6-stages.ts'

let stages: K6Stages

beforeAll(async () => {
  stages = await openStages()
}, 600_000)

afterAll(() => stages.close())

/** A twentieth of the documented times, on clocks that run twenty times as fast. A busy machine stalls for 200 ms now and then. */
const SCALE = 0.05

/** The variants of the senders, in the order of journeys: transfers, browse, tickets, hotels. */
const LATE = [
  'late-availability',
  'late-reads',
  'late-checks',
  'late-search-starts',
  'late-bookings',
  undefined,
  'late-cancellations',
  'late-polls',
  'late-vouchers',
  undefined,
  undefined,
  undefined,
]

/** The variants of the senders in the order of v1 journeys. */
const LATE_ORDERS = ['late-orders-of-a', 'late-orders-of-b', undefined, undefined]

test.concurrent.each([
  ['v2', LATE, productsOf('v2')],
  ['v1 tickets', LATE_ORDERS, ['v1-park-a', 'v1-park-b']],
] as const)(
  'answers of %s past the documented times are found by the clause of each, and those in time are not',
  async (_, variants, products) => {
    const senders: Record<string, Tenant> = {}
    for (const [index, variant] of variants.entries()) {
      senders[variant ?? `in time ${index}`] = await stages.control.mint(
        variant === undefined ? {} : { variant },
      )
    }
    const { answers, failures } = await stages.run(
      'timeouts',
      { each: 3, rate: 12, scale: SCALE, pollEvery: 100 },
      senders,
      { products: [...products], speed: 1 / SCALE },
    )
    for (const alias of Object.keys(senders)) {
      const requests = [...answers, ...failures].map(rowOf).filter(({ who }) => who === alias)
      const stage = stageOf({ scenario: 'timeouts', requests })
      const judged = judgeTimeouts(staged(stage), circumstancesOf('timeouts', { settings: { scale: SCALE } }))
      const found = judged.claims.map(({ clause }) => clause)
      expect(found, alias).toEqual(loadDeviants.find(({ id }) => id === alias)?.breaks ?? [])
    }
  },
)
