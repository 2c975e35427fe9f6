import fc from 'fast-check'
import { untilSupplierAnswers } from '../../fixtures/check/buying/until-judged.ts'
import type { Offer } from '../../fixtures/check/products/product-adapter.ts'
import { isTicketExcuse, sharedOffer } from '../../fixtures/checkers/v2-tickets/tickets.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import { addDays, assume, describe, type ProductCheck, test } from '../../fixtures/test.ts'

/** More products than are worth asking for when none of the first is on sale. */
const TRIES = 4

/** The tickets of the check's operator, and how they are asked for. */
async function ticketsOnSale({ arrange }: ProductCheck<'parkA' | 'parkB'>) {
  const adapter = arrange.adapter
  const products = await adapter.products(await arrange.actor())
  return { adapter, products: arrange.trafficIsFree ? products : products.slice(0, TRIES) }
}

interface Asked {
  answer: Exchange
  offers: readonly Offer[]
}

interface Missing {
  day: string
  answers: readonly Exchange[]
}

/** Number of times that a day has to be missing. */
const MISSED = 2

/**
 * Tells whether a day is missing among others: a market may sell it out, and have it again, at any time, so it has to
 * be missing beside answers that show it, more than once and in turns.
 */
async function missed(
  day: string,
  { alone, among }: { alone(): Promise<Asked>; among(): Promise<Asked> },
): Promise<Missing[]> {
  const has = ({ offers }: Asked) => datesOf(offers).has(day)
  const answers: Exchange[] = []
  for (let time = 1; time <= MISSED; time++) {
    const [shown, others, still] = [await alone(), await among(), await alone()]
    if (!has(shown) || has(others) || !has(still)) return []
    answers.push(shown.answer, others.answer)
  }
  return [{ day, answers }]
}

const datesOf = (offers: readonly Offer[]) => new Set(offers.map(({ date }) => date))

describe('POST /api/v2/tickets/availability', () => {
  test('each product and day has an offer of its own, and may be kept for five minutes', {
    tags: [
      'V2-TICKET-AVAILABILITY-OFFERS',
      'CACHE-V2-TICKET-AVAILABILITY',
      'FORMAT-V2-KEYS-TICKETS',
      'FORMAT-V2-AMOUNT-TICKETS',
      'FORMAT-V2-CURRENCY-TICKETS',
      'FORMAT-V2-TIMESTAMP-TICKETS',
    ],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { v2, arrange, expect, claim } = context
    const { adapter, products } = await ticketsOnSale(context)
    const from = adapter.day()
    const offers: Offer[] = []
    for (const product of products) {
      const [first, last] = [product.days?.from ?? from, product.days?.to ?? addDays(from, 2)]
      const answer = await untilSupplierAnswers(
        () => v2.ticketAvailability(adapter.ask(product, first, last)),
        'availability of tickets',
      )
      // What a request looks like is open: one that never worked may be the kit's own fault.
      if (offers.length === 0) assume.accepted(answer, 'availability of tickets')
      if (isTicketExcuse(answer)) continue
      expect(answer).toHaveStatus(200)
      offers.push(...adapter.read(answer, product))
    }
    // Without any offer this says that nothing is on sale, which is none of the clause's business.
    if (offers.length === 0) await arrange.offer()
    assume(offers.length > 1, 'two offers of tickets in what was asked for')
    const [one, other] = sharedOffer(offers) ?? []
    claim('V2-TICKET-AVAILABILITY-OFFERS', one === undefined, {
      tried: 'Asking for several products and days',
      expected: 'an offer_id of its own for each',
      observed: `one for ${named(one)} and for ${named(other)}`,
      exchanges: [...new Set([one, other].flatMap(offer => offer?.exchange ?? []))],
    })
  })

  test('a day that is on sale by itself is on sale within any stretch of days', {
    tags: ['V2-TICKET-AVAILABILITY-OFFERS'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { v2, expect, claim, holds } = context
    const { adapter, products } = await ticketsOnSale(context)
    const plain = products.filter(({ days }) => days === undefined)
    assume(plain.length > 0, 'a ticket that is sold on more than one day')
    await holds(
      fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 6 }) }),
      async ({ at, length }) => {
        const product = plain[at % plain.length]!
        const from = adapter.day()
        const days = Array.from({ length: length + 1 }, (_, day) => addDays(from, day))
        const to = days.at(-1)!
        const ask = async (first: string, last: string) => {
          const answer = await untilSupplierAnswers(
            () => v2.ticketAvailability(adapter.ask(product, first, last)),
            'availability of tickets',
          )
          return { answer, offers: adapter.read(answer, product) }
        }
        assume.accepted((await ask(from, from)).answer, 'availability of one day')
        const stretch = await ask(from, to)
        assume(!isTicketExcuse(stretch.answer), `availability of ${length + 1} days`)
        if (stretch.answer.response.status !== 200) expect(stretch.answer).toHaveStatus(200)
        const told = datesOf(stretch.offers)
        assume(!told.has(undefined), 'offers of tickets that tell their days')
        const missing: Missing[] = []
        for (const day of days.filter(date => !told.has(date))) {
          missing.push(...(await missed(day, { alone: () => ask(day, day), among: () => ask(from, to) })))
        }
        assume(missing.length > 0 || told.size > 0, 'a stretch of days on which tickets are on sale')
        claim('V2-TICKET-AVAILABILITY-OFFERS', missing.length === 0, {
          tried: `Asking for ${missing[0]?.day} by itself, and from ${from} to ${to}`,
          expected: 'an offer of that day in both answers',
          observed: 'one in the first alone',
          exchanges: missing.flatMap(({ answers }) => answers),
        })
      },
      { runs: 8, live: 1, examples: [{ at: 0, length: 2 }] },
    )
  })
})

const named = (offer: Offer | undefined) =>
  [offer?.productId, offer?.date, offer?.timeSlot].filter(part => part !== undefined).join(' ')
