import {
  GONE,
  itemsToRefuse,
  refusedInPart,
  soldOnce,
  soldOutCodes,
} from '../../fixtures/check/buying/index.ts'
import { assumeStock, assumeUnmoved } from '../../fixtures/check/control/index.ts'
import type { Offer } from '../../fixtures/check/products/index.ts'
import { errorCode } from '../../fixtures/contracts/index.ts'
import {
  assume,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  type Exchange,
  independently,
  test,
} from '../../fixtures/test.ts'

describe('an offer that cannot be had any more', () => {
  test('is expired when its rate is gone', {
    tags: ['V2-OFFER-GONE-CHECK', 'V2-OFFER-GONE-BOOK', 'V2-ERR-STATUS-OFFER-EXPIRED'],
    kinds: EVERY_SORT,
  }, async context => {
    const { act, arrange, control, expect } = context
    const actor = await arrange.actor()
    const goneAt = (step: 'check' | 'book') => async () => {
      const offer = await arrange.offer()
      await control.setOutcome(actor, step, { kind: 'expired' })
      return offer
    }
    await independently(
      async () => {
        const { answer: check, offer } = await act.check(goneAt('check'), { expecting: GONE })
        await assumeUnmoved(context, offer, check)
        expect(check, 'V2-OFFER-GONE-CHECK').toFailWith(...GONE)
      },
      async () => {
        const { answer: booking, offer } = await act.book({ offer: goneAt('book'), expecting: GONE })
        await assumeUnmoved(context, offer, booking)
        expect(booking, 'V2-OFFER-GONE-BOOK').toFailWith(...GONE)
        await act.booked('the same booking of a rate that is there', { body: arrange.body(offer) })
      },
    )
  })

  test('is expired where another item of its booking can be had', {
    tags: ['V2-OFFER-GONE-BOOK', 'V2-BOOK-REFUSED-NOTHING'],
    kinds: EVERY_KIND,
  }, async context => {
    const { v2, act, arrange, control, expect } = context
    control.require('expireOffers')
    const actor = await arrange.actor()
    /** Returns an offer that can be booked together with the given one. Rooms of one booking are of one stay. */
    const beside = async ({ date, productId }: Offer): Promise<Offer> => {
      if (arrange.kind !== 'hotels') return arrange.offer()
      const room = (await arrange.adapter.find(actor, { date })).find(one => one.productId === productId)
      assume(room !== undefined, 'a hotel that is found twice')
      return room
    }
    const items = arrange.kind === 'hotels' ? 2 : await itemsToRefuse(context)
    const {
      answer,
      sent,
      offer: gone,
    } = await act.book({
      async offer() {
        const offer = await arrange.offer()
        await control.expireOffers(actor)
        return offer
      },
      async body(gone) {
        const before = [await beside(gone)]
        if (items > 2) before.push(await beside(gone))
        return arrange.anyBody([...before, gone])
      },
      expecting: GONE,
    })
    assume.notPending(answer)
    if (answer.response.status < 300) {
      const alone = await v2.book({ key: arrange.key(), body: arrange.anyBody([gone]) })
      assume(alone.response.status >= 400, 'control after which a rate is gone')
    }
    // Whether separately found offers can be booked together is open.
    const isTold = GONE.some(code => code === errorCode(answer))
    assume(isTold || answer.response.status < 300, 'items of one booking, offered one after the other')
    expect(answer, 'V2-OFFER-GONE-BOOK').toFailWith(...GONE)
    const why = 'one cannot be had any more'
    // In either order.
    for (const refused of await refusedInPart(context, 'V2-BOOK-REFUSED-NOTHING', { body: sent, why })) {
      assume.notPending(refused)
      expect(refused, 'V2-OFFER-GONE-BOOK').not.toSucceed()
    }
    control.require('counters')
  })

  test('is expired, checked or booked, once control has taken its rate away', {
    tags: ['V2-OFFER-GONE-CHECK', 'V2-OFFER-GONE-BOOK'],
    // Hotel offers have separate clauses.
    kinds: ['transfers', 'parkA', 'parkB'],
  }, async context => {
    const { v2, act, arrange, control, expect } = context
    control.require('expireOffers')
    const actor = await arrange.actor()
    const goneNow = async () => {
      const offer = await arrange.offer()
      await control.expireOffers(actor)
      return offer
    }
    const { answer: check, offer: checked } = await act.check(goneNow, { expecting: GONE })
    await assumeUnmoved(context, checked, check)
    const second = check.response.status < 400 ? check : await v2.checkOffer(checked.offerId)
    const { answer: booking, offer: booked, key, sent } = await act.book({ offer: goneNow, expecting: GONE })
    await assumeUnmoved(context, booked, booking)
    // A repeat with the first key must be refused like the first attempt.
    const again = booking.response.status < 400 ? booking : await v2.book({ key, body: sent })
    // Control may support expiry for hotel offers only, without an error.
    assume(
      [check, booking].some(({ response }) => response.status >= 400),
      'control after which a rate is gone',
    )
    await independently(
      async () => expect(check, 'V2-OFFER-GONE-CHECK').toFailWith(...GONE),
      async () => expect(booking, 'V2-OFFER-GONE-BOOK').toFailWith(...GONE),
      async () => expect(again, 'V2-OFFER-GONE-BOOK').not.toSucceed(),
      async () => expect(second, 'V2-OFFER-GONE-CHECK').not.toSucceed(),
    )
    await act.booked('the booking of a new offer')
  })

  test('has no availability when nothing is left to sell', {
    tags: ['V2-NO-AVAILABILITY-CHECK', 'V2-NO-AVAILABILITY-BOOK', 'V2-ERR-STATUS-NO-AVAILABILITY'],
    kinds: EVERY_SORT,
  }, async context => {
    const { v2, act, arrange, control, expect } = context
    const actor = await arrange.actor()
    let offer: Offer | undefined
    const soldOut = async () => {
      if (offer !== undefined) await control.setStock(actor, offer.productId, 1)
      offer = await arrange.offer()
      await control.setStock(actor, offer.productId, 0)
      return offer
    }
    const assumeSoldOut = async ({ answer, offer }: { answer: Exchange; offer: Offer }) => {
      await assumeStock(context, offer, answer)
      // A sold-out product shows no price.
      await control.setStock(actor, offer.productId, 1)
      await assumeUnmoved(context, offer, answer)
      await control.setStock(actor, offer.productId, 0)
    }
    // Which endpoint reports it, and how, is not shown for the check.
    const checked = await act.check(soldOut, { expecting: GONE })
    await assumeSoldOut(checked)
    expect(checked.answer, 'V2-NO-AVAILABILITY-CHECK').toFailWith(...GONE)
    const codes = soldOutCodes(arrange.kind)
    const booked = await act.book({ offer: soldOut, expecting: codes })
    await assumeSoldOut(booked)
    expect(booked.answer, 'V2-NO-AVAILABILITY-BOOK').toFailWith(...codes)
    // Another attempt must be refused too.
    if (arrange.realIsFree) {
      const again = await v2.book({ key: arrange.key(), body: booked.sent })
      expect(again, 'V2-NO-AVAILABILITY-BOOK').not.toSucceed()
    }
    await control.setStock(actor, booked.offer.productId, 1)
    await act.booked('the same booking with one left', { body: arrange.body(booked.offer) })
  })

  test('is booked once where it is the only one left', {
    tags: ['V2-NO-AVAILABILITY-BOOK'],
    kinds: EVERY_KIND,
    forReal: false,
  }, async ({ arrange, control, claim }) => {
    assume(arrange.realIsFree, 'a deployment on which real bookings are free')
    const actor = await arrange.actor('live')
    const offer = await arrange.offer({ actor })
    await soldOnce({ claim }, 'V2-NO-AVAILABILITY-BOOK', {
      what: 'one',
      left: count => control.setStock(actor, offer.productId, count),
      buy: () => actor.v2.book({ key: arrange.key(), body: arrange.anyBody([offer]) }),
      // What is pending may yet fail.
      isSold: ({ response }) => response.status === 201,
    })
  })
})
