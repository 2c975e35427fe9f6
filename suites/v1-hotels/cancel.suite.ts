import { UNKNOWN_ID } from '../../fixtures/check/buying/index.ts'
import { describe, test } from '../../fixtures/test.ts'

describe('POST /api/v1/hotel/distribution/bookingCancelation', () => {
  test('a cancellation without an id is refused', {
    tags: ['V1-HOTEL-CANCEL-ID-REQUIRED'],
    kinds: ['v1-hotels'],
  }, async ({ v1, arrange, act, expect }) => {
    const order = await arrange.order()
    // A fraction must not be rounded to another booking's id.
    for (const body of [{}, { id_orden: 'first' }, { id_orden: UNKNOWN_ID + 0.5 }])
      expect(await v1.hotels.cancel(body), 'V1-HOTEL-CANCEL-ID-REQUIRED').toBeRefused()
    await act.cancelled(order)
  })
})
