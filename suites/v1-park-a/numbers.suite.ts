import { v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  attempt,
  claimRefused,
  hasChildFares,
  offerAmong,
  offerWithChild,
  type ParkACheck,
} from '../../fixtures/check/v1/index.ts'
import { assume, describe, independently, test } from '../../fixtures/test.ts'

const MOST = 40
/** More: of adults alone, of children alone, and of both together, each of whom would be few enough. */
const TOO_MANY = [
  { adults: MOST + 1, children: 0 },
  { adults: MOST / 2 + 1, children: MOST / 2 },
  { adults: MOST, children: 1 },
  { adults: 0, children: MOST + 1 },
  { adults: 50, children: 0 },
] as const
/** That one is left says nothing of so many. */
const SOLD_OUT = 'No availability for the selected date.'

/** Something for so many adults, none of whom needs a price of their own. */
const offerFor = (context: ParkACheck, adults: number) =>
  offerAmong(context, { what: 'a ticket on sale', people: { adults, children: 0 } })

describe('the number of tickets of an order of operator A', () => {
  test('is not none', { tags: ['V1-PARK-A-CONFIRM-TICKETS-LEAST'], kinds: ['v1-park-a'] }, async context => {
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

  test(`is ${MOST} at most`, {
    tags: ['V1-PARK-A-CONFIRM-TICKETS-MOST', 'V1-PARK-A-ERR-TOO-MANY', 'V1-PARK-A-CONFIRM-EACH-MOST'],
    kinds: ['v1-park-a'],
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
            children > 0
              ? offerWithChild(context, { adults: most - children, children })
              : offerFor(context, most)
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
          body: async () =>
            arrange.anyBody(
              people.children === 0
                ? await offerFor(context, people.adults)
                : await offerWithChild(context, people),
            ),
          expecting: ['Too many tickets'],
        })
        const tried = `Confirming tickets for ${people.adults} adults and ${people.children} children`
        claimRefused(context, 'V1-PARK-A-CONFIRM-TICKETS-MOST', { tried, answer })
        assume(!v1ErrorsOf(answer).includes(SOLD_OUT), `${MOST + 1} tickets that are left for a day`)
        expect(answer, 'V1-PARK-A-ERR-TOO-MANY').toRefuseAsStated()
      }),
      async () => {
        const answer = await attempt(context, arrange.anyBody(await offerFor(context, 51)))
        claimRefused(context, 'V1-PARK-A-CONFIRM-EACH-MOST', {
          tried: 'Confirming tickets for 51 adults',
          answer,
        })
      },
    )
  })
})
