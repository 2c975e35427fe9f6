import { independently } from '../../fixtures/check/independently.ts'
import {
  ADULT_AND_CHILD,
  attempt,
  claimAccepted,
  offerWithChild,
  type ParkACheck,
} from '../../fixtures/check/v1/park-a-orders.ts'
import { claimRefused } from '../../fixtures/check/v1/refusals.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { JsonObject } from '../../fixtures/contracts/reading.ts'
import { describe, test } from '../../fixtures/test.ts'

const paxOf = (body: JsonObject): JsonObject[] => body.pax as JsonObject[]

/** The same request with something else about its first passenger. */
const withFirst = (body: JsonObject, change: JsonObject): JsonObject => ({
  ...body,
  pax: paxOf(body).map((passenger, at) => (at === 0 ? { ...passenger, ...change } : passenger)),
})

type Wrong = readonly [clause: ClauseId, how: string, alter: (body: JsonObject) => JsonObject]

const FIELDS: readonly Wrong[] = [
  ['V1-PARK-A-PAX-NAME', 'a passenger without name', body => withFirst(body, { name: undefined })],
  ['V1-PARK-A-PAX-SURNAME', 'a passenger without surname', body => withFirst(body, { surname: undefined })],
  ['V1-PARK-A-PAX-TYPE', 'a passenger without type', body => withFirst(body, { type: undefined })],
  ['V1-PARK-A-PAX-TYPE-VALUES', 'a passenger of type senior', body => withFirst(body, { type: 'senior' })],
  [
    'V1-PARK-A-PAX-BIRTHDATE',
    'a passenger without birthdate',
    body => withFirst(body, { birthdate: undefined }),
  ],
  [
    'V1-PARK-A-PAX-NATIONALITY',
    'a passenger without nationality',
    body => withFirst(body, { nationality: undefined }),
  ],
]

const FORMS: readonly Wrong[] = [
  '1990/01/15',
  '15-01-1990',
  '19900115',
  '1990-01-15T00:00:00Z',
  '1990-1-15',
].map(birthdate => [
  'FORMAT-V1-DATE-REFUSED-PARK-A-BIRTHDATE',
  `a passenger born on ${birthdate}`,
  body => withFirst(body, { birthdate }),
])

const LISTS: readonly Wrong[] = [
  [
    'V1-PARK-A-CONFIRM-PAX-COUNT',
    'a passenger too many',
    body => ({ ...body, pax: [...paxOf(body), paxOf(body)[0]] }),
  ],
  ['V1-PARK-A-CONFIRM-PAX-COUNT', 'no passengers', body => ({ ...body, pax: [] })],
  ['FORMAT-V1-KEYS-CASE-PARK-A', 'Pax in place of pax', ({ pax, ...body }) => ({ ...body, Pax: pax })],
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
      'FORMAT-V1-KEYS-CASE-PARK-A',
    ],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act } = context
    const offer = await arrange.offer()
    await act.confirmed('an order with all of that', { body: arrange.body(offer) })
    await refuse(context, arrange.anyBody(offer), [...FIELDS, ...FORMS, ...LISTS])
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

  test('need no phone', {
    tags: ['V1-PARK-A-PAX-PHONE-OPTIONAL'],
    kinds: ['v1-park-a'],
  }, async ({ arrange, act, expect }) => {
    const answer = await act.confirm({
      body: async () => withFirst(arrange.anyBody(await arrange.offer()), { phone: undefined }),
    })
    expect(answer).toSucceed()
  })

  test('need no email', { tags: ['V1-PARK-A-PAX-NO-EMAIL'], kinds: ['v1-park-a'] }, async context => {
    const { arrange } = context
    await claimAccepted(context, 'V1-PARK-A-PAX-NO-EMAIL', 'Confirming a ticket without email', async () => {
      const tested = arrange.anyBody(await arrange.offer())
      return { tested, beside: withFirst({ ...tested, email: EMAIL }, { email: EMAIL }) }
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
        body: async () => withFirst(arrange.anyBody(await arrange.offer()), { nationality }),
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
      const answer = await attempt(context, withFirst(arrange.anyBody(offer), { nationality }))
      expect(answer).toHaveStatus(400)
    }
  })
})
