import { claimKeyRefused, expectReplay } from '../../fixtures/check/buying/index.ts'
import { errorCode } from '../../fixtures/contracts/index.ts'
import { assume, describe, EVERY_KIND, testFor } from '../../fixtures/test.ts'

const test = testFor(...EVERY_KIND)

/**
 * Seconds after which a repeat must be a replay: when a running request would be abandoned, and near the end of the hour
 * that a client may wait for its booking. The document states no lifetime of keys, so none is repeated later.
 */
const LATER = [16, 59].map(minutes => minutes * 60)

describe('Idempotency-Key: what happens after its first request', () => {
  test('a booking is replayed when a request that still ran would be abandoned, and within the hour', {
    tags: ['V2-IDEM-REPLAY-SAME-BOOKING', 'V2-IDEM-REPLAY-STATUS', 'V2-IDEM-REPLAY-FLAG'],
  }, async context => {
    const { v2, arrange, control } = context
    const actor = await arrange.actor()
    const { key, body, exchange } = await arrange.booking()
    let passed = 0
    for (const seconds of LATER) {
      await control.advanceClock(actor, seconds - passed)
      passed = seconds
      await expectReplay(context, await v2.book({ key, body }), exchange)
    }
  })

  test('another offer is refused although the booking of the key was cancelled', {
    tags: ['V2-IDEM-REUSED-OFFER'],
  }, async context => {
    const { v2, act, arrange } = context
    const first = await arrange.booking()
    const other = (await arrange.offers(2)).find(({ offerId }) => offerId !== first.offers[0]!.offerId)
    await act.cancelled(first)
    const reused = await v2.book({ key: first.key, body: arrange.anyBody([other!]) })
    await claimKeyRefused(context, 'V2-IDEM-REUSED-OFFER', { what: 'offer', first, reused })
  })

  test('PRICE_CHANGED leaves the key free for the offer at the new price', {
    tags: ['V2-IDEM-4XX-FREES'],
  }, async ({ v2, act, arrange, control, expect }) => {
    const actor = await arrange.actor()
    let key = ''
    const { answer } = await act.book({
      async body() {
        key = arrange.key()
        const offer = await arrange.offer()
        await control.changePrice(actor, offer.productId, 3)
        const refused = await v2.book({ key, body: arrange.anyBody([offer]) })
        assume(errorCode(refused) === 'PRICE_CHANGED', 'an offer whose price has moved')
        return arrange.body(await arrange.offer())
      },
      key: () => key,
    })
    expect(answer).toHaveStatus(201, 202)
    expect(answer).not.toBeFlagged('idempotent_replay')
  })
})
