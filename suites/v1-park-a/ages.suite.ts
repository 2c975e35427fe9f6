import fc from 'fast-check'
import { v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  assumeSoldTo,
  claimRefused,
  createGroups,
  isRefusedOrder,
  offerForGroupOfA,
  type ParkACheck,
  type ParkAOffer,
  type V1People,
  withPassenger,
} from '../../fixtures/check/v1/index.ts'
import { addDays, assume, describe, independently, outcomeOf, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

type Type = 'adult' | 'child'

/** Excludes birthdays in doubt: the day before the visit, and the days that a leap year shifts. */
const isPlain = ({ date }: ParkAOffer) => !/-02-2[789]$|-03-0[12]$/.test(date)

/** Finds an offer that these people can visit. */
async function offerFor(context: ParkACheck, people: V1People): Promise<ParkAOffer> {
  for (let time = 1; time <= 5; time++) {
    const offer = await offerForGroupOfA(context, people)
    if (isPlain(offer)) return offer
  }
  assume(false, 'a day on which no birthday is in doubt')
}

/** Returns the birth date of a person of that age on a day, whose birthday is `later` days after it. */
const bornFor = (visit: string, years: number, later: number): string => {
  const on = addDays(visit, later)
  return `${Number(on.slice(0, 4)) - years}${on.slice(4)}`
}

/** A person in a group. `place` is the index within the type, from 0, modulo their number. */
interface Somebody {
  people: V1People
  type: Type
  place: number
}

/** Returns a single adult, or the child of one. */
const alone = (type: Type): Somebody => ({
  people: type === 'adult' ? ADULT : ADULT_AND_CHILD,
  type,
  place: 0,
})

/** Returns the index of somebody among the passengers. */
const placeIn = ({ people, type, place }: Somebody): number =>
  type === 'adult' ? place % people.adults : people.adults + (place % people.children)

/** Confirms for a group in which one person has an age relative to the visit date. */
const confirm = async (
  context: ParkACheck,
  somebody: Somebody,
  born: (visit: string) => string,
  expecting?: readonly string[],
) => {
  const { people } = somebody
  const { answer } = await context.act.book({
    offer: () => offerFor(context, people),
    body: offer =>
      withPassenger(context.arrange.anyBody(offer), placeIn(somebody), { birthdate: born(offer.date) }),
    ...(expecting && { expecting }),
    beside: async () => context.arrange.anyBody(await offerFor(context, people)),
  })
  return answer
}

/** @throws Inconclusive if nothing is sold to such a group, whoever is in it */
const assumeSold = (context: ParkACheck, people: V1People) =>
  assumeSoldTo(context, people, async () => context.arrange.anyBody(await offerFor(context, people)))

/**
 * For each clause: the type, the birthday in question, whether the person has had it, whether the type is right, and other
 * ages for the same result.
 */
const RULES = [
  { clause: 'V1-PARK-A-AGE-ADULT-FROM', type: 'adult', birthday: 10, had: true, fits: true, like: [10, 99] },
  { clause: 'V1-PARK-A-AGE-ADULT-BELOW', type: 'adult', birthday: 10, had: false, fits: false, like: [3, 9] },
  { clause: 'V1-PARK-A-AGE-ADULT-BELOW', type: 'adult', birthday: 3, had: true, fits: false, like: [3, 9] },
  {
    clause: 'V1-PARK-A-AGE-CHILD-ABOVE',
    type: 'child',
    birthday: 10,
    had: true,
    fits: false,
    like: [10, 99],
  },
  { clause: 'V1-PARK-A-AGE-CHILD-TO', type: 'child', birthday: 10, had: false, fits: true, like: [4, 9] },
  { clause: 'V1-PARK-A-AGE-CHILD-FROM', type: 'child', birthday: 3, had: true, fits: true, like: [3, 3] },
  // A person born after the visit is not a child of 3 to 9 either.
  { clause: 'V1-PARK-A-AGE-CHILD-BELOW', type: 'child', birthday: 3, had: false, fits: false, like: [-1, 2] },
] as const

/** The most years between two birthdays on 29 February that are not eight. */
const LEAP = 4

/** Returns the last 29 February on which a person of at least that age on the visit can be born. */
function bornInLeapYear(visit: string, youngest: number): string {
  const latest = Number(visit.slice(0, 4)) - youngest - 1
  return `${latest - (latest % 4)}-02-29`
}

/** Generates a person of a group by age, and by the days between birthday and visit. */
const somebodyOf = (type: Type, [youngest, oldest]: readonly [number, number]) =>
  fc
    .record({
      age: fc.integer({ min: youngest, max: oldest }),
      days: fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: 359 })),
      people: fc.record({ adults: fc.integer({ min: 0, max: 3 }), children: fc.integer({ min: 0, max: 3 }) }),
      place: fc.nat({ max: 2 }),
      leap: fc.constant(false),
    })
    .map(({ people: { adults, children }, ...one }) => ({
      ...one,
      type,
      people:
        type === 'child'
          ? { adults, children: Math.max(1, children) }
          : { adults: Math.max(1, adults), children },
    }))

const FAMILY: V1People = { adults: 2, children: 2 }

describe('the age of a passenger of operator A', () => {
  test('is measured on the visit date, not on the day of the confirmation', {
    tags: ['V1-PARK-A-AGE-ON-VISIT'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const today = new Date((await arrange.actor()).now()).toISOString().slice(0, 10)
    const turningTen = (visit: string) => {
      const days = (Date.parse(visit) - Date.parse(today)) / 86_400_000
      assume(days >= 6, 'a visit some days ahead')
      return bornFor(visit, 10, -Math.floor(days / 2))
    }
    await independently(
      async () => expect(await confirm(context, alone('adult'), turningTen)).toSucceed(),
      async () =>
        claimRefused(context, 'V1-PARK-A-AGE-ON-VISIT', {
          tried: 'Confirming a child ticket for somebody who turns 10 before the visit',
          answer: await confirm(context, alone('child'), turningTen, ['Age mismatch']),
        }),
    )
  })

  for (const { clause, type, birthday, had, fits, like } of RULES) {
    // Persons under 3 have no type, so the document gives no words for them.
    const words = !fits && (birthday === 10 || had)
    const bound = had ? birthday : birthday - 1
    const [youngest, oldest] = like
    test(`of ${bound} ${fits ? 'counts' : 'does not count'} as ${type === 'adult' ? 'an adult' : 'a child'}, for every passenger of a group`, {
      tags: words ? [clause, 'V1-PARK-A-ERR-AGE'] : [clause],
      kinds,
    }, async context => {
      const { act, expect, holds } = context
      if (!fits) await act.booked('an adult')
      const inGroups = createGroups()
      await holds(
        somebodyOf(type, like),
        inGroups(async ({ age, days, leap, ...somebody }) => {
          const { people } = somebody
          const born = (visit: string) => {
            if (leap) return bornInLeapYear(visit, youngest)
            const birthdate = bornFor(visit, had ? age : age + 1, had ? -days : days + 1)
            assume(!/-02-29$|-03-01$/.test(birthdate), 'a birthday that occurs every year (not 29 February)')
            return birthdate
          }
          const answer = await confirm(context, somebody, born, fits ? undefined : ['Age mismatch'])
          const whose = `pax[${placeIn(somebody)}].birthdate`
          const tried = `Confirming for ${people.adults} adults and ${people.children} children, one of whom comes as ${type} and is ${leap ? 'born on 29 February' : age}, by ${whose}`
          if (fits) {
            if (isRefusedOrder(answer)) await assumeSold(context, people)
            const observed = outcomeOf(answer)
            expect.claim(clause, !isRefusedOrder(answer), { tried, expected: 'an order', observed, answer })
            return
          }
          claimRefused(context, clause, { tried, answer })
          if (!words) return
          if (!v1ErrorsOf(answer).includes('Age mismatch')) await assumeSold(context, people)
          expect(answer, 'V1-PARK-A-ERR-AGE').toRefuseAsStated()
        }),
        {
          runs: 8,
          live: 1,
          examples: [
            { ...alone(type), days: 0, age: bound },
            { type, days: 0, people: FAMILY, place: 1, age: bound },
            // With and without persons of the other type, and last in the list. Each group buys from another family.
            {
              type,
              days: 1,
              people: { adults: 0, children: 0, [type === 'adult' ? 'adults' : 'children']: 2 },
              place: 1,
              age: bound,
            },
            // Ages far from the limit, and birthdays on 29 February.
            ...(oldest === 99 ? [16, 30, 90] : [youngest, oldest].filter(age => age !== bound)).map(age => ({
              ...alone(type),
              days: 100,
              age,
            })),
            ...(fits && oldest - youngest > LEAP
              ? [{ ...alone(type), days: 0, age: bound, leap: true }]
              : []),
            // With few cases, the birthday itself is one of them.
          ].slice(0, context.arrange.trafficIsFree ? undefined : 2),
        },
      )
    })
  }
})
