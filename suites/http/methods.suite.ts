import { independently } from '../../fixtures/check/independently.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { allowedMethods } from '../../fixtures/contracts/reading.ts'
import { describe, type ProductCheck, test } from '../../fixtures/test.ts'

/** HEAD and OPTIONS are customarily answered, so they are left out. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const bookingPath = async ({ arrange }: ProductCheck) =>
  `/api/v2/bookings/${encodeURIComponent((await arrange.booking()).bookingId)}`

/** The clauses that every 405 shows; cited where it takes no booking to see it. */
const SHOWN_BY_ALL = [
  'METHOD-V2-ALLOW',
  'METHOD-V2-ALLOW-REFUSED',
  'METHOD-V2-ALLOW-VALID',
  'V2-ERR-ENVELOPE-METHOD',
] as const

/** Endpoints of v2 with the one method that the document gives each. */
const ENDPOINTS: readonly {
  tags: readonly [ClauseId, ...ClauseId[]]
  what: string
  method: 'GET' | 'POST'
  path: (context: ProductCheck) => Promise<string>
  /** Default: any. */
  kinds?: readonly ['transfers']
}[] = [
  {
    tags: ['METHOD-V2-TRANSFER-CATALOG', ...SHOWN_BY_ALL],
    what: 'the transfer catalog',
    kinds: ['transfers'],
    method: 'GET',
    path: async () => '/api/v2/transfers/products',
  },
  {
    tags: ['METHOD-V2-TRANSFER-AVAILABILITY', ...SHOWN_BY_ALL],
    what: 'transfer availability',
    kinds: ['transfers'],
    method: 'POST',
    path: async () => '/api/v2/transfers/availability',
  },
  {
    tags: ['METHOD-V2-OFFER-CHECK', ...SHOWN_BY_ALL],
    what: 'the offer check',
    method: 'POST',
    path: async () => '/api/v2/offers/check',
  },
  {
    tags: ['METHOD-V2-BOOK', ...SHOWN_BY_ALL],
    what: 'the bookings collection',
    method: 'POST',
    path: async () => '/api/v2/bookings',
  },
  { tags: ['METHOD-V2-BOOKING'], what: 'a booking', method: 'GET', path: bookingPath },
  {
    tags: ['METHOD-V2-CANCEL'],
    what: 'the cancel endpoint',
    method: 'POST',
    path: async context => `${await bookingPath(context)}/cancel`,
  },
  {
    tags: ['METHOD-V2-VOUCHER'],
    what: 'a voucher',
    method: 'GET',
    path: async context => `${await bookingPath(context)}/voucher`,
  },
]

describe('a method that a v2 endpoint does not have', () => {
  for (const { tags, what, method, path, kinds = 'any' } of ENDPOINTS) {
    test(`is answered by ${what} with 405 and the methods it has`, {
      tags,
      opportunistic: ['METHOD-V2-ALLOW-VALID'],
      kinds,
    }, async context => {
      const { send, expect, claim } = context
      const endpoint = await path(context)
      const refusals: Exchange[] = []
      const refused = () => refusals.map(({ request }) => request.method)
      await independently(
        ...METHODS.filter(other => other !== method).map(other => async () => {
          const answer = await send({ method: other, path: endpoint })
          expect(answer).toHaveStatus(405)
          refusals.push(answer)
        }),
        async () => {
          for (const answer of refusals) {
            const allowed = allowedMethods(answer)
            if (allowed === null) continue
            const holds = allowed.includes(method) && !allowed.some(one => refused().includes(one))
            claim('METHOD-V2-ALLOW-VALID', holds, {
              tried: `Asking ${what} for ${answer.request.method}`,
              expected: `Allow with ${method} and without ${refused().join(', ')}, all of which it refuses`,
              observed: allowed.join(', ') || 'an empty Allow',
              exchanges: refusals,
            })
          }
        },
      )
    })
  }
})

describe('a method that a v1 read does not have', () => {
  test('is answered with 405', { tags: ['METHOD-V1-READS'] }, async ({ send, arrange, expect }) => {
    const { call } = await arrange.probe('v1')
    const wrong = METHODS.filter(method => method !== call.method)
    await independently(
      ...wrong.map(method => async () => {
        expect(await send({ method, path: call.path })).toHaveStatus(405)
      }),
    )
  })
})
