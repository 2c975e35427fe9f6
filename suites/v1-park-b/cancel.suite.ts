import { describe, test } from '../../fixtures/test.ts'

describe('POST /api/v1/parkB/ticketCancelation', () => {
  test('an order of the account is cancelled', {
    tags: ['V1-PARK-B-CANCEL-SUCCESS'],
    kinds: ['v1-park-b'],
  }, async ({ arrange, act, expect }) => {
    const order = await arrange.order()
    expect(await act.cancel(order)).toShow('success', true)
  })
})
