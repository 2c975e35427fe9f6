import { AWAY, claimNoneMore, isAway, soldOutCodes } from '../../fixtures/check/buying/index.ts'
import { assumeUnmoved } from '../../fixtures/check/control/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { assume, describe, EVERY_KIND, EVERY_SORT, orOrdinary, testFor } from '../../fixtures/test.ts'

const test = testFor(...EVERY_SORT)

describe('Idempotency-Key: after a refusal', () => {
  test('a 4xx leaves the key free for another body', {
    tags: ['V2-IDEM-4XX-FREES'],
  }, async ({ v2, act, arrange, expect }) => {
    // A refusal because of its form, and one because of its offer: different code may free the key.
    const wrong = [undefined, 'no-offer-that-anyone-has-issued']
    const turn = EVERY_KIND.indexOf(arrange.kind) % wrong.length
    for (const offer_id of arrange.trafficIsFree ? wrong : [wrong[turn]]) {
      const offer = await arrange.offer()
      const key = arrange.key()
      const spoiled = arrange.anyBody([offer])
      Object.assign((spoiled.items as JsonObject[])[0]!, { offer_id })
      assume.refused(await v2.book({ key, body: spoiled }), 'a booking without an offer')
      const { answer } = await act.book({ key, body: arrange.body(offer) })
      expect(answer).toHaveStatus(201, 202)
      expect(answer).not.toReplayRefused()
    }
  })

  for (const [kind, clause] of [
    ['price', 'V2-IDEM-4XX-FREES'],
    ['refused', 'V2-IDEM-4XX-FREES'],
    ['expired', 'V2-IDEM-4XX-FREES'],
    ['providerError', 'V2-IDEM-5XX-FREES'],
    ['providerUnavailable', 'V2-IDEM-5XX-FREES'],
  ] as const) {
    test(`an offer that is refused leaves the key free for another one (${kind})`, {
      tags: [clause, 'V2-BOOK-REFUSED-NOTHING'],
    }, async ({ v2, act, arrange, control, expect, claim }) => {
      control.require(kind === 'price' ? 'changePrice' : 'setOutcome')
      const actor = await arrange.actor()
      const key = arrange.key()
      const together = (items: number) => () => arrange.offersTogether(items)
      const isOfTwo = arrange.trafficIsFree && kind === 'providerError'
      const offers = await orOrdinary(together(isOfTwo ? 2 : 1), together(1))
      if (kind === 'price') await control.changePrice(actor, offers[0].productId, 5)
      else await control.setOutcome(actor, 'book', { kind })
      const before = await control.counted(actor)
      const refusal = await v2.book({ key, body: arrange.anyBody(offers) })
      if (kind.startsWith('provider')) assume(isAway(refusal), 'a booking whose supplier fails')
      else assume.refused(refusal, 'a booking that is refused')
      const after = await control.counted(actor)
      const isCounted = before !== undefined && after !== undefined
      const tried = 'Booking what is refused'
      claimNoneMore({ claim }, 'V2-BOOK-REFUSED-NOTHING', { tried, before, after, answer: refusal })
      const { answer } = await act.book({ key, body: async () => arrange.body(await arrange.offer()) })
      expect(answer, clause).toHaveStatus(201, 202)
      expect(answer, clause).not.toReplayRefused()
      assume(isCounted, `control that counts bookings of ${arrange.kind}`)
    })
  }

  for (const kind of ['refused', 'expired'] as const) {
    test(`a repeat of what a 4xx refused is a new attempt, where its source says ${kind}`, {
      tags: ['V2-IDEM-4XX-FREES-SAME-BODY'],
    }, async ({ act, arrange, control, expect }) => {
      const actor = await arrange.actor()
      let key = ''
      let sent: JsonObject = {}
      const { answer } = await act.book({
        async body() {
          const refused = await act.book({
            async body() {
              key = arrange.key()
              const body = arrange.body(await arrange.offer())
              await control.setOutcome(actor, 'book', { kind })
              return body
            },
            key: () => key,
            expecting: [...soldOutCodes(arrange.kind), 'OFFER_EXPIRED'],
          })
          assume.refused(refused.answer, 'a booking that its source refuses')
          sent = refused.sent
          return sent
        },
        key: () => key,
        // An unavailable offer may stay unavailable. Only an unused key distinguishes that from a stored refusal.
        beside: async () => sent,
        settled: true,
      })
      expect(answer).toHaveStatus(201)
      expect(answer).not.toReplayRefused()
    })
  }

  for (const [kind, code, clause] of [
    ['providerError', 'PROVIDER_ERROR', 'V2-PROVIDER-ERROR'],
    ['providerUnavailable', 'PROVIDER_UNAVAILABLE', 'V2-PROVIDER-UNAVAILABLE'],
  ] as const) {
    test(`${code} books nothing and leaves the key free`, {
      tags: [clause, 'V2-PROVIDER-NOTHING-BOOKED', 'V2-PROVIDER-RETRY', 'V2-IDEM-5XX-FREES'],
    }, async context => {
      const { act, arrange, control, expect, claim } = context
      const actor = await arrange.actor()
      let key = ''
      let isCounted = false
      /** Returns a request that has just failed. */
      const failing = async () => {
        // A market that changes the price never asks the source, so every attempt has a new offer and key.
        const failingNow = async () => {
          key = arrange.key()
          const offer = await arrange.offer()
          await control.setOutcome(actor, 'book', { kind })
          // The test of control may have made a booking before.
          return { offer, before: await control.counted(actor) }
        }
        const {
          answer: failed,
          sent: body,
          offer: { offer, before },
        } = await act.book({
          key: () => key,
          offer: failingNow,
          body: ({ offer }) => arrange.body(offer),
          // Which failure has which code is not shown.
          expecting: AWAY,
        })
        await assumeUnmoved(context, offer, failed)
        expect(failed, clause).toFailWith(...AWAY)
        expect(failed, clause).not.toHoldBooking()
        const after = await control.counted(actor)
        // A deployment may report no count for a company without bookings.
        const had = before ?? (after === 1 ? 0 : undefined)
        if (had === undefined || after === undefined) return body
        isCounted = true
        const counted = { tried: `A booking answered with ${code}`, before: had, after, answer: failed }
        claimNoneMore({ claim }, 'V2-PROVIDER-NOTHING-BOOKED', counted)
        return body
      }
      const { answer: retried } = await act.book({ body: failing, key: () => key })
      expect(retried, 'V2-IDEM-5XX-FREES').not.toFailWith('BOOKING_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED')
      expect(retried, 'V2-PROVIDER-RETRY').toHaveStatus(201, 202)
      expect(retried, 'V2-IDEM-5XX-FREES').not.toReplayRefused()
      assume(isCounted, `control that counts bookings of ${arrange.kind}`)
    })
  }
})
