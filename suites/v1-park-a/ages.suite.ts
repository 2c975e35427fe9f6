import fc from 'fast-check'
import { v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  assumeSoldTo,
  claimRefused,
  createGroups,
  hasChildFare,
  isRefusedOrder,
  offerAmong,
  type ParkACheck,
  type ParkAOffer,
  type V1People,
  withPassenger,
} from '../../fixtures/check/v1/index.ts'
import { addDays, assume, describe, independently, outcomeOf, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-park-a')

type Type = 'adult' | 'child'

/** Who is born on the day before, and when a year of 366 days shifts birthdays, is left out. */
const isPlain = ({ date }: ParkAOffer) => !/-02-2[789]$|-03-0[12]$/.test(date)

/** Finds something that these people can visit. */
async function offerFor(context: ParkACheck, people: V1People): Promise<ParkAOffer> {
  const suits = people.children === 0 ? () => true : hasChildFare
  const what = people.children === 0 ? 'a ticket for adults' : 'a ticket with a child fare'
  for (let time = 1; time <= 5; time++) {
    const offer = await offerAmong(context, { what, suits, people })
    if (isPlain(offer)) return offer
  }
  assume(false, 'a day on which no birthday is in doubt')
}

/** The birthday of whoever is so many years old on a day, and will be a year older so many days later. */
const bornFor = (visit: string, years: number, later = 0): string => {
  const on = addDays(visit, later)
  return `${Number(on.slice(0, 4)) - years}${on.slice(4)}`
}

/** One of a group: `place` counts within the type, from 0, and past the last one starts again. */
interface Somebody {
  people: V1People
  type: Type
  place: number
}

/** An adult alone, or the child of one. */
const alone = (type: Type): Somebody => ({
  people: type === 'adult' ? ADULT : ADULT_AND_CHILD,
  type,
  place: 0,
})

/** Confirms for a group, one of whom is so many years old on the visit date, or later. */
const confirm = async (
  context: ParkACheck,
  { people, type, place }: Somebody,
  born: (visit: string) => string,
  expecting?: readonly string[],
) => {
  const { answer } = await context.act.book({
    offer: () => offerFor(context, people),
    body(offer) {
      const at = type === 'adult' ? place % people.adults : people.adults + (place % people.children)
      return withPassenger(context.arrange.anyBody(offer), at, { birthdate: born(offer.date) })
    },
    ...(expecting && { expecting }),
    beside: async () => context.arrange.anyBody(await offerFor(context, people)),
  })
  return answer
}

/** @throws Inconclusive where such a group is sold nothing, whoever is in it */
const assumeSold = (context: ParkACheck, people: V1People) =>
  assumeSoldTo(context, people, async () => context.arrange.anyBody(await offerFor(context, people)))

/** Somebody whose third or tenth birthday was so many days before the visit; is so many after it, where that is negative. */
interface Anybody extends Somebody {
  birthday: 3 | 10
  days: number
}

const anybody: fc.Arbitrary<Anybody> = fc
  .record({
    type: fc.constantFrom<Type>('adult', 'child'),
    birthday: fc.constantFrom<3 | 10>(3, 10),
    days: fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -360, max: 360 })),
    people: fc.record({ adults: fc.integer({ min: 1, max: 3 }), children: fc.integer({ min: 0, max: 3 }) }),
    place: fc.nat({ max: 2 }),
  })
  .map(one =>
    one.type === 'child' && one.people.children === 0
      ? { ...one, people: { ...one.people, children: 1 } }
      : one,
  )

const FAMILY: V1People = { adults: 2, children: 2 }

/** Each side of each birthday, of somebody who is the only one of the type, and of somebody who is not the first. */
const CORNERS: readonly Anybody[] = (
  [
    ['adult', 10, -1],
    ['child', 10, 0],
    ['child', 3, -1],
    ['adult', 10, 0],
    ['child', 3, 0],
    ['child', 10, -1],
  ] as const
).flatMap(([type, birthday, days]) => [
  { ...alone(type), birthday, days },
  { type, birthday, days, people: FAMILY, place: 1 },
])

/** Whether somebody of that age may come as that type, and the clause that says so. */
function ruleFor(type: Type, age: number) {
  if (type === 'adult') {
    return age < 10
      ? ({ fits: false, clause: 'V1-PARK-A-AGE-ADULT-BELOW' } as const)
      : ({ fits: true, clause: 'V1-PARK-A-AGE-ADULT-FROM' } as const)
  }
  if (age < 3) return { fits: false, clause: 'V1-PARK-A-AGE-CHILD-BELOW' } as const
  if (age >= 10) return { fits: false, clause: 'V1-PARK-A-AGE-CHILD-ABOVE' } as const
  const clause = age === 3 ? 'V1-PARK-A-AGE-CHILD-FROM' : 'V1-PARK-A-AGE-CHILD-TO'
  return { fits: true, clause } as const
}

describe('the age of a passenger of operator A', () => {
  test('is that of the visit date, not of the day of the confirmation', {
    tags: ['V1-PARK-A-AGE-ON-VISIT'],
  }, async context => {
    const { arrange, expect, now } = context
    const today = new Date(now(await arrange.actor())).toISOString().slice(0, 10)
    const turningTen = (visit: string) => {
      const days = (Date.parse(visit) - Date.parse(today)) / 86_400_000
      assume(days >= 6, 'a visit some days ahead')
      return bornFor(visit, 10, -Math.floor(days / 2))
    }
    await independently(
      async () => {
        expect(await confirm(context, alone('adult'), turningTen)).toSucceed()
      },
      async () => {
        claimRefused(context, 'V1-PARK-A-AGE-ON-VISIT', {
          tried: 'Confirming a child ticket for somebody who turns 10 before the visit',
          answer: await confirm(context, alone('child'), turningTen, ['Age mismatch']),
        })
      },
    )
  })

  test('decides whether each of a group is accepted, around the birthdays that count', {
    tags: [
      'V1-PARK-A-AGE-CHILD-FROM',
      'V1-PARK-A-AGE-CHILD-TO',
      'V1-PARK-A-AGE-CHILD-BELOW',
      'V1-PARK-A-AGE-CHILD-ABOVE',
      'V1-PARK-A-AGE-ADULT-FROM',
      'V1-PARK-A-AGE-ADULT-BELOW',
      'V1-PARK-A-ERR-AGE',
    ],
  }, async context => {
    const { act, claim, expect, holds } = context
    await act.booked('an adult')
    const inGroups = createGroups()
    await holds(
      anybody,
      inGroups(async ({ birthday, days, ...somebody }) => {
        const age = days < 0 ? birthday - 1 : birthday
        const { fits, clause } = ruleFor(somebody.type, age)
        const born = (visit: string) => {
          const birthdate = bornFor(visit, birthday, -days)
          assume(!/-02-29$|-03-01$/.test(birthdate), 'a birthday that is every year')
          return birthdate
        }
        const answer = await confirm(context, somebody, born, fits ? undefined : ['Age mismatch'])
        const { people, type } = somebody
        const tried = `Confirming tickets for ${people.adults} adults and ${people.children} children, one of whom comes as ${type} and is ${age}`
        if (!fits) {
          claimRefused(context, clause, { tried, answer })
          // Who is under 3 has no type, so no words are given for that.
          if (age < 3) return
          if (!v1ErrorsOf(answer).includes('Age mismatch')) await assumeSold(context, people)
          expect(answer, 'V1-PARK-A-ERR-AGE').toRefuseAsStated()
        } else {
          if (isRefusedOrder(answer)) await assumeSold(context, people)
          claim(clause, !isRefusedOrder(answer), {
            tried,
            expected: 'an order',
            observed: outcomeOf(answer),
            exchanges: [answer],
          })
        }
      }),
      { runs: 20, live: 8, examples: CORNERS },
    )
  })
})
