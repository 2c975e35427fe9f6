import { independently } from '../../fixtures/check/independently.ts'
import type { ParkACheck } from '../../fixtures/check/v1/park-a-orders.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import type { Extra } from '../../fixtures/client/v2.ts'
import { addDays, assume, describe, test } from '../../fixtures/test.ts'

type Unauthenticated = Extra & { token: null }

/** Every call of operator A on something that is there for its own credential; `more` is added to what is asked. */
async function callsOf({ v1, arrange }: ParkACheck) {
  const { catalog, price, confirm, cancel, voucher } = v1.parkA
  const order = await arrange.order()
  const { offer, id } = order
  const product_id = offer.productData.family.adult?.product_id
  const days = { from_date: offer.date, to_date: addDays(offer.date, 1) }
  const again = { ...arrange.anyBody(offer), external_reference: arrange.reference() }
  const calls: readonly ((more: object, extra: Unauthenticated) => Promise<Exchange>)[] = [
    (more, extra) => catalog({ ...more }, extra),
    (more, extra) => price({ product_id, ...days, ...more }, extra),
    (more, extra) => confirm({ ...again, ...more }, extra),
    (more, extra) => cancel({ id_order: id, ...more }, extra),
  ]
  const download = (more: object, extra: Unauthenticated) => voucher({ order_id: id, ...more }, extra)
  return { order, calls, download }
}

describe('the endpoints of operator A without a credential', () => {
  test('answer 401', {
    tags: ['AUTH-V1-PARK-A-STATUS', 'AUTH-V1-PARK-A-PDF', 'AUTH-V1-PARK-A-ERROR'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { act, expect } = context
    const { order, calls, download } = await callsOf(context)
    await independently(
      ...calls.map(call => async () => {
        expect(await call({}, { token: null }), 'AUTH-V1-PARK-A-STATUS').toHaveStatus(401)
      }),
      async () => {
        // One that is not published is refused for that.
        await act.voucher(order)
        expect(await download({}, { token: null }), 'AUTH-V1-PARK-A-PDF').toBeRefused()
      },
    )
    assume.accepted(await act.cancel(order), 'the same call with its credential')
  })

  test('do not take id_company for one', {
    tags: ['AUTH-V1-PARK-A-ID-COMPANY'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { act, expect } = context
    const { order, calls, download } = await callsOf(context)
    await independently(
      ...[...calls, download].map(call => async () => {
        const headers = { 'id-company': '1', id_company: '1' }
        expect(await call({ id_company: 1 }, { token: null, headers })).toBeRefused()
      }),
    )
    assume.accepted(await act.cancel(order), 'the same call with its credential')
  })
})

describe('a method that an endpoint of operator A does not have', () => {
  test('is answered with 405', {
    tags: ['METHOD-V1-PARK-A-ORDERS', 'METHOD-V1-READS'],
    kinds: ['v1-park-a'],
  }, async ({ arrange, send, expect }) => {
    const { path: base } = arrange.adapter
    const endpoints = [
      ['POST', 'getTicketPrice'],
      ['POST', 'ticketConfirm'],
      ['GET', 'pdf'],
      ['POST', 'ticketCancelation'],
      ['POST', 'getTickets'],
    ] as const
    await independently(
      ...endpoints.flatMap(([own, name]) =>
        ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
          .filter(method => method !== own)
          .map(method => async () => {
            const clause = name === 'getTickets' ? 'METHOD-V1-READS' : 'METHOD-V1-PARK-A-ORDERS'
            expect(await send({ method, path: `${base}/${name}` }), clause).toHaveStatus(405)
          }),
      ),
    )
  })
})
