import fc from 'fast-check'
import {
  attemptAtAnyTotal,
  claimRefused,
  offerAmong,
  type ParkACheck,
  type ParkAOffer,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
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

/** How a refusal for such a day reads, where the document says so. */
const WORDS: Partial<Record<(typeof UNSOLD_DAYS)[number], ClauseId>> = {
  'V1-PARK-A-CONFIRM-EVENT-DATE': 'V1-PARK-A-ERR-EVENT-DATE',
  'V1-PARK-A-CONFIRM-VALIDITY': 'V1-PARK-A-ERR-VALIDITY',
}

const endOf = ({ productData: { family } }: ParkAOffer) => family.adult?.valid_to

/** A ticket, and a day on which it is not sold: so many days past, from its event, or after its validity. */
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
  test('is none on which the ticket is not sold, near or far', {
    tags: [...UNSOLD_DAYS, 'V1-PARK-A-ERR-EVENT-DATE', 'V1-PARK-A-ERR-VALIDITY'],
  }, async context => {
    const { arrange, act, expect, holds, now } = context
    const today = new Date(now(await arrange.actor())).toISOString().slice(0, 10)
    const sold = new Set<string>()
    await holds(
      fc.record({
        clause: fc.constantFrom(...UNSOLD_DAYS),
        days: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 120 })),
      }),
      async ({ clause, days }) => {
        const { offer, date } = await unsoldDay(context, { clause, days, today })
        const answer = await attemptOn(context, offer, date)
        const tried = `Confirming a ticket that is sold for ${offer.date} for ${date}, on ${today}`
        claimRefused(context, clause, { tried, answer })
        const words = WORDS[clause]
        if (words !== undefined) expect(answer, words).toRefuseAsStated()
        if (sold.has(clause)) return
        await act.booked('the same for a day on which it is sold', { body: arrange.body(offer) })
        sold.add(clause)
      },
      {
        runs: 12,
        live: 6,
        examples: [
          { clause: 'V1-PARK-A-CONFIRM-VALIDITY', days: 1 },
          { clause: 'V1-PARK-A-CONFIRM-EVENT-DATE', days: -1 },
          // Any one day may be refused for being sold out.
          { clause: 'V1-PARK-A-CONFIRM-DATE-PAST', days: 1 },
          { clause: 'V1-PARK-A-CONFIRM-DATE-PAST', days: 2 },
          { clause: 'V1-PARK-A-CONFIRM-EVENT-DATE', days: 1 },
          { clause: 'V1-PARK-A-CONFIRM-DATE-PAST', days: 90 },
          { clause: 'V1-PARK-A-CONFIRM-EVENT-DATE', days: 10 },
          { clause: 'V1-PARK-A-CONFIRM-VALIDITY', days: 5 },
        ],
      },
    )
  })
})
