import {
  assumeCarried,
  type BookedOffer,
  CARRIED,
  claimCarried,
  claimCurrentCarries,
  claimSlot,
  isMarketRefusal,
} from '../../fixtures/check/buying/index.ts'
import { assumeMoved } from '../../fixtures/check/control/index.ts'
import { type Offer, spread } from '../../fixtures/check/products/index.ts'
import { bookingOf, checkedOfferOf, errorCode, type JsonObject } from '../../fixtures/contracts/index.ts'
import { isUsableId } from '../../fixtures/service/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  independently,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/** The number of products tried for families. */
const TRIES = 3

/** Families, first with an infant: whether infants need a ticket is not shown. */
const FAMILIES = [
  { adult: 2, child: 1, infant: 1 },
  { adult: 2, child: 1, infant: 0 },
]

/** Makes bookings for adults, a child and an infant, if possible. What families are sold and need is not shown. */
async function familyBooking(context: ProductCheck<'parkA' | 'parkB'>): Promise<BookedOffer[]> {
  const { v2, act, arrange, expect } = context
  const by = await arrange.actor()
  const adapter = arrange.adapter
  for (const product of (await adapter.products(by)).slice(0, TRIES)) {
    const from = product.days?.from ?? adapter.day()
    const to = product.days?.to ?? addDays(from, 1)
    for (const family of FAMILIES) {
      const find = async () => {
        const availability = await v2.ticketAvailability(adapter.ask(product, from, to, family))
        return adapter.read(availability, product, family)[0]
      }
      const offer = await find()
      if (offer === undefined) continue
      const body = arrange.anyBody([offer])
      const exchange = await v2.checkOffer(offer.offerId)
      // A refusal may show an offer too, at another price.
      const checkedId = exchange.response.status < 300 ? checkedOfferOf(exchange)?.offer_id : undefined
      const isChecked = typeof checkedId === 'string'
      const booked: BookedOffer[] = []
      const answers: Exchange[] = []
      for (const one of isChecked ? [{ ...offer, offerId: checkedId, exchange }, offer] : [offer]) {
        const [item] = body.items as [JsonObject]
        item.offer_id = one.offerId
        const answer = await v2.book({ key: arrange.key(), body })
        answers.push(answer)
        if (answer.response.status !== 201) continue
        booked.push({ offer: one, answer })
        if (!arrange.trafficIsFree) break
      }
      if (booked.length > 0) return booked
      if (!answers.some(answer => errorCode(answer) === 'PRICE_CHANGED')) continue
      // Prices change, but hardly always and only for families.
      const { answer: check } = await act.check(async () => (await find()) ?? offer)
      if (errorCode(check) === 'PRICE_CHANGED') expect(check, 'V2-OFFER-CHECK-OK').toSucceed()
    }
  }
  return []
}

/** Returns several slots of a day. @throws Inconclusive if each day has only one */
async function slotsOfADay({ arrange }: ProductCheck<'parkA' | 'parkB'>): Promise<Offer[]> {
  const { adapter } = arrange
  const by = await arrange.actor()
  const products = await adapter.products(by)
  for (const product of arrange.trafficIsFree ? spread(products) : products.slice(0, TRIES)) {
    const day = product.days?.from ?? adapter.day()
    const offers = await adapter.between(by, product, day, product.days?.to ?? addDays(day, 1))
    const days = Map.groupBy(offers, ({ date }) => date).values()
    for (const slots of days) {
      if (new Set(slots.map(({ timeSlot }) => timeSlot)).size > 1) return slots
    }
  }
  assume(false, 'a ticket that is sold for several slots of a day')
}

const laterSlot = async (context: ProductCheck<'parkA' | 'parkB'>): Promise<Offer> =>
  (await slotsOfADay(context)).at(-1)!

/** Returns the checked offer of a later slot. */
async function checkedSlot(context: ProductCheck<'parkA' | 'parkB'>): Promise<Offer> {
  const slot = await laterSlot(context)
  const { answer: exchange } = await context.act.checked('a checked offer of a later slot', slot)
  const { offer_id: offerId, time_slot: shown } = checkedOfferOf(exchange) ?? {}
  assume(typeof offerId === 'string', 'a checked offer that shows its offer_id')
  const checked = { ...slot, offerId, exchange }
  // An offer that has lost its slot may not be bookable, so it is judged now.
  if (shown !== undefined) claimSlot(context.claim, { offer: checked, answer: exchange })
  return checked
}

describe('what the offer of a ticket carries', () => {
  test('is what is booked: product, day, people and price, as far as they were told', {
    tags: CARRIED,
    opportunistic: ['V2-OFFER-CHECK-OK'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { arrange, claim } = context
    const { exchange, offers } = await arrange.booking()
    const told = claimCarried(claim, { offer: offers[0]!, answer: exchange })
    for (const booked of await familyBooking(context)) claimCarried(claim, booked)
    assumeCarried(told, CARRIED)
  })

  test('is good at its price for a later slot as well, and stays so', {
    tags: ['V2-OFFER-CHECK-OK'],
    opportunistic: ['V2-OFFER-CHECK-ORIGINAL-BOOKABLE'],
    kinds: ['parkB'],
  }, async context => {
    const { act, arrange, expect } = context
    const { answer: check } = await act.check(() => laterSlot(context))
    expect(check, 'V2-OFFER-CHECK-OK').toSucceed()
    if (!arrange.trafficIsFree) return
    const { answer } = await act.book({
      async offer() {
        const slot = await laterSlot(context)
        await act.checked('a checked offer of a later slot', slot)
        return slot
      },
      beside: async () => arrange.anyBody([await laterSlot(context)]),
    })
    expect(answer, 'V2-OFFER-CHECK-ORIGINAL-BOOKABLE').toHaveStatus(201, 202)
  })

  test('is told of and not sold once its price has moved, to a family and for a later slot as well', {
    tags: ['V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-BOOK'],
    opportunistic: [...CARRIED, 'V2-OFFER-CARRIES-TIME'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { act, arrange, control, expect } = context
    control.require('changePrice')
    const by = await arrange.actor()
    const expecting = ['PRICE_CHANGED']
    const ofFamily = () => arrange.offer({ pax: { adult: 2, child: 1, infant: 0 } })
    const ofSlot = () => laterSlot(context)
    const finds = arrange.kind === 'parkA' ? [ofFamily] : [ofFamily, ofSlot]
    await independently(
      ...finds.flatMap(find => {
        const moved = async () => {
          const offer = await find()
          await control.changePrice(by, offer.productId, 4)
          return offer
        }
        return [
          async () => {
            const { answer, offer } = await act.check(moved, { expecting })
            await assumeMoved(context, offer, answer)
            expect(answer, 'V2-OFFER-PRICE-CHECK').toFailWith('PRICE_CHANGED')
            await claimCurrentCarries(context, offer, answer)
          },
          async () => {
            const { answer, offer } = await act.book({ offer: moved, expecting })
            await assumeMoved(context, offer, answer)
            expect(answer, 'V2-OFFER-PRICE-BOOK').toFailWith('PRICE_CHANGED')
          },
        ]
      }),
    )
  })

  test('is booked for the slot that was offered, a later one as well', {
    tags: ['V2-OFFER-CARRIES-TIME', 'V2-OFFER-CHECK-CHECKED-BOOKABLE', 'V2-IDEM-REPLAY-SAME-BOOKING'],
    opportunistic: CARRIED,
    // Only operator B's tickets show slots.
    kinds: ['parkB'],
  }, async context => {
    const { act, arrange, expect, claim } = context
    const { answer, offer, key, sent } = await act.book({
      offer: () => checkedSlot(context),
      body: offer => arrange.anyBody([offer]),
      beside: async () => arrange.anyBody([await laterSlot(context)]),
    })
    // Its other requirements are open.
    if (!isMarketRefusal(answer)) assume.accepted(answer, 'a booking of a later slot')
    expect(answer, 'V2-OFFER-CHECK-CHECKED-BOOKABLE').toHaveStatus(201, 202)
    assume.notPending(answer)
    claimSlot(claim, { offer, answer })
    claimCarried(claim, { offer, answer })
    const { v2 } = context
    expect(await v2.book({ key, body: sent }), 'V2-IDEM-REPLAY-SAME-BOOKING').toBeTheBookingOf(answer)
    const id = bookingOf(answer)?.booking_id
    if (!arrange.trafficIsFree || !isUsableId(id)) return
    // At every read, also after other bookings.
    for (let read = 1; read <= 3; read++) claimSlot(claim, { offer, answer: await v2.booking(id) })
    // Two slots of one booking must not be confused.
    const slots = await slotsOfADay(context)
    await context.v2.book({ key: arrange.key(), body: arrange.anyBody([slots[0]!, slots.at(-1)!]) })
  })
})
