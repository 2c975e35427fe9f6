import { describe, test } from '../../fixtures/test.ts'

describe('transferCancelation', () => {
  test('an order of the account is cancelled', {
    tags: ['V1-TRANSFER-CANCEL'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    const order = await arrange.order()
    expect(await act.cancel(order)).toSucceed()
  })
})
