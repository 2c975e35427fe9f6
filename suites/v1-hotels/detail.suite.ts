import { repeatsOf } from '../../fixtures/check/buying/index.ts'
import { describe, test } from '../../fixtures/test.ts'

/** Seconds: past the days on which the kit books. */
const PAST = 200 * 86_400

describe('GET /api/v1/hotel/distribution/bookingDetail', () => {
  test('a booking that was made is shown as confirmed', {
    tags: ['V1-HOTEL-STATE-CONFIRMED', 'V1-HOTEL-DETAIL-STATUS', 'TEST-MODE-V1-HOTEL-DETAIL'],
    opportunistic: ['V1-HOTEL-DETAIL-LIVE-MODE'],
    kinds: ['v1-hotels'],
  }, async ({ arrange, act, control }) => {
    for (const role of ['standard', ...(control.offers('mint') ? (['live'] as const) : [])] as const) {
      const actor = await arrange.actor(role)
      const order = await arrange.order({ actor })
      for (let time = 1; time <= (arrange.trafficIsFree ? repeatsOf(arrange) : 1); time++) {
        await act.read(order, actor)
      }
      if (!control.offers('mint') || !control.offers('advanceClock')) continue
      // How long a past stay is shown is open; its status must be one of the document.
      await control.advanceClock(actor, PAST)
      await act.read(order, actor)
      await actor.v1.hotels.number({ id_orden: order.id })
    }
  })

  test('a request without an id is refused', {
    tags: ['V1-HOTEL-DETAIL-ID-REQUIRED', 'V1-HOTEL-HCN-ID-REQUIRED'],
    kinds: ['v1-hotels'],
  }, async ({ v1, arrange, act, expect }) => {
    const order = await arrange.order()
    for (const query of [{}, { id_orden: 'first' }]) {
      expect(await v1.hotels.booking(query), 'V1-HOTEL-DETAIL-ID-REQUIRED').toBeRefused()
      expect(await v1.hotels.number(query), 'V1-HOTEL-HCN-ID-REQUIRED').toBeRefused()
    }
    expect(await act.read(order), 'V1-HOTEL-DETAIL-ID-REQUIRED').toSucceed()
    expect(await v1.hotels.number({ id_orden: order.id }), 'V1-HOTEL-HCN-ID-REQUIRED').toSucceed()
  })
})
