import { v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import { claimRefused, hasChildFares, offerForGroupOfA } from '../../fixtures/check/v1/index.ts'
import { assume, describe, independently, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

const MOST = 40
/** Too many: adults only, children only, and both together with each few enough. */
const TOO_MANY = [
  { adults: MOST + 1, children: 0 },
  { adults: MOST / 2 + 1, children: MOST / 2 },
  { adults: MOST, children: 1 },
  { adults: 1, children: MOST },
  { adults: 0, children: MOST + 1 },
  { adults: 50, children: 0 },
] as const
/** One ticket left says nothing about this many. */
const SOLD_OUT = 'No availability for the selected date.'

describe('the number of tickets of an order of operator A', () => {
  test(`is limited to ${MOST}`, {
    tags: ['V1-PARK-A-CONFIRM-TICKETS-MOST', 'V1-PARK-A-ERR-TOO-MANY'],
    kinds,
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
            // Otherwise a service may sell only one ticket at a time.
            beside: async () => arrange.body(await offerOf(2, share === MOST ? 2 : Math.min(share, 1))),
          })
          assume(!v1ErrorsOf(answer).includes(SOLD_OUT), `${MOST} tickets left for a day`)
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
        assume(!v1ErrorsOf(answer).includes(SOLD_OUT), `${MOST + 1} tickets left for a day`)
        expect(answer, 'V1-PARK-A-ERR-TOO-MANY').toRefuseAsStated()
      }),
    )
  })
})
