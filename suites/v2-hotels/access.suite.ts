import { independently } from '../../fixtures/check/independently.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import type { Extra } from '../../fixtures/client/v2.ts'
import { assume, describe, type ProductCheck, test } from '../../fixtures/test.ts'

/** HEAD and OPTIONS are customarily answered, so they are left out. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

async function aSearch({ arrange }: ProductCheck<'hotels'>) {
  const hotels = arrange.adapter
  const actor = await arrange.actor()
  const [destination] = await hotels.destinations(actor)
  return hotels.start(actor, { destination: destination!, checkIn: hotels.day() })
}

/** The hotel endpoints, each with its only method, its path, and a call that its own credential is served. */
const ENDPOINTS: readonly {
  what: string
  method: 'GET' | 'POST'
  path(context: ProductCheck<'hotels'>): Promise<string>
  call(context: ProductCheck<'hotels'>): Promise<(extra: Extra) => Promise<Exchange>>
}[] = [
  {
    what: 'the hotel destinations',
    method: 'GET',
    path: async () => '/api/v2/hotels/destinations',
    call:
      async ({ v2 }) =>
      extra =>
        v2.hotelDestinations(extra),
  },
  {
    what: 'the start of a hotel search',
    method: 'POST',
    path: async () => '/api/v2/hotels/availability',
    async call(context) {
      const { started } = await aSearch(context)
      const body = Buffer.from(started.request.body ?? []).toString()
      return extra => context.v2.hotelSearch(body, extra)
    },
  },
  {
    what: 'a hotel search',
    method: 'GET',
    path: async context =>
      `/api/v2/hotels/availability/${encodeURIComponent((await aSearch(context)).searchId)}`,
    async call(context) {
      const { searchId } = await aSearch(context)
      return extra => context.v2.hotelSearchPoll(searchId, extra)
    },
  },
]

for (const { what, method, path, call } of ENDPOINTS) {
  describe(what, () => {
    test('answers 405 to a method that it does not have', {
      tags: ['METHOD-V2-HOTELS'],
      kinds: ['hotels'],
    }, async context => {
      const endpoint = await path(context)
      await independently(
        ...METHODS.filter(other => other !== method).map(other => async () => {
          context.expect(await context.send({ method: other, path: endpoint })).toHaveStatus(405)
        }),
      )
    })

    test('is refused without a credential', {
      tags: ['AUTH-V2-HOTELS'],
      kinds: ['hotels'],
    }, async context => {
      const { expect } = context
      const calling = await call(context)
      expect(await calling({ token: null })).toBeRefused()
      assume.accepted(await calling({}), 'the same call with its credential')
    })
  })
}
