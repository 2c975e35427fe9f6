import { apart } from '../../fixtures/check/apart.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { allowedMethods } from '../../fixtures/contracts/reading.ts'
import { type Bench, describe, test } from '../../fixtures/test.ts'

/** HEAD and OPTIONS are customarily answered, so they are left out. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const bookingPath = async ({ given }: Bench) =>
  `/api/v2/bookings/${encodeURIComponent((await given.booking()).bookingId)}`

/** Endpoints of v2 with the one method that the document gives each. */
const ENDPOINTS: readonly [
  clause: ClauseId,
  what: string,
  method: 'GET' | 'POST',
  path: (bench: Bench) => Promise<string>,
][] = [
  ['METHOD-V2-TRANSFER-CATALOG', 'the transfer catalog', 'GET', async () => '/api/v2/transfers/products'],
  [
    'METHOD-V2-TRANSFER-AVAILABILITY',
    'transfer availability',
    'POST',
    async () => '/api/v2/transfers/availability',
  ],
  ['METHOD-V2-OFFER-CHECK', 'the offer check', 'POST', async () => '/api/v2/offers/check'],
  ['METHOD-V2-BOOK', 'the bookings collection', 'POST', async () => '/api/v2/bookings'],
  ['METHOD-V2-BOOKING', 'a booking', 'GET', bookingPath],
  ['METHOD-V2-CANCEL', 'the cancel endpoint', 'POST', async bench => `${await bookingPath(bench)}/cancel`],
  ['METHOD-V2-VOUCHER', 'a voucher', 'GET', async bench => `${await bookingPath(bench)}/voucher`],
]

describe('a method that a v2 endpoint does not have', () => {
  for (const [clause, what, method, path] of ENDPOINTS) {
    test(`is answered by ${what} with 405 and the methods it has`, {
      tags: [
        clause,
        'METHOD-V2-ALLOW',
        'METHOD-V2-ALLOW-REFUSED',
        'METHOD-V2-ALLOW-VALID',
        'V2-ERR-ENVELOPE-METHOD',
      ],
    }, async bench => {
      const { send, expect, claim } = bench
      const endpoint = await path(bench)
      const refusals: Exchange[] = []
      const refused = () => refusals.map(({ request }) => request.method)
      await apart(
        ...METHODS.filter(other => other !== method).map(other => async () => {
          const answer = await send({ method: other, path: endpoint })
          expect(answer, clause).toHaveStatus(405)
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
  test('is answered with 405', { tags: ['METHOD-V1-READS'] }, async ({ send, given, expect }) => {
    const { call } = await given.probe('v1')
    const wrong = METHODS.filter(method => method !== call.method)
    await apart(
      ...wrong.map(method => async () => {
        expect(await send({ method, path: call.path })).toHaveStatus(405)
      }),
    )
  })
})
