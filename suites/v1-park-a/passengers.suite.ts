import { independently } from '../../fixtures/check/independently.ts'
import type { V1People } from '../../fixtures/check/v1/adapter.ts'
import {
  ADULT_AND_CHILD,
  attempt,
  claimAccepted,
  offerAmong,
  offerWithChild,
  type ParkACheck,
} from '../../fixtures/check/v1/park-a-orders.ts'
import { countOf, mislisted, misplaced, withPassenger } from '../../fixtures/check/v1/passengers.ts'
import { claimRefused } from '../../fixtures/check/v1/refusals.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { JsonObject } from '../../fixtures/contracts/reading.ts'
import { describe, test } from '../../fixtures/test.ts'

const described = ({ adults, children }: V1People) => `${adults} adults and ${children} children`

const paxOf = (body: JsonObject): JsonObject[] => body.pax as JsonObject[]

type Wrong = readonly [clause: ClauseId, how: string, alter: (body: JsonObject) => JsonObject]
type WrongPassenger = readonly [clause: ClauseId, how: string, change: JsonObject]

const FIELDS: readonly WrongPassenger[] = [
  ['V1-PARK-A-PAX-NAME', 'a passenger without name', { name: undefined }],
  ['V1-PARK-A-PAX-SURNAME', 'a passenger without surname', { surname: undefined }],
  ['V1-PARK-A-PAX-TYPE', 'a passenger without type', { type: undefined }],
  ['V1-PARK-A-PAX-TYPE-VALUES', 'a passenger of type senior', { type: 'senior' }],
  ['V1-PARK-A-PAX-BIRTHDATE', 'a passenger without birthdate', { birthdate: undefined }],
  ['V1-PARK-A-PAX-NATIONALITY', 'a passenger without nationality', { nationality: undefined }],
]

const FORMS: readonly WrongPassenger[] = [
  '1990/01/15',
  '15-01-1990',
  '19900115',
  '1990-01-15T00:00:00Z',
  '1990-1-15',
].map(birthdate => [
  'FORMAT-V1-DATE-REFUSED-PARK-A-BIRTHDATE',
  `a passenger born on ${birthdate}`,
  { birthdate },
])

/** Such a fault of the first passenger. */
const ofTheFirst = ([clause, how, change]: WrongPassenger): Wrong => [
  clause,
  how,
  body => withPassenger(body, 0, change),
]

const LISTS: readonly Wrong[] = [
  [
    'V1-PARK-A-CONFIRM-PAX-COUNT',
    'a passenger too many',
    body => ({ ...body, pax: [...paxOf(body), paxOf(body)[0]] }),
  ],
  ['V1-PARK-A-CONFIRM-PAX-COUNT', 'no passengers', body => ({ ...body, pax: [] })],
]

/** Sends an order with each of these faults, and decides its clause by whether it is refused. */
async function refuse(context: ParkACheck, body: JsonObject, wrong: readonly Wrong[]) {
  await independently(
    ...wrong.map(([clause, how, alter]) => async () => {
      claimRefused(context, clause, {
        tried: `Confirming tickets with ${how}`,
        answer: await attempt(context, alter(body)),
      })
    }),
  )
}

describe('the passengers of an order of operator A', () => {
  test('state name, surname, type, birthdate and nationality', {
    tags: [
      'V1-PARK-A-PAX-NAME',
      'V1-PARK-A-PAX-SURNAME',
      'V1-PARK-A-PAX-TYPE',
      'V1-PARK-A-PAX-TYPE-VALUES',
      'V1-PARK-A-PAX-BIRTHDATE',
      'V1-PARK-A-PAX-NATIONALITY',
      'FORMAT-V1-DATE-REFUSED-PARK-A-BIRTHDATE',
      'V1-PARK-A-CONFIRM-PAX-COUNT',
    ],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act } = context
    const offer = await arrange.offer()
    await act.confirmed('an order with all of that', { body: arrange.body(offer) })
    await refuse(context, arrange.anyBody(offer), [...[...FIELDS, ...FORMS].map(ofTheFirst), ...LISTS])
  })

  test('are all looked at, not only the first one', {
    tags: [
      'V1-PARK-A-PAX-NAME',
      'V1-PARK-A-PAX-SURNAME',
      'V1-PARK-A-PAX-TYPE',
      'V1-PARK-A-PAX-TYPE-VALUES',
      'V1-PARK-A-PAX-BIRTHDATE',
      'V1-PARK-A-PAX-NATIONALITY',
      'FORMAT-V1-DATE-REFUSED-PARK-A-BIRTHDATE',
    ],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, holds } = context
    const faults = [...FIELDS, ...FORMS]
    const several = (adults: number) =>
      offerAmong(context, { what: 'a ticket for several adults', people: { adults, children: 0 } })
    await holds(
      misplaced(faults),
      async ({ fault: [clause, how, change], people, place }) => {
        const answer = await attempt(
          context,
          withPassenger(arrange.anyBody(await several(people)), place, change),
        )
        claimRefused(context, clause, {
          tried: `Confirming ${people} tickets, number ${place + 1} for ${how}`,
          answer,
        })
      },
      { runs: 2 * faults.length, live: 4 },
    )
    await act.confirmed('several tickets without a fault', {
      body: async () => arrange.body(await several(3)),
    })
  })

  test('are as many of each type as adults and children', {
    tags: ['V1-PARK-A-CONFIRM-PAX-TYPES', 'V1-PARK-A-CONFIRM-PAX-COUNT'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act } = context
    const offer = await offerWithChild(context, ADULT_AND_CHILD)
    const body = arrange.anyBody(offer)
    const [adult, child] = paxOf(body)
    await independently(
      async () => {
        claimRefused(context, 'V1-PARK-A-CONFIRM-PAX-TYPES', {
          tried: 'Confirming tickets for an adult and a child with two adults as passengers',
          answer: await attempt(context, { ...body, pax: [adult, adult] }),
        })
      },
      async () => {
        claimRefused(context, 'V1-PARK-A-CONFIRM-PAX-TYPES', {
          tried: 'Confirming tickets for an adult and a child with two children as passengers',
          answer: await attempt(context, { ...body, pax: [child, child] }),
        })
      },
      async () => {
        claimRefused(context, 'V1-PARK-A-CONFIRM-PAX-COUNT', {
          tried: 'Confirming tickets for an adult and a child with the adult alone as passenger',
          answer: await attempt(context, { ...body, pax: [adult] }),
        })
      },
    )
    await act.confirmed('the same with an adult and a child', { body: arrange.body(offer) })
  })

  test('are counted in any group, each type by itself', {
    tags: ['V1-PARK-A-CONFIRM-PAX-TYPES', 'V1-PARK-A-CONFIRM-PAX-COUNT'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, holds } = context
    const offerFor = (people: V1People) =>
      people.children > 0
        ? offerWithChild(context, people)
        : offerAmong(context, { what: 'a ticket for several adults', people })
    await holds(
      mislisted,
      async ({ people, listed }) => {
        const offer = await offerFor(people)
        const { pax } = arrange.anyBody({ ...offer, people: listed })
        const clause =
          countOf(listed) === countOf(people) ? 'V1-PARK-A-CONFIRM-PAX-TYPES' : 'V1-PARK-A-CONFIRM-PAX-COUNT'
        claimRefused(context, clause, {
          tried: `Confirming tickets for ${described(people)} with ${described(listed)} as passengers`,
          answer: await attempt(context, { ...arrange.anyBody(offer), pax }),
        })
      },
      {
        runs: 10,
        live: 3,
        examples: [
          // Both types are there, and as many in all.
          { people: { adults: 2, children: 1 }, listed: { adults: 1, children: 2 } },
          { people: { adults: 3, children: 1 }, listed: { adults: 3, children: 0 } },
          { people: { adults: 2, children: 2 }, listed: { adults: 3, children: 2 } },
        ],
      },
    )
    await act.confirmed('several tickets with all their passengers', {
      body: async () => arrange.body(await offerFor({ adults: 3, children: 0 })),
    })
  })

  test('need no phone', {
    tags: ['V1-PARK-A-PAX-PHONE-OPTIONAL'],
    kinds: ['v1-park-a'],
  }, async ({ arrange, act, expect }) => {
    const answer = await act.confirm({
      body: async () => withPassenger(arrange.anyBody(await arrange.offer()), 0, { phone: undefined }),
    })
    expect(answer).toSucceed()
  })

  test('need no email', { tags: ['V1-PARK-A-PAX-NO-EMAIL'], kinds: ['v1-park-a'] }, async context => {
    const { arrange } = context
    await claimAccepted(context, 'V1-PARK-A-PAX-NO-EMAIL', 'Confirming a ticket without email', async () => {
      const tested = arrange.anyBody(await arrange.offer())
      return { tested, beside: withPassenger({ ...tested, email: EMAIL }, 0, { email: EMAIL }) }
    })
  })
})

const EMAIL = 'guest@example.com'

describe('the nationality of a passenger of operator A', () => {
  for (const [what, nationality, clause] of [
    ['an alpha-2 code', 'FR', 'FORMAT-V1-COUNTRY-PARK-A-ALPHA-2'],
    ['an alpha-3 code', 'FRA', 'FORMAT-V1-COUNTRY-PARK-A-ALPHA-3'],
    ['the name of a country', 'France', 'FORMAT-V1-COUNTRY-PARK-A-NAME'],
  ] as const) {
    test(`may be ${what}`, { tags: [clause], kinds: ['v1-park-a'] }, async ({ arrange, act, expect }) => {
      const answer = await act.confirm({
        body: async () => withPassenger(arrange.anyBody(await arrange.offer()), 0, { nationality }),
      })
      expect(answer).toSucceed()
    })
  }

  test('has to be a country that exists', {
    tags: ['FORMAT-V1-COUNTRY-PARK-A-UNKNOWN'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, expect } = context
    const offer = await arrange.offer()
    await act.confirmed('the same of a country that exists', { body: arrange.body(offer) })
    for (const nationality of ['XQ', 'Atlantis']) {
      const answer = await attempt(context, withPassenger(arrange.anyBody(offer), 0, { nationality }))
      expect(answer).toHaveStatus(400)
    }
  })
})
