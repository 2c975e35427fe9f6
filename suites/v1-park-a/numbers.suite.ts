import { v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  attempt,
  cents,
  claimRefused,
  hasChildFares,
  offerForGroupOfA,
} from '../../fixtures/check/v1/index.ts'
import { assume, describe, independently, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-park-a')

const MOST = 40
/** More: of adults alone, of children alone, and of both together, each of whom would be few enough. */
const TOO_MANY = [
  { adults: MOST + 1, children: 0 },
  { adults: MOST / 2 + 1, children: MOST / 2 },
  { adults: MOST, children: 1 },
  { adults: 1, children: MOST },
  { adults: 0, children: MOST + 1 },
  { adults: 50, children: 0 },
] as const
const TOO_MANY_OF_ONE = [
  { adults: 51, children: 0 },
  { adults: 0, children: 51 },
] as const
/** That one is left says nothing of so many. */
const SOLD_OUT = 'No availability for the selected date.'

describe('the number of tickets of an order of operator A', () => {
  test('is not none', { tags: ['V1-PARK-A-CONFIRM-TICKETS-LEAST'] }, async context => {
    const { arrange, act } = context
    await act.booked('the same for one adult')
    claimRefused(context, 'V1-PARK-A-CONFIRM-TICKETS-LEAST', {
      tried: 'Confirming tickets with neither adults nor children',
      answer: await attempt(context, async () => ({
        ...arrange.anyBody(await arrange.offer()),
        ...{ adults: 0, children: 0, total_amount: 0, pax: [] },
      })),
    })
  })

  test('is not less than none of either', {
    tags: ['V1-PARK-A-CONFIRM-CHILDREN-NEGATIVE', 'V1-PARK-A-CONFIRM-ADULTS-NEGATIVE'],
    forReal: false,
  }, async context => {
    const { arrange, act } = context
    await act.booked('the same for one adult')
    for (const [clause, people, left] of [
      ['V1-PARK-A-CONFIRM-CHILDREN-NEGATIVE', { adults: 2, children: -1 }, ADULT],
      ['V1-PARK-A-CONFIRM-ADULTS-NEGATIVE', { adults: -1, children: 2 }, { adults: 0, children: 1 }],
    ] as const) {
      claimRefused(context, clause, {
        tried: `Confirming one ticket as ${people.adults} adults and ${people.children} children`,
        answer: await attempt(context, async () => {
          const offer = await offerForGroupOfA(context, ADULT_AND_CHILD)
          const { adultPrice, childPrice } = offer.productData
          const { pax } = arrange.anyBody({ ...offer, people: left })
          const total_amount = left === ADULT ? adultPrice : childPrice
          return { ...arrange.anyBody(offer), ...people, total_amount, pax }
        }),
      })
    }
  })

  test('is no part of one', {
    tags: ['V1-PARK-A-CONFIRM-ADULTS-INTEGER', 'V1-PARK-A-CONFIRM-CHILDREN-INTEGER'],
    forReal: false,
  }, async context => {
    const { arrange, act } = context
    assume(arrange.trafficIsFree, 'a deployment on which requests are free')
    await act.booked('whole tickets')
    // At its price, for as many passengers as it is rounded to, up or down.
    for (const [clause, adults, children] of [
      ['V1-PARK-A-CONFIRM-ADULTS-INTEGER', 1.5, 1],
      ['V1-PARK-A-CONFIRM-CHILDREN-INTEGER', 1, 1.5],
    ] as const)
      for (const round of [Math.floor, Math.ceil])
        claimRefused(context, clause, {
          tried: `Confirming tickets for ${adults} adults and ${children} children`,
          answer: await attempt(context, async () => {
            const offer = await offerForGroupOfA(context, ADULT_AND_CHILD)
            const { adultPrice = 0, childPrice = 0 } = offer.productData
            const total_amount = cents(adults * adultPrice + children * childPrice)
            const people = { adults: round(adults), children: round(children) }
            const { pax } = arrange.anyBody({ ...offer, people })
            return { ...arrange.anyBody(offer), adults, children, total_amount, pax }
          }),
        })
  })

  test(`is ${MOST} at most`, {
    tags: ['V1-PARK-A-CONFIRM-TICKETS-MOST', 'V1-PARK-A-ERR-TOO-MANY', 'V1-PARK-A-CONFIRM-EACH-MOST'],
  }, async context => {
    const { arrange, act, expect } = context
    await independently(
      async () => {
        const children = (await hasChildFares(context)) ? [MOST / 2] : []
        // Children may come alone, as many as adults may.
        const shares = arrange.trafficIsFree
          ? [0, ...children.flatMap(half => [1, half, MOST - 1, MOST])]
          : children
        for (const share of shares.length > 0 ? shares : [0]) {
          const offerOf = (most: number, children: number) =>
            offerForGroupOfA(context, { adults: most - children, children })
          const { answer } = await act.book({
            offer: () => offerOf(MOST, share),
            // Whoever sells to nobody but one at a time has not counted to 40.
            beside: async () => arrange.body(await offerOf(2, share === MOST ? 2 : Math.min(share, 1))),
          })
          assume(!v1ErrorsOf(answer).includes(SOLD_OUT), `${MOST} tickets that are left for a day`)
          expect(answer, 'V1-PARK-A-CONFIRM-TICKETS-MOST').toSucceed()
        }
      },
      ...TOO_MANY.slice(0, arrange.trafficIsFree ? TOO_MANY.length : 2).map(people => async () => {
        const { answer } = await act.book({
          body: async () => arrange.anyBody(await offerForGroupOfA(context, people)),
          expecting: ['Too many tickets'],
        })
        const tried = `Confirming tickets for ${people.adults} adults and ${people.children} children`
        claimRefused(context, 'V1-PARK-A-CONFIRM-TICKETS-MOST', { tried, answer })
        assume(!v1ErrorsOf(answer).includes(SOLD_OUT), `${MOST + 1} tickets that are left for a day`)
        expect(answer, 'V1-PARK-A-ERR-TOO-MANY').toRefuseAsStated()
      }),
      ...arrange.drawn(TOO_MANY_OF_ONE, 1).map(people => async () => {
        const answer = await attempt(context, arrange.anyBody(await offerForGroupOfA(context, people)))
        const tried = `Confirming tickets for ${people.adults} adults and ${people.children} children`
        claimRefused(context, 'V1-PARK-A-CONFIRM-EACH-MOST', { tried, answer })
      }),
    )
  })
})
