import { independently } from '../../fixtures/check/independently.ts'
import { askOf, type HotelCheck } from '../../fixtures/check/v1/searches.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

/** HEAD and OPTIONS are customarily answered, so they are left out. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Names under which services take a credential elsewhere than in the header. */
const NAMES = ['access_token', 'token', 'api_key', 'authorization', 'credential']

const READS = { authentication: 'AUTH-V1-READS', methods: 'METHOD-V1-READS' } as const
const SALES = { authentication: 'AUTH-V1-HOTEL-BOOKINGS', methods: 'METHOD-V1-HOTEL-BOOKINGS' } as const

/** Endpoints before a booking, each with a call that its own credential is served. */
const ENDPOINTS: readonly {
  what: string
  clauses: { authentication: ClauseId; methods: ClauseId }
  served(context: HotelCheck): Promise<Exchange>
}[] = [
  {
    what: 'content/locations',
    clauses: READS,
    served: async ({ arrange }) => (await arrange.actor()).v1.hotels.locations({}),
  },
  {
    what: 'content/hotelData',
    clauses: READS,
    served: async ({ arrange }) => arrange.adapter.data(await arrange.actor()),
  },
  {
    what: 'content/hotelDetails',
    clauses: READS,
    served: async ({ arrange }) => arrange.adapter.details(await arrange.actor()),
  },
  {
    what: 'hotelSearch',
    clauses: SALES,
    served: async context =>
      context.arrange.adapter.search(await context.arrange.actor(), await askOf(context)),
  },
  {
    what: 'hotelCheckPrice',
    clauses: SALES,
    async served({ act, arrange }) {
      const [offer] = await arrange.adapter.find(await arrange.actor(), {})
      return act.quoted('a check of a rate', offer!)
    },
  },
]

/** The call of an exchange, to be sent in another way. */
const callOf = ({ request: { method, path, body } }: Exchange) => ({
  method,
  path,
  ...(body === null || body === undefined ? {} : { body: Buffer.from(body).toString() }),
})

for (const { what, clauses, served } of ENDPOINTS) {
  describe(what, () => {
    test('is refused without a credential', {
      tags: [clauses.authentication],
      kinds: ['v1-hotels'],
    }, async context => {
      const call = callOf(assume.accepted(await served(context), 'the same call with its credential'))
      context.expect(await context.send({ ...call, token: null })).toBeRefused()
    })

    test('answers 405 to a method that it does not have', {
      tags: [clauses.methods],
      kinds: ['v1-hotels'],
    }, async context => {
      const { method, path } = callOf(assume.accepted(await served(context), 'the call by its own method'))
      await independently(
        ...METHODS.filter(other => other !== method).map(other => async () => {
          context.expect(await context.send({ method: other, path })).toHaveStatus(405)
        }),
      )
    })
  })
}

/** Endpoints of bookings, each with the one method that the document gives it. */
const OF_BOOKINGS = [
  ['GET', 'bookingDetail'],
  ['GET', 'bookingHcn'],
  ['POST', 'bookingConfirm'],
  ['POST', 'bookingCancelation'],
] as const

describe('the endpoints of v1 hotel bookings', () => {
  for (const [method, name] of OF_BOOKINGS) {
    test(`${name} answers 405 to a method that it does not have`, {
      tags: ['METHOD-V1-HOTEL-BOOKINGS'],
      kinds: ['v1-hotels'],
    }, async ({ send, v1, arrange, expect }) => {
      const { id } = await arrange.order()
      assume.accepted(await v1.hotels.booking({ id_orden: id }), 'the booking by its own method')
      const path = `/api/v1/hotel/distribution/${name}?id_orden=${encodeURIComponent(id)}`
      await independently(
        ...METHODS.filter(other => other !== method).map(other => async () => {
          expect(await send({ method: other, path })).toHaveStatus(405)
        }),
      )
    })
  }
})

/** Only ever done with credentials made for it: bodies are logged where headers are not. */
describe('a credential in the body of a v1 call', () => {
  test('is not taken from there', {
    tags: ['AUTH-NOT-FROM-BODY-V1'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, control, expect } = context
    control.require('mint')
    const by = await arrange.actor('otherCompany')
    const body = arrange.adapter.searchBody(await askOf(context, { by }))
    assume.accepted(await by.v1.hotels.search(body), 'the same call with its credential')
    for (const name of NAMES) {
      expect(await by.v1.hotels.search({ ...body, [name]: by.token }, { token: null })).toBeRefused()
    }
  })
})
