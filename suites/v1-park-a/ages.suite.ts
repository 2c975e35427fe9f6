import fc from 'fast-check'
import { independently } from '../../fixtures/check/independently.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  hasChildFare,
  offerAmong,
  type ParkACheck,
  type ParkAOffer,
} from '../../fixtures/check/v1/park-a-orders.ts'
import { claimRefused } from '../../fixtures/check/v1/refusals.ts'
import type { JsonObject } from '../../fixtures/contracts/reading.ts'
import { addDays, assume, describe, test } from '../../fixtures/test.ts'

type Type = 'adult' | 'child'

/** Who is born on the day before, and when a year of 366 days shifts birthdays, is left out. */
const isPlain = ({ date }: ParkAOffer) => !/-02-2[789]$|-03-0[12]$/.test(date)

/** Finds something that an adult, or an adult with a child, can visit. */
async function offerFor(context: ParkACheck, type: Type): Promise<ParkAOffer> {
  const people = type === 'adult' ? ADULT : ADULT_AND_CHILD
  const suits = type === 'adult' ? () => true : hasChildFare
  const what = type === 'adult' ? 'a ticket for adults' : 'a ticket with a child fare'
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

/** A confirmation whose last passenger is of that type, and was born then. */
function bodyWith({ arrange }: ParkACheck, offer: ParkAOffer, birthdate: string): JsonObject {
  const body = arrange.anyBody(offer)
  const pax = body.pax as JsonObject[]
  return { ...body, pax: pax.map((one, at) => (at === pax.length - 1 ? { ...one, birthdate } : one)) }
}

/** Confirms for somebody of that type, who is so many years old on the visit date, or later. */
const confirm = (
  context: ParkACheck,
  type: Type,
  born: (visit: string) => string,
  expecting?: readonly string[],
) =>
  context.act.confirm({
    async body() {
      const offer = await offerFor(context, type)
      return bodyWith(context, offer, born(offer.date))
    },
    ...(expecting && { expecting }),
  })

describe('the age of a passenger of operator A', () => {
  for (const [what, type, clause, born] of [
    ['10 on the visit date is an adult', 'adult', 'V1-PARK-A-AGE-ADULT-FROM', visit => bornFor(visit, 10)],
    ['9 on the visit date is a child', 'child', 'V1-PARK-A-AGE-CHILD-TO', visit => bornFor(visit, 10, 1)],
    ['3 on the visit date is a child', 'child', 'V1-PARK-A-AGE-CHILD-FROM', visit => bornFor(visit, 3)],
  ] as const satisfies readonly (readonly [string, Type, string, (visit: string) => string])[]) {
    test(`somebody of ${what}`, { tags: [clause], kinds: ['v1-park-a'] }, async context => {
      context.expect(await confirm(context, type, born)).toSucceed()
    })
  }

  test('that does not fit the type on the visit date is refused', {
    tags: [
      'V1-PARK-A-AGE-ADULT-BELOW',
      'V1-PARK-A-AGE-CHILD-ABOVE',
      'V1-PARK-A-AGE-CHILD-BELOW',
      'V1-PARK-A-ERR-AGE',
    ],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, expect } = context
    await act.confirmed('an adult', { body: arrange.body(await arrange.offer()) })
    const refused = async (
      clause: 'V1-PARK-A-AGE-ADULT-BELOW' | 'V1-PARK-A-AGE-CHILD-ABOVE',
      type: Type,
      born: (visit: string) => string,
    ) => {
      const answer = await confirm(context, type, born, ['Age mismatch'])
      claimRefused(context, clause, { tried: `Confirming a ticket for a ${type} of another age`, answer })
      expect(answer, 'V1-PARK-A-ERR-AGE').toHaveStatus(400)
      expect(answer, 'V1-PARK-A-ERR-AGE').toSay('Age mismatch')
    }
    await independently(
      () => refused('V1-PARK-A-AGE-ADULT-BELOW', 'adult', visit => bornFor(visit, 10, 1)),
      () => refused('V1-PARK-A-AGE-CHILD-ABOVE', 'child', visit => bornFor(visit, 10)),
      // Who is under 3 has no type, so no words are given for that.
      async () => {
        const answer = await confirm(context, 'child', visit => bornFor(visit, 3, 1), ['Age mismatch'])
        claimRefused(context, 'V1-PARK-A-AGE-CHILD-BELOW', {
          tried: 'Confirming a child ticket for somebody under 3',
          answer,
        })
      },
    )
  })

  test('is that of the visit date, not of the day of the confirmation', {
    tags: ['V1-PARK-A-AGE-ON-VISIT'],
    kinds: ['v1-park-a'],
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
        expect(await confirm(context, 'adult', turningTen)).toSucceed()
      },
      async () => {
        claimRefused(context, 'V1-PARK-A-AGE-ON-VISIT', {
          tried: 'Confirming a child ticket for somebody who turns 10 before the visit',
          answer: await confirm(context, 'child', turningTen, ['Age mismatch']),
        })
      },
    )
  })

  test('decides whether a passenger is accepted, whatever the birthday', {
    tags: [
      'V1-PARK-A-AGE-CHILD-TO',
      'V1-PARK-A-AGE-CHILD-ABOVE',
      'V1-PARK-A-AGE-ADULT-FROM',
      'V1-PARK-A-AGE-ADULT-BELOW',
    ],
    kinds: ['v1-park-a'],
  }, async context => {
    const { expect, holds } = context
    const cases = fc.record({
      type: fc.constantFrom<Type>('adult', 'child'),
      age: fc.integer({ min: 3, max: 17 }),
      days: fc.integer({ min: 0, max: 360 }),
    })
    await holds(
      cases,
      async ({ type, age, days }) => {
        const fits = (type === 'adult') === age >= 10
        const born = (visit: string) => {
          const birthdate = bornFor(visit, age, -days)
          assume(!/-02-29$|-03-01$/.test(birthdate), 'a birthday that is every year')
          return birthdate
        }
        const answer = await confirm(context, type, born, fits ? undefined : ['Age mismatch'])
        if (!fits) {
          const clause = type === 'adult' ? 'V1-PARK-A-AGE-ADULT-BELOW' : 'V1-PARK-A-AGE-CHILD-ABOVE'
          const tried = `Confirming a ticket for a${type === 'adult' ? 'n adult' : ' child'} who is ${age}`
          claimRefused(context, clause, { tried, answer })
        } else if (type === 'adult') expect(answer, 'V1-PARK-A-AGE-ADULT-FROM').toSucceed()
        else expect(answer, 'V1-PARK-A-AGE-CHILD-TO').toSucceed()
      },
      { runs: 12, live: 2 },
    )
  })
})
