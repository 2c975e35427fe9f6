import fc from 'fast-check'
import { claimSameInRanges, isInProgress, isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import {
  assumeDaysAsBefore,
  hasChildFare,
  offerAmong,
  type ParkACheck,
  V1_PARK_A,
  type V1Ticket,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  addDays,
  assume,
  describe,
  type Exchange,
  independently,
  refusalOf,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

/** A requested range of days. */
interface Range {
  type: 'ThemePark' | 'SpecialEvent'
  /** The index among products of that type, modulo their number; -1: the last one. */
  nth: number
  /** The day from which `start` counts: today, or the product's event or last day of validity. */
  around: 'today' | 'product'
  start: number
  length: number
}

/** The days from the first to the last of 366, both of which may count. */
const LONGEST = 365

/** The number of products tested at the end of their validity, if requests are free. */
const MOST_ENDS = 24

const ranges: fc.Arbitrary<Range> = fc.record({
  type: fc.constantFrom<Range['type']>('ThemePark', 'ThemePark', 'SpecialEvent'),
  nth: fc.nat({ max: 9 }),
  around: fc.constantFrom<Range['around']>('today', 'product'),
  start: fc.integer({ min: -LONGEST, max: 30 }),
  // Whether the last day is included is open, so a range of one day may be empty or refused.
  length: fc.integer({ min: 1, max: LONGEST }),
})

const CORNERS: readonly Range[] = (
  [
    // First, since how far ahead others are sold is not shown.
    ['ThemePark', 0, 'today', 0],
    ['ThemePark', 0, 'product', -300],
    ['SpecialEvent', 0, 'product', -100],
    // The second ticket of a family is a child's, if there is a child fare.
    ['ThemePark', 1, 'product', -300],
    ['SpecialEvent', 1, 'product', -100],
    ['ThemePark', 0, 'today', -180],
    ['ThemePark', 0, 'today', -1],
    ['SpecialEvent', -1, 'today', -200],
    ['ThemePark', 1, 'today', -180],
    // Tickets of the second brand come after the first two.
    ['ThemePark', 2, 'today', 0],
    // Tickets sold only from a later day come last, if there are any.
    ['ThemePark', -1, 'today', 0],
  ] as const
).map(([type, nth, around, start]) => ({ type, nth, around, start, length: LONGEST }))

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Decides that the listed days of a product are within its own. Rules judge that none is past. */
async function claimSold(
  { arrange, expect }: ParkACheck,
  { by, record }: { by: Actor; record: JsonObject },
  { days, ...claim }: { tried: string; days: readonly string[]; answer: Exchange },
): Promise<void> {
  const [event, from, to] = [record.event_date, record.valid_from, record.valid_to].map(text)
  const isEvent = record.product_type === 'SpecialEvent'
  if (isEvent && event === undefined) return
  const [first, last] = isEvent ? [event, event] : [from, to]
  const wrong = days.filter(date => date > (last ?? date) || date < (first ?? date))
  if (wrong.length > 0) await assumeDaysAsBefore(by, arrange.adapter, record)
  expect.claim(isEvent ? 'V1-PARK-A-PRICE-EVENT-DATE' : 'V1-PARK-A-PRICE-VALIDITY', wrong.length === 0, {
    ...claim,
    expected: `no day outside ${first ?? '…'} to ${last ?? '…'}`,
    observed: wrong.slice(0, 3).join(', '),
  })
}

/** Starts of weeks in the longest range, in days after tomorrow. The first ends with the range. */
const WEEKS = [LONGEST - 6, 200, 100, 45, 0]
/** Starts of long ranges, in days after tomorrow: only past days are ignored. */
const BEGINNINGS = [0, -20]
/** The number of rounds in which a year must lack a day of its part before the market is ruled out. */
const ROUNDS = 5

describe('any range of POST /api/v1/parkA/getTicketPrice', () => {
  test('is answered with days on which the product is sold, none of them in the past', {
    tags: [
      'V1-PARK-A-PRICE-RANGE-YEAR',
      'V1-PARK-A-PRICE-PAST-ACCEPTED',
      'V1-PARK-A-PRICE-PAST-IGNORED',
      'V1-PARK-A-PRICE-VALIDITY',
      'V1-PARK-A-PRICE-EVENT-DATE',
      'V1-PARK-A-PRICE-RANGE',
    ],
    kinds,
  }, async context => {
    const { arrange, expect, holds } = context
    const by = await arrange.actor()
    const { adapter } = arrange
    const today = new Date(by.now()).toISOString().slice(0, 10)
    const ofLast = await adapter.catalog(by, adapter.brands.at(-1)!)
    // Those with a child fare first: more is sold in them.
    const [families, others] = [await adapter.tickets(by), V1_PARK_A.ticketsIn(ofLast.response.json, '')].map(
      known => known.toSorted((one, other) => Number(hasChildFare(other)) - Number(hasChildFare(one))),
    ) as [V1Ticket[], V1Ticket[]]
    const known = [...families.slice(0, 1), ...others.slice(0, 1), ...families, ...others].flatMap(
      ({ adult, child }) => [adult, child].filter(record => record !== undefined),
    )
    const isLater = ({ valid_from }: JsonObject) => (text(valid_from) ?? today) > today
    const records = [...known, ...known.filter(isLater).slice(-1)]
    // Each product ends on another day.
    const ends = (['ThemePark', 'SpecialEvent'] as const).flatMap(type =>
      [...records.filter(({ product_type }) => product_type === type).entries()]
        .filter(([, { valid_to, event_date }]) => text(valid_to ?? event_date) !== undefined)
        .map(([nth]): Range => ({ type, nth, around: 'product', start: -2, length: 9 })),
    )
    const examples = [...CORNERS, ...(arrange.trafficIsFree ? ends.slice(0, MOST_ENDS) : [])]
    await holds(
      ranges,
      async ({ type, nth, around, start, length }) => {
        const some = records.filter(({ product_type }) => product_type === type)
        const record = some.at(nth % some.length)
        assume(record !== undefined, `a product of type ${type}`)
        const own = text(record.event_date) ?? text(record.valid_to)
        const from = addDays(around === 'product' && own !== undefined ? own : today, start)
        const to = addDays(from, length)
        const answer = await adapter.price(by, record.product_id, from, to)
        // How far ahead there are prices is not shown.
        if (to > addDays(today, LONGEST)) assume.accepted(answer, 'prices so far ahead')
        // A product may be listed and not be for sale.
        const isForSale = async () =>
          succeeded(await adapter.price(by, record.product_id, addDays(today, 30), addDays(today, 33)))
        if (!succeeded(answer) && !(await isForSale())) return
        expect(
          answer,
          from < today ? 'V1-PARK-A-PRICE-PAST-ACCEPTED' : 'V1-PARK-A-PRICE-RANGE-YEAR',
        ).toSucceed()
        const days = [...adapter.rowsOf(answer).keys()]
        const tried = `Asking for prices from ${from} to ${to}, on ${today}`
        await claimSold(context, { by, record }, { tried, days, answer })
      },
      { runs: examples.length + 2, live: CORNERS.length - 1, examples },
    )
  })

  test('lists each day as a request for that day alone does, at the same price', {
    tags: ['V1-PARK-A-PRICE-RANGE-WHOLE'],
    kinds,
  }, async ({ arrange, expect }) => {
    const by = await arrange.actor()
    const { adapter } = arrange
    const { productData, date } = await arrange.offer({ people: { adults: 1, children: 0 } })
    // A ticket without an end has prices in later years, too.
    const [endless] = await adapter.tickets(by, ({ adult }) => adult?.valid_to === null)
    const family = (arrange.trafficIsFree ? endless : undefined) ?? productData.ticket
    await claimSameInRanges(
      expect,
      'V1-PARK-A-PRICE-RANGE-WHOLE',
      { first: date, trafficIsFree: arrange.trafficIsFree },
      async (from, to) => {
        const answer = await adapter.price(by, family.adult?.product_id, from, to)
        assume.accepted(answer, 'prices of a range')
        return {
          answer,
          prices: new Map([...adapter.rowsOf(answer)].map(([day, [row]]) => [day, String(row?.price)])),
        }
      },
    )
  })

  test('is answered completely, however long', {
    tags: ['V1-PARK-A-PRICE-RANGE-WHOLE'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const by = await arrange.actor()
    const { adapter } = arrange
    const { productData } = await offerAmong(context, {
      what: 'a theme park ticket on sale',
      suits: ({ eventDate }) => eventDate === undefined,
    })
    const product_id = productData.ticket.adult?.product_id
    const from = addDays(new Date(by.now()).toISOString().slice(0, 10), 1)
    const exchanges: Exchange[] = []
    const listed = async (start: number, end: number) => {
      const answer = await adapter.price(by, product_id, addDays(from, start), addDays(from, end))
      assume.accepted(answer, 'prices of a range')
      exchanges.push(answer)
      return [...adapter.rowsOf(answer).keys()]
    }
    const weeks = new Map<number, string[]>()
    for (const day of arrange.drawn(WEEKS, 3)) {
      // All but the last begin with a month, if that is to come.
      const dayOfMonth = day === WEEKS[0] ? 1 : Number(addDays(from, day).slice(8))
      const start = Math.max(0, day + 1 - dayOfMonth)
      weeks.set(start, await listed(start, start + 6))
    }
    await independently(
      ...arrange.drawn(BEGINNINGS, 1).map(beginning => async () => {
        const end = beginning + LONGEST
        const missing = new Map([...weeks].filter(([start]) => start + 6 <= end))
        const isMissing = () => [...missing.values()].some(days => days.length > 0)
        // A day may be sold out between two answers, but not in every long range.
        for (let round = 1; isMissing() && round <= ROUNDS; round++) {
          const year = await listed(beginning, end)
          // The number of requests grows, so that a market that sells in turns does not stay in step.
          for (let again = 1; again <= round; again++) year.push(...(await listed(beginning, end)))
          for (const [start, days] of missing) {
            const unlisted = days.filter(day => !year.includes(day))
            const week = unlisted.length === 0 ? [] : await listed(start, start + 6)
            missing.set(
              start,
              unlisted.filter(day => week.includes(day)),
            )
          }
        }
        const lost = [...missing.values()].flat()
        expect.claim('V1-PARK-A-PRICE-RANGE-WHOLE', lost.length === 0, {
          tried: `Asking for the prices of some weeks and of the year around them, from ${addDays(from, beginning)} on, ${ROUNDS} times`,
          expected: 'the days of the weeks among those of the year',
          observed: `${lost.slice(0, 3).join(', ')} in the week alone, each time`,
          exchanges,
        })
      }),
    )
  })
})

describe('a price of operator A that the supplier does not give', () => {
  for (const [kind, clause] of [
    ['providerUnavailable', 'V1-PARK-A-ERR-NO-PRICING'],
    ['providerError', 'V1-PARK-A-ERR-TIMEOUT'],
  ] as const) {
    test(`is answered with the documented error (${kind})`, { tags: [clause], kinds }, async context => {
      const { arrange, act, control, expect } = context
      const by = await arrange.actor()
      const offer = await arrange.offer()
      const product_id = offer.productData.ticket.adult?.product_id
      await control.setOutcome(by, 'check', { kind })
      const question = { product_id, from_date: offer.date, to_date: addDays(offer.date, 1) }
      const answer = await context.v1.parkA.price(question)
      assume(answer.response.status >= 400, 'control.setOutcome that makes a request be refused')
      const words = refusalOf(clause)?.words
      assume(
        !isMarketRefusal(answer, words) && !isInProgress(answer),
        'control.setOutcome that causes exactly this refusal',
      )
      expect(answer).toRefuseAsStated()
      await act.checked('the same price', offer)
    })
  }
})
