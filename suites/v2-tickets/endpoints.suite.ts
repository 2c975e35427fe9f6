import { firstWithTickets } from '../../fixtures/check/products/index.ts'
import { isSurelyLarge } from '../../fixtures/contracts/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  type Extra,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

type Call = (extra?: Extra) => Promise<Exchange>

const catalogs = ({ v2 }: ProductCheck<'parkA' | 'parkB'>): Call[] => [
  extra => v2.ticketProducts(extra),
  extra => v2.ticketBrands(extra),
]

/** Returns a request for the availability of a product that is sold on some of these days. */
async function availability(
  { v2, arrange }: ProductCheck<'parkA' | 'parkB'>,
  days: number,
  pax?: { adult: number; child: number; infant: number },
): Promise<Call> {
  const adapters = arrange.adapter.both()
  const { adapter, products } = await firstWithTickets(adapters, await arrange.actor())
  const product = products[0]!
  const from = product.days?.from ?? adapter.day()
  const ask = adapter.ask(product, from, product.days?.to ?? addDays(from, days - 1), pax)
  return extra => v2.ticketAvailability(ask, extra)
}

describe('the v2 ticket endpoints', () => {
  test('compress large answers for a client that accepts gzip', {
    tags: ['GZIP-V2-TICKETS'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const headers = { 'accept-encoding': 'gzip' }
    const { arrange } = context
    let someLarge = false
    const read = async (call: Call) => {
      const answer = arrange.offered(await call({ headers }))
      assume.sold(answer, 'a catalog, or availability of tickets')
      someLarge ||= isSurelyLarge(answer)
    }
    for (const call of catalogs(context)) await read(call)
    // Products are looked up in the catalogs before, so that this is not a repeat.
    await read(await availability(context, 7))
    // Not everything is sold to children, or for three weeks at once.
    if (arrange.trafficIsFree)
      await (await availability(context, 21, { adult: 2, child: 1, infant: 0 }))({ headers })
    assume(someLarge, 'a ticket catalog or availability of more than 1 KB')
  })
})
