import { v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  assumeSoldTo,
  attempt,
  bodyListing,
  claimRefused,
  clauseOf,
  countOf,
  createGroups,
  mislisted,
  PARKS,
  type ParkCheck,
  ticketsFor,
  type V1OfferOf,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { assume, describe, independently, test } from '../../fixtures/test.ts'

const said = ({ adults, children }: V1People) => `${adults} adults and ${children} children`

/** Error strings about operator B's passenger list. */
const OF_LISTS = ['Pax count mismatch', 'Invalid pax entry']

const A_CHILD: V1People = { adults: 0, children: 1 }

/** Invalid numbers of people, and the passengers listed with them. */
const FEWER = [
  ['CONFIRM-ADULTS-NEGATIVE', { adults: -1, children: 2 }, A_CHILD],
  ['CONFIRM-CHILDREN-NEGATIVE', { adults: 2, children: -1 }, ADULT],
] as const
const PARTS = [
  ['CONFIRM-ADULTS-INTEGER', { adults: 1.5, children: 1 }],
  ['CONFIRM-ADULTS-INTEGER', { adults: 2.5, children: 0 }],
  ['CONFIRM-CHILDREN-INTEGER', { adults: 1, children: 1.5 }],
] as const
/** Together they exceed the total of an operator A order. */
const MORE: readonly V1People[] = [
  { adults: 51, children: 0 },
  { adults: 80, children: 1 },
  { adults: 1, children: 51 },
  { adults: 0, children: 51 },
]

/** Returns the clause about too many people of one type. */
const mostOf = (product: (typeof PARKS)[number], { adults }: V1People): ClauseId => {
  if (product === 'v1-park-a') return 'V1-PARK-A-CONFIRM-EACH-MOST'
  return adults > 50 ? 'V1-PARK-B-CONFIRM-ADULTS-MOST' : 'V1-PARK-B-CONFIRM-CHILDREN-MOST'
}

// Separate checks for each operator, so that each also runs with live credentials.
for (const product of PARKS) {
  const kinds = [product]
  const refused = async (
    check: ParkCheck,
    clause: ClauseId,
    people: V1People,
    {
      listed = people,
      group = ADULT_AND_CHILD,
      charged = people,
    }: Partial<Record<'listed' | 'group' | 'charged', V1People>> = {},
  ) =>
    claimRefused(check, clause, {
      tried: `Confirming tickets for ${said(people)}, of whom ${said(listed)} are listed`,
      answer: await attempt(check, async () =>
        bodyListing(check, await ticketsFor(check, group), people, { listed, charged }),
      ),
    })

  describe(`the number of tickets of an order (${product})`, () => {
    test('cannot be zero in total', {
      tags: [clauseOf(product, 'CONFIRM-TICKETS-LEAST')],
      kinds,
    }, async check => {
      await check.act.booked('the same for one adult')
      const nobody = { adults: 0, children: 0 }
      await refused(check, clauseOf(product, 'CONFIRM-TICKETS-LEAST'), nobody, { group: ADULT })
    })

    test('cannot be negative for adults or children', {
      tags: FEWER.map(([rest]) => clauseOf(product, rest)) as [ClauseId, ...ClauseId[]],
      kinds,
      forReal: false,
    }, async check => {
      await check.act.booked('the same for one adult')
      await independently(
        ...FEWER.map(
          ([rest, people, listed]) =>
            () =>
              refused(check, clauseOf(product, rest), people, { listed }),
        ),
      )
    })

    test('cannot be a fraction, even at the price of a fraction', {
      tags: PARTS.map(([rest]) => clauseOf(product, rest)) as [ClauseId, ...ClauseId[]],
      kinds,
      forReal: false,
    }, async check => {
      assume(check.arrange.trafficIsFree, 'a deployment on which requests are free')
      await check.act.booked('whole tickets')
      // With as many passengers as the number is rounded to, down or up, at its own price and at theirs.
      for (const [rest, people] of PARTS)
        for (const round of [Math.floor, Math.ceil]) {
          const listed = { adults: round(people.adults), children: round(people.children) }
          const charged = round === Math.floor ? listed : people
          const group = people.children === 0 ? ADULT : ADULT_AND_CHILD
          await refused(check, clauseOf(product, rest), people, { listed, charged, group })
        }
    })

    test('is limited to 50 adults and 50 children', {
      tags: [...new Set(MORE.map(people => mostOf(product, people)))] as [ClauseId, ...ClauseId[]],
      kinds,
    }, async check => {
      await check.act.booked('the same for one adult')
      await independently(
        ...MORE.map(people => () => {
          const group = { adults: Math.min(people.adults, 1), children: Math.min(people.children, 1) }
          return refused(check, mostOf(product, people), people, { group })
        }),
      )
    })
  })

  describe(`the passengers of an order of tickets (${product})`, () => {
    test('match its number of tickets in any group, and by type where the type is stated', {
      tags: [
        clauseOf(product, 'CONFIRM-PAX-COUNT'),
        product === 'v1-park-a' ? 'V1-PARK-A-CONFIRM-PAX-TYPES' : 'V1-PARK-B-ERR-PAX',
      ],
      kinds,
    }, async check => {
      const { arrange, act, expect, holds } = check
      const inGroups = createGroups()
      const isCounted = ({ people, listed }: Record<'people' | 'listed', V1People>) =>
        product === 'v1-park-a' || countOf(people) !== countOf(listed)
      // Refused orders sell nothing, so one offer serves every list for the same people.
      const found = new Map<string, V1OfferOf<(typeof PARKS)[number]>>()
      await holds(
        mislisted.filter(isCounted),
        inGroups(async ({ people, listed }) => {
          let offer = found.get(said(people))
          const answer = await attempt(check, async () => {
            const own = offer ?? (await ticketsFor(check, people))
            found.set(said(people), own)
            offer = undefined
            return { ...arrange.anyBody(own), pax: arrange.anyBody({ ...own, people: listed }).pax }
          })
          const isOfTypes = countOf(listed) === countOf(people)
          const clause = isOfTypes ? 'V1-PARK-A-CONFIRM-PAX-TYPES' : clauseOf(product, 'CONFIRM-PAX-COUNT')
          const tried = `Confirming tickets for ${said(people)} with ${said(listed)} as passengers`
          claimRefused(check, clause, { tried, answer })
          if (product === 'v1-park-a') return
          if (!v1ErrorsOf(answer).some(error => OF_LISTS.includes(error)))
            await assumeSoldTo(check, people, async () => arrange.anyBody(await ticketsFor(check, people)))
          expect(answer, 'V1-PARK-B-ERR-PAX').toRefuseAsStated()
        }),
        {
          ...(product === 'v1-park-a' ? { runs: 18, live: 4 } : { runs: 11, live: 2 }),
          examples: [
            { people: ADULT, listed: { adults: 2, children: 0 } },
            { people: ADULT, listed: { adults: 0, children: 0 } },
            { people: ADULT_AND_CHILD, listed: { adults: 2, children: 0 } },
            { people: ADULT_AND_CHILD, listed: { adults: 0, children: 2 } },
            { people: ADULT_AND_CHILD, listed: ADULT },
            { people: { adults: 1, children: 2 }, listed: ADULT },
            // Both types occur, and the total is right.
            { people: { adults: 2, children: 1 }, listed: { adults: 1, children: 2 } },
            { people: { adults: 3, children: 1 }, listed: { adults: 3, children: 0 } },
            { people: { adults: 3, children: 1 }, listed: { adults: 3, children: 2 } },
            { people: { adults: 2, children: 2 }, listed: { adults: 3, children: 2 } },
            // Adults only, and children only.
            { people: { adults: 2, children: 0 }, listed: ADULT },
            { people: { adults: 2, children: 0 }, listed: ADULT_AND_CHILD },
            { people: { adults: 0, children: 2 }, listed: A_CHILD },
            { people: A_CHILD, listed: { adults: 0, children: 2 } },
          ].filter(isCounted),
        },
      )
      for (const people of arrange.drawn(
        [
          { adults: 3, children: 0 },
          { adults: 2, children: 1 },
        ],
        1,
      ))
        await act.booked(`tickets for ${said(people)} with all their passengers`, {
          offer: () => ticketsFor(check, people),
        })
    })
  })
}
