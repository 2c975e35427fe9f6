import { describe, test } from '../../fixtures/test.ts'

describe('GET /api/v1/transfer/pdf', () => {
  test('serves the voucher of an order of the account', {
    tags: ['V1-TRANSFER-PDF', 'V1-TRANSFER-PDF-TYPE', 'CACHE-V1-TRANSFER-PDF'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    const { id } = await arrange.unusualOrder()
    // It can be downloaded any number of times.
    for (let time = 1; time <= (arrange.trafficIsFree ? 3 : 1); time++)
      expect(await act.voucher({ id }), 'V1-TRANSFER-PDF').toBePdf()
  })

  test('answers 410 after a test order is cancelled', {
    tags: ['V1-TRANSFER-PDF-CANCELLED-TEST'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    await arrange.testCredential()
    const order = await arrange.unusualOrder()
    await act.cancelled(order)
    expect(await act.voucher(order)).toHaveStatus(410)
  })
})
