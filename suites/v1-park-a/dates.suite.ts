import fc from 'fast-check'
import {
  ADULT,
  ADULT_AND_CHILD,
  assumeDaysAsBefore,
  assumeStatedOrSoldTo,
  attemptAtAnyTotal,
  claimRefused,
  offerAmong,
  offerForGroupOfA,
  type ParkACheck,
  type ParkAOffer,
  type V1Family,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { addDays, describe, orOrdinary, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

/** Confirms an offer for another day, with any total that may be valid there. */
const attemptOn = ({ v1, arrange }: ParkACheck, offer: ParkAOffer, date: string) =>
  attemptAtAnyTotal(
    total_amount =>
      v1.parkA.confirm({
        // Everybody is as old as it takes on that day.
        ...arrange.anyBody({ ...offer, date }),
        total_amount,
        external_reference: arrange.reference(),
      }),
    offer.total,
  )

/** Days on which a ticket is not sold, the documented words of the refusal, and days that are always tried. */
const UNSOLD_DAYS = [
  // Several days, since any single one may be refused as sold out.
  { clause: 'V1-PARK-A-CONFIRM-DATE-PAST', examples: [1, 2, 93, 4, 5] },
  { clause: 'V1-PARK-A-CONFIRM-EVENT-DATE', words: 'V1-PARK-A-ERR-EVENT-DATE', examples: [-1, 1, 2, 10] },
  { clause: 'V1-PARK-A-CONFIRM-VALIDITY', words: 'V1-PARK-A-ERR-VALIDITY', examples: [1, -1, 2, 5] },
] as const satisfies readonly { clause: ClauseId; words?: ClauseId; examples: readonly number[] }[]
type Unsold = (typeof UNSOLD_DAYS)[number]['clause']

/** Groups that order for a day on which nothing is sold. For a past day, each is of another family. */
const GROUPS = [
  ADULT,
  ADULT_AND_CHILD,
  { adults: 0, children: 1 },
  { adults: 2, children: 1 },
  { adults: 2, children: 0 },
]

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Returns a ticket and a day on which it is not sold: in the past, not on its event's day, or outside its validity. */
async function unsoldDay(
  context: ParkACheck,
  { clause, days, today }: { clause: Unsold; days: number; today: string },
): Promise<{ offer: ParkAOffer; date: string }> {
  const people = GROUPS[Math.abs(days) % GROUPS.length]!
  if (clause === 'V1-PARK-A-CONFIRM-DATE-PAST')
    // Yesterday may still be today in some time zones.
    return { offer: await offerForGroupOfA(context, people), date: addDays(today, -1 - days) }
  /** Finds a ticket for the group, or for an adult if no such ticket has a child fare. */
  const among = (what: string, suits: (family: V1Family) => boolean) =>
    orOrdinary(
      () => offerAmong(context, { what, suits, people }),
      () => offerAmong(context, { what, suits }),
    )
  if (clause === 'V1-PARK-A-CONFIRM-EVENT-DATE') {
    const offer = await among('a special event that is on sale', ({ eventDate }) => eventDate !== undefined)
    return { offer, date: addDays(offer.date, days) }
  }
  const tomorrow = addDays(today, 1)
  /** Returns the end (or beginning) of a validity, if it is in the future. */
  const limitOf = (family: V1Family, isBefore: boolean) => {
    const [from, to] = [family.adult?.valid_from, family.adult?.valid_to].map(textIn)
    if (!isBefore) return to
    return from !== undefined && from > tomorrow ? from : undefined
  }
  const offerWith = (isBefore: boolean) => async () => {
    const suits = (one: V1Family) => one.eventDate === undefined && limitOf(one, isBefore) !== undefined
    const what = `a theme park ticket whose validity ${isBefore ? 'begins later' : 'has an end'}`
    const offer = await among(what, suits)
    return {
      offer,
      date: addDays(limitOf(offer.productData.family, isBefore)!, isBefore ? days : Math.abs(days)),
    }
  }
  return days < 0 ? orOrdinary(offerWith(true), offerWith(false)) : offerWith(false)()
}

describe('the date of an order of operator A', () => {
  for (const { clause, examples, ...refusal } of UNSOLD_DAYS) {
    const words = 'words' in refusal ? [refusal.words] : []
    test(`must be one on which the ticket is sold, near or far (${clause})`, {
      tags: [clause, ...words],
      kinds,
    }, async context => {
      const { arrange, act, expect, holds } = context
      const today = new Date((await arrange.actor()).now()).toISOString().slice(0, 10)
      let sold: ParkAOffer | undefined
      await holds(
        fc.integer({ min: 1, max: 120 }),
        async days => {
          const { offer, date } = await unsoldDay(context, { clause, days, today })
          const answer = await attemptOn(context, offer, date)
          const { adult, child } = offer.productData.family
          if (succeeded(answer) && clause !== 'V1-PARK-A-CONFIRM-DATE-PAST')
            await assumeDaysAsBefore(await arrange.actor(), arrange.adapter, (adult ?? child)!)
          const tried = `Confirming a ticket that is sold for ${offer.date} for ${date}, on ${today}`
          claimRefused(context, clause, { tried, answer })
          sold = offer
          for (const stated of words) {
            const asked = { clause: stated, answer, people: offer.people }
            await assumeStatedOrSoldTo(context, asked, async () => arrange.body(offer))
            expect(answer, stated).toRefuseAsStated()
          }
        },
        { runs: 5, live: 2, examples },
      )
      if (sold !== undefined)
        await act.booked('the same for a day on which it is sold', { body: arrange.body(sold) })
    })
  }
})
