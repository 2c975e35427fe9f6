import { independently } from '../../fixtures/check/independently.ts'
import { unknownIdLike } from '../../fixtures/check/v1/refusals.ts'
import { describe, test } from '../../fixtures/test.ts'

describe('GET /api/v1/transfer/pdf', () => {
  test('serves the voucher of an order of the account, and of no other', {
    tags: ['V1-TRANSFER-PDF', 'V1-TRANSFER-PDF-UNKNOWN', 'V1-TRANSFER-PDF-TYPE', 'CACHE-V1-TRANSFER-PDF'],
    kinds: ['v1-transfers'],
  }, async ({ v1, arrange, act, expect }) => {
    const { id } = await arrange.order()
    await independently(
      async () => {
        expect(await act.voucher({ id }), 'V1-TRANSFER-PDF').toBePdf()
      },
      async () => {
        const unknown = await v1.transfers.voucher({ order_id: unknownIdLike(id) })
        expect(unknown, 'V1-TRANSFER-PDF-UNKNOWN').not.toBePdf()
      },
    )
  })

  test('does not serve the voucher to another company', {
    tags: ['V1-TRANSFER-PDF-FOREIGN'],
    kinds: ['v1-transfers'],
  }, async ({ v1, arrange, act, expect }) => {
    const owner = await arrange.actor('otherCompany')
    const order = await arrange.order({ actor: owner })
    expect(await v1.transfers.voucher({ order_id: order.id })).not.toBePdf()
    // Its own company gets it.
    await act.voucher(order, owner)
  })

  test('answers 410 once a test order is cancelled', {
    tags: ['V1-TRANSFER-PDF-CANCELLED-TEST'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    await arrange.testCredential()
    const order = await arrange.order()
    await act.cancelled(order)
    expect(await act.voucher(order)).toHaveStatus(410)
  })
})
