import { describe, test } from '../../fixtures/test.ts'

describe('POST /api/v1/parkA/ticketCancelation', () => {
  test('an order of the account is cancelled', {
    tags: ['V1-PARK-A-CANCEL-SUCCESS'],
    kinds: ['v1-park-a'],
  }, async ({ arrange, act, expect }) => {
    const order = await arrange.order()
    expect(await act.cancel(order)).toShow('success', true)
  })
})
