import { isMarketRefusal, isVoucherMissing } from '../../fixtures/check/buying/index.ts'
import { type ParkACheck, refusedAsArranged } from '../../fixtures/check/v1/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  type Extra,
  independently,
  refusalOf,
  test,
} from '../../fixtures/test.ts'

type Unauthenticated = Extra & { token: null }

/** Returns every call of operator A about something that exists for its credential; `more` is added to each request. */
async function callsOf({ v1, arrange }: ParkACheck) {
  const { catalog, price, confirm, cancel, voucher } = v1.parkA
  const order = await arrange.order()
  const { offer, id } = order
  const product_id = offer.productData.ticket.adult?.product_id
  const days = { from_date: offer.date, to_date: addDays(offer.date, 1) }
  const again = { ...arrange.anyBody(offer), external_reference: arrange.reference() }
  const calls: readonly ((more: object, extra: Unauthenticated) => Promise<Exchange>)[] = [
    (more, extra) => catalog({ ...more }, extra),
    (more, extra) => price({ product_id, ...days, ...more }, extra),
    (more, extra) => confirm({ ...again, ...more }, extra),
    (more, extra) => cancel({ id_order: id, ...more }, extra),
  ]
  const download = (more: object, extra: Unauthenticated) => voucher({ order_id: id, ...more }, extra)
  return { order, calls: [...calls, download] }
}

describe('the endpoints of operator A without a credential', () => {
  test('do not accept id_company instead', {
    tags: ['AUTH-V1-PARK-A-ID-COMPANY'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, expect } = context
    const { order, calls } = await callsOf(context)
    await independently(
      ...calls.map(call => async () => {
        const headers = { 'id-company': '1', id_company: '1' }
        const refusal = await call({ id_company: 1 }, { token: null, headers })
        expect(refusal).toBeRefused()
        const { method, path, body } = refusal.request
        if (body === null || !arrange.trafficIsFree) return
        const { id_company: _, ...fields } = JSON.parse(Buffer.from(body).toString())
        const inQuery = { method, path: `${path}?id_company=1`, body: fields, token: null }
        expect(await context.send(inQuery)).toBeRefused()
      }),
    )
    assume.accepted(await act.cancel(order), 'the same call with its credential')
  })
})

describe('a call that operator A does not answer in time', () => {
  test('is answered with 502, for the catalog and vouchers too', {
    tags: ['V1-PARK-A-ERR-TIMEOUT'],
    kinds: ['v1-park-a'],
  }, async ({ v1, arrange, act, control, expect }) => {
    const clause = 'V1-PARK-A-ERR-TIMEOUT'
    const by = await arrange.actor()
    const { id: order_id } = await arrange.order()
    await act.voucher({ id: order_id })
    for (const [step, ask] of [
      ['catalog', () => v1.parkA.catalog({})],
      ['voucher', () => v1.parkA.voucher({ order_id })],
    ] as const) {
      await control.setOutcome(by, step, { kind: 'providerError' })
      const answer = await ask()
      await control.takeBackOutcomes()
      // A file that cannot be made is another fault than a source that is late.
      const isOther =
        isMarketRefusal(answer, refusalOf(clause)?.words) ||
        isVoucherMissing(answer) ||
        answer.response.status === 500
      expect(refusedAsArranged(answer, isOther)).toRefuseAsStated()
    }
  })
})
