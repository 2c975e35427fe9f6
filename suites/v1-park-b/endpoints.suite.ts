import { independently } from '../../fixtures/check/independently.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import type { Extra } from '../../fixtures/client/v2.ts'
import { assume, describe, test } from '../../fixtures/test.ts'
import type { ParkBCheck } from './confirmations.ts'

/** A call that its own credential is served; `extra` changes how it is sent. */
type Call = (extra: Extra) => Promise<Exchange>

const UNKNOWN = { token: null }

/** The calls that read, each on something that is there for its own credential. */
async function reads({ v1, arrange }: ParkBCheck): Promise<Call[]> {
  const { productData, date } = await arrange.offer()
  const question = { plu: productData.plu, from_date: date, to_date: date }
  return [extra => v1.parkB.catalog({}, extra), extra => v1.parkB.price(question, extra)]
}

describe('without a credential, operator B', () => {
  test('lists nothing and prices nothing', {
    tags: ['AUTH-V1-PARK-B'],
    kinds: ['v1-park-b'],
  }, async check => {
    for (const call of await reads(check)) {
      check.expect(await call(UNKNOWN)).toBeRefused()
      assume.accepted(await call({}), 'the same call with its credential')
    }
  })

  test('confirms nothing', { tags: ['AUTH-V1-PARK-B'], kinds: ['v1-park-b'] }, async check => {
    const { v1, arrange, act, expect } = check
    const body = { ...arrange.anyBody(await arrange.offer()), external_reference: arrange.reference() }
    expect(await v1.parkB.confirm(body, UNKNOWN)).toBeRefused()
    await act.confirmed('the same with a credential', { body: arrange.body(await arrange.offer()) })
  })

  test('cancels nothing', { tags: ['AUTH-V1-PARK-B'], kinds: ['v1-park-b'] }, async check => {
    const { v1, arrange, act, expect } = check
    const order = await arrange.order()
    expect(await v1.parkB.cancel({ id_order: order.id }, UNKNOWN)).toBeRefused()
    await act.cancelled(order)
  })

  test('prints nothing, whatever its link does', {
    tags: ['AUTH-V1-PARK-B-PDF'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { v1, arrange, act, expect } = check
    const order = await arrange.order()
    assume.accepted(await act.voucher(order), 'the voucher with its credential')
    expect(await v1.parkB.voucher({ order_id: order.id }, UNKNOWN)).toBeRefused()
  })
})

/** HEAD and OPTIONS are customarily answered, so they are left out. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Endpoints, by what stands behind the prefix that a definition may change. */
const ENDPOINTS = [
  ['the catalog', 'POST', 'getTickets', 'METHOD-V1-READS'],
  ['the price', 'POST', 'getTicketPrice', 'METHOD-V1-PARK-B-ORDERS'],
  ['the confirmation', 'POST', 'ticketConfirm', 'METHOD-V1-PARK-B-ORDERS'],
  ['the voucher', 'GET', 'pdf', 'METHOD-V1-PARK-B-ORDERS'],
  ['the cancellation', 'POST', 'ticketCancelation', 'METHOD-V1-PARK-B-ORDERS'],
] as const

describe('a method that an endpoint of operator B does not have', () => {
  for (const [what, method, name, clause] of ENDPOINTS) {
    test(`is answered by ${what} with 405`, { tags: [clause], kinds: ['v1-park-b'] }, async check => {
      const { send, arrange, expect } = check
      const catalog = await arrange.adapter.catalog(await arrange.actor())
      const path = catalog.request.path.replace(/getTickets$/, name)
      await independently(
        ...METHODS.filter(other => other !== method).map(other => async () => {
          expect(await send({ method: other, path })).toHaveStatus(405)
        }),
      )
    })
  }
})
