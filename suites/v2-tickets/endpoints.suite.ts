import { independently } from '../../fixtures/check/independently.ts'
import { firstWithTickets } from '../../fixtures/check/products/tickets.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import type { Extra } from '../../fixtures/client/v2.ts'
import { addDays, assume, describe, type ProductCheck, test } from '../../fixtures/test.ts'

type Call = (extra?: Extra) => Promise<Exchange>

const catalogs = ({ v2 }: ProductCheck<'parkA' | 'parkB'>): Call[] => [
  extra => v2.ticketProducts(extra),
  extra => v2.ticketBrands(extra),
]

/** Availability of something that is for sale, over two weeks where it is not sold on some days alone. */
async function availability({ v2, arrange }: ProductCheck<'parkA' | 'parkB'>): Promise<Call> {
  const adapters = arrange.adapter.both()
  const { adapter, products } = await firstWithTickets(adapters, await arrange.actor())
  const product = products[0]!
  const from = product.days?.from ?? adapter.day()
  const ask = adapter.ask(product, from, product.days?.to ?? addDays(from, 13))
  return extra => v2.ticketAvailability(ask, extra)
}

/** HEAD and OPTIONS are customarily answered, so they are left out. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const ENDPOINTS = [
  ['the ticket catalog', 'GET', '/api/v2/tickets/products'],
  ['the ticket brands', 'GET', '/api/v2/tickets/brands'],
  ['ticket availability', 'POST', '/api/v2/tickets/availability'],
] as const

describe('the v2 ticket endpoints', () => {
  test('are refused without a credential', { tags: ['AUTH-V2-TICKETS'], kinds: ['parkA'] }, async context => {
    const { arrange, expect } = context
    await independently(
      ...[...catalogs(context).map(call => async () => call), () => availability(context)].map(
        ready => async () => {
          const call = await ready()
          assume.accepted(arrange.offered(await call()), 'the same call with its credential')
          expect(await call({ token: null })).toBeRefused()
        },
      ),
    )
  })

  for (const [what, method, path] of ENDPOINTS) {
    test(`a method that ${what} does not have is answered with 405`, {
      tags: ['METHOD-V2-TICKETS'],
      kinds: ['parkA'],
    }, async ({ send, expect }) => {
      await independently(
        ...METHODS.filter(other => other !== method).map(other => async () => {
          expect(await send({ method: other, path })).toHaveStatus(405)
        }),
      )
    })
  }

  test('compress what is large for a client that accepts gzip', {
    tags: ['GZIP-V2-TICKETS'],
    kinds: ['parkA'],
  }, async context => {
    const headers = { 'accept-encoding': 'gzip' }
    const { arrange } = context
    let largest = 0
    for (const call of [...catalogs(context), await availability(context)]) {
      const answer = arrange.offered(await call({ headers }))
      assume.accepted(answer, 'a catalog, or availability of tickets')
      largest = Math.max(largest, answer.response.body.length)
    }
    assume(largest >= 2048, 'a catalog, or availability of tickets, of more than 2 KB')
  })
})
