import { independently } from '../../fixtures/check/independently.ts'
import { askToCancel } from '../../fixtures/check/v1/refusals.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

describe('the v1 transfer endpoints without a credential', () => {
  test('a confirmation and a cancellation are refused', {
    tags: ['AUTH-V1-TRANSFERS'],
    kinds: ['v1-transfers'],
  }, async ({ v1, arrange, act, expect }) => {
    const offer = await arrange.offer()
    const order = await arrange.order({ offer })
    const body = { ...arrange.anyBody(offer), external_reference: arrange.reference() }
    await independently(
      async () => {
        expect(await v1.transfers.confirm(body, { token: null })).toBeRefused()
      },
      async () => {
        const { id } = order
        const by = await arrange.actor()
        expect(await askToCancel({ adapter: arrange.adapter, by, token: null }, id)).toBeRefused()
      },
    )
    assume.accepted(await act.cancel(order), 'the same call with its credential')
  })

  test('a voucher is refused', { tags: ['AUTH-V1-TRANSFER-PDF'], kinds: ['v1-transfers'] }, async ({
    v1,
    arrange,
    act,
    expect,
  }) => {
    const { id } = await arrange.order()
    expect(await v1.transfers.voucher({ order_id: id }, { token: null })).toBeRefused()
    assume.accepted(await act.voucher({ id }), 'the same call with its credential')
  })

  test('the catalog is refused', { tags: ['AUTH-V1-READS'], kinds: ['v1-transfers'] }, async ({
    v1,
    arrange,
    expect,
  }) => {
    await arrange.adapter.catalog(await arrange.actor())
    expect(await v1.transfers.catalog(undefined, { token: null })).toBeRefused()
  })
})

describe('a method that the v1 transfer voucher does not have', () => {
  test('is answered with 405', { tags: ['METHOD-V1-TRANSFER-PDF'], kinds: ['v1-transfers'] }, async ({
    send,
    expect,
  }) => {
    await independently(
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map(method => async () => {
        expect(await send({ method, path: '/api/v1/transfer/pdf?order_id=1' })).toHaveStatus(405)
      }),
    )
  })
})
