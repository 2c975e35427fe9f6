import { describe, test } from '../../fixtures/test.ts'

describe('POST /api/v1/hotel/distribution/bookingCancelation', () => {
  test('a test booking that was cancelled is read as cancelled', {
    tags: ['V1-HOTEL-STATE-CANCELLED-TEST'],
    kinds: ['v1-hotels'],
  }, async ({ arrange, act, expect }) => {
    await arrange.testCredential()
    const booking = await arrange.order()
    await act.cancelled(booking)
    expect(await act.read(booking)).toShow('booking.status', 'cancelled')
  })
})
