import { checksOf, confirmationsOf } from '../../fixtures/check/requests/index.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  attempt,
  claimAccepted,
  claimRefused,
  countOf,
  hasChildFares,
  mislisted,
  offerForGroupOfA,
  type ParkAOffer,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { parkAOrder, parkAPassenger } from '../../fixtures/service/index.ts'
import { describe, orOrdinary, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-park-a')

const described = ({ adults, children }: V1People) => `${adults} adults and ${children} children`

const ofAnyone = confirmationsOf('v1-park-a', offerForGroupOfA)
const confirmations: typeof ofAnyone = {
  ...ofAnyone,
  withChild: true,
  // A request for several is proved with a child where there is one, as `withChild` has it.
  proves: (check, people) =>
    people.adults < 3
      ? ofAnyone.proves(check, people)
      : orOrdinary(
          () => ofAnyone.proves(check, { adults: people.adults - 1, children: 1 }),
          () => ofAnyone.proves(check, people),
        ),
}
for (const table of [parkAPassenger, parkAOrder]) {
  describe(table.subject, () => {
    for (const { title, body, ...options } of checksOf(table, confirmations)) test(title, options, body)
  })
}

describe('the passengers of an order of operator A', () => {
  test('are counted in any group, each type by itself', {
    tags: ['V1-PARK-A-CONFIRM-PAX-TYPES', 'V1-PARK-A-CONFIRM-PAX-COUNT'],
  }, async context => {
    const { arrange, act, holds } = context
    // What is refused is not sold: one offer serves every list for the same people.
    const found = new Map<string, ParkAOffer>()
    await holds(
      mislisted,
      async ({ people, listed }) => {
        let offer = found.get(described(people))
        const clause =
          countOf(listed) === countOf(people) ? 'V1-PARK-A-CONFIRM-PAX-TYPES' : 'V1-PARK-A-CONFIRM-PAX-COUNT'
        claimRefused(context, clause, {
          tried: `Confirming tickets for ${described(people)} with ${described(listed)} as passengers`,
          answer: await attempt(context, async () => {
            const own = offer ?? (await offerForGroupOfA(context, people))
            found.set(described(people), own)
            offer = undefined
            const { pax } = arrange.anyBody({ ...own, people: listed })
            return { ...arrange.anyBody(own), pax }
          }),
        })
      },
      {
        runs: 17,
        live: 4,
        examples: [
          { people: ADULT, listed: { adults: 2, children: 0 } },
          { people: ADULT, listed: { adults: 0, children: 0 } },
          { people: ADULT_AND_CHILD, listed: { adults: 2, children: 0 } },
          { people: ADULT_AND_CHILD, listed: { adults: 0, children: 2 } },
          { people: ADULT_AND_CHILD, listed: ADULT },
          // Both types are there, and as many in all.
          { people: { adults: 2, children: 1 }, listed: { adults: 1, children: 2 } },
          { people: { adults: 3, children: 1 }, listed: { adults: 3, children: 0 } },
          { people: { adults: 2, children: 2 }, listed: { adults: 3, children: 2 } },
          // Adults alone, and children alone.
          { people: { adults: 2, children: 0 }, listed: { adults: 1, children: 1 } },
          { people: { adults: 0, children: 2 }, listed: { adults: 0, children: 1 } },
        ],
      },
    )
    const groups = [
      { adults: 3, children: 0 },
      { adults: 2, children: 1 },
    ]
    for (const people of arrange.drawn(groups, 1))
      await act.booked(`tickets for ${described(people)} with all their passengers`, {
        offer: () => offerForGroupOfA(context, people),
      })
  })

  test('need no email, whoever of them', { tags: ['V1-PARK-A-PAX-NO-EMAIL'] }, async context => {
    const { arrange } = context
    const withChild = await hasChildFares(context)
    await claimAccepted(context, {
      clause: 'V1-PARK-A-PAX-NO-EMAIL',
      tried: 'Confirming three tickets without email',
      async make() {
        const people = withChild ? { adults: 2, children: 1 } : { adults: 3, children: 0 }
        const tested = arrange.anyBody(await offerForGroupOfA(context, people))
        const pax = (tested.pax as JsonObject[]).map(person => ({ ...person, email: EMAIL }))
        return { tested, beside: { ...tested, email: EMAIL, pax } }
      },
    })
  })
})

const EMAIL = 'guest@example.com'
