import { assumeCarried, type BookedOffer, CARRIED, claimCarried } from '../../fixtures/check/carried-offer.ts'
import type { JsonObject } from '../../fixtures/contracts/reading.ts'
import { addDays, describe, type ProductCheck, test } from '../../fixtures/test.ts'

/** More products than are worth asking for when none of the first is sold to families. */
const TRIES = 3

const FAMILY = { adult: 2, child: 1, infant: 0 }

/** A booking for adults and a child, where one can be had: what families are sold, and need, is not shown. */
async function familyBooking({ v2, arrange }: ProductCheck<'parkA' | 'parkB'>): Promise<BookedOffer[]> {
  const by = await arrange.actor()
  const adapter = arrange.adapter
  for (const product of (await adapter.products(by)).slice(0, TRIES)) {
    const from = product.days?.from ?? adapter.day()
    const to = product.days?.to ?? addDays(from, 1)
    const availability = await v2.ticketAvailability(adapter.ask(product, from, to, FAMILY))
    const [offer] = adapter.read(availability, product, FAMILY)
    if (offer === undefined) continue
    const body = arrange.anyBody([offer])
    const [{ travelers }] = body.items as [{ travelers: JsonObject[] }]
    const child = travelers.at(-1)!
    // Of an age at which everybody is a child.
    if ('birth_date' in child) child.birth_date = `${Number(from.slice(0, 4)) - 7}-01-15`
    const answer = await v2.book({ key: arrange.key(), body })
    if (answer.response.status === 201) return [{ offer, answer }]
  }
  return []
}

describe('what the offer of a ticket carries', () => {
  test('is what is booked: product, day, people and price, as far as they were told', {
    tags: CARRIED,
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { arrange, claim } = context
    const { exchange, offers } = await arrange.booking()
    const told = claimCarried(claim, { offer: offers[0]!, answer: exchange })
    for (const booked of await familyBooking(context)) claimCarried(claim, booked)
    assumeCarried(told, CARRIED)
  })
})
