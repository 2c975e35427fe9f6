import fc from 'fast-check'
import {
  attemptAtAnyTotal,
  claimRefused,
  offerAmong,
  type ParkACheck,
  type ParkAOffer,
} from '../../fixtures/check/v1/index.ts'
import { addDays, assume, describe, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-park-a')

/** Confirms an offer for another day, at whatever the total is there. */
const attemptOn = ({ v1, arrange }: ParkACheck, offer: ParkAOffer, date: string) =>
  attemptAtAnyTotal(
    total_amount =>
      v1.parkA.confirm({
        ...arrange.anyBody(offer),
        date,
        total_amount,
        external_reference: arrange.reference(),
      }),
    offer.total,
  )

const UNSOLD_DAYS = [
  'V1-PARK-A-CONFIRM-DATE-PAST',
  'V1-PARK-A-CONFIRM-EVENT-DATE',
  'V1-PARK-A-CONFIRM-VALIDITY',
] as const

const endOf = ({ productData: { family } }: ParkAOffer) => family.adult?.valid_to

/** A ticket, and a day on which it is not sold: so many days past, after its event, or after its validity. */
async function unsoldDay(
  context: ParkACheck,
  { clause, days, today }: { clause: (typeof UNSOLD_DAYS)[number]; days: number; today: string },
): Promise<{ offer: ParkAOffer; date: string }> {
  if (clause === 'V1-PARK-A-CONFIRM-DATE-PAST') {
    // Yesterday may still be today somewhere.
    return { offer: await context.arrange.offer(), date: addDays(today, -1 - days) }
  }
  if (clause === 'V1-PARK-A-CONFIRM-EVENT-DATE') {
    const offer = await offerAmong(context, {
      what: 'a special event that is on sale',
      suits: ({ eventDate }) => eventDate !== undefined,
    })
    return { offer, date: addDays(offer.date, days) }
  }
  const offer = await offerAmong(context, {
    what: 'a theme park ticket with an end of its validity',
    suits: ({ eventDate, adult }) => eventDate === undefined && typeof adult?.valid_to === 'string',
  })
  const end = endOf(offer)
  assume(typeof end === 'string', 'a ticket with an end of its validity')
  return { offer, date: addDays(end, days) }
}

describe('the date of an order of operator A', () => {
  test('is not past', { tags: ['V1-PARK-A-CONFIRM-DATE-PAST'] }, async context => {
    const { arrange, act, now } = context
    const offer = await arrange.offer()
    const today = new Date(now(await arrange.actor())).toISOString().slice(0, 10)
    // Yesterday may still be today somewhere; and any one day may be refused for being sold out.
    for (const days of [2, 3, 4]) {
      claimRefused(context, 'V1-PARK-A-CONFIRM-DATE-PAST', {
        tried: `Confirming a ticket for a day that was over ${days - 1} days ago`,
        answer: await attemptOn(context, offer, addDays(today, -days)),
      })
    }
    await act.booked('the same for a later day', { body: arrange.body(offer) })
  })

  test('is the one of a special event', {
    tags: ['V1-PARK-A-CONFIRM-EVENT-DATE', 'V1-PARK-A-ERR-EVENT-DATE'],
  }, async context => {
    const { arrange, act, expect } = context
    const suits = ({ eventDate }: { eventDate?: string }) => eventDate !== undefined
    const offer = await offerAmong(context, { what: 'a special event that is on sale', suits })
    const answer = await attemptOn(context, offer, addDays(offer.date, -1))
    claimRefused(context, 'V1-PARK-A-CONFIRM-EVENT-DATE', {
      tried: 'Confirming a ticket of an event for the day before it',
      answer,
    })
    expect(answer, 'V1-PARK-A-ERR-EVENT-DATE').toRefuseAsStated()
    await act.booked('the same for the day of the event', { body: arrange.body(offer) })
  })

  test('lies in the validity of the product', {
    tags: ['V1-PARK-A-CONFIRM-VALIDITY', 'V1-PARK-A-ERR-VALIDITY'],
  }, async context => {
    const { arrange, act, expect } = context
    const endOf = ({ adult }: ParkAOffer['productData']['family']) => adult?.valid_to
    const offer = await offerAmong(context, {
      what: 'a theme park ticket with an end of its validity',
      suits: family => family.eventDate === undefined && typeof endOf(family) === 'string',
    })
    const end = endOf(offer.productData.family)
    assume(typeof end === 'string', 'a ticket with an end of its validity')
    const answer = await attemptOn(context, offer, addDays(end, 5))
    claimRefused(context, 'V1-PARK-A-CONFIRM-VALIDITY', {
      tried: `Confirming a ticket that is valid until ${end} for ${addDays(end, 5)}`,
      answer,
    })
    expect(answer, 'V1-PARK-A-ERR-VALIDITY').toRefuseAsStated()
    await act.booked('the same for a day of its validity', { body: arrange.body(offer) })
  })

  test('is none on which the ticket is not sold, near or far', {
    tags: ['V1-PARK-A-CONFIRM-DATE-PAST', 'V1-PARK-A-CONFIRM-EVENT-DATE', 'V1-PARK-A-CONFIRM-VALIDITY'],
  }, async context => {
    const { arrange, act, holds, now } = context
    const today = new Date(now(await arrange.actor())).toISOString().slice(0, 10)
    await holds(
      fc.record({
        clause: fc.constantFrom(...UNSOLD_DAYS),
        days: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 120 })),
      }),
      async ({ clause, days }) => {
        const { offer, date } = await unsoldDay(context, { clause, days, today })
        claimRefused(context, clause, {
          tried: `Confirming a ticket that is sold for ${offer.date} for ${date}, on ${today}`,
          answer: await attemptOn(context, offer, date),
        })
      },
      {
        runs: 8,
        live: 3,
        examples: [
          { clause: 'V1-PARK-A-CONFIRM-VALIDITY', days: 1 },
          { clause: 'V1-PARK-A-CONFIRM-EVENT-DATE', days: 1 },
          { clause: 'V1-PARK-A-CONFIRM-DATE-PAST', days: 90 },
          { clause: 'V1-PARK-A-CONFIRM-EVENT-DATE', days: 10 },
        ],
      },
    )
    await act.booked('a day on which it is sold')
  })
})
