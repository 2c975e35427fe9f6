import { isOfMarket, untilRefusedForItself } from '../../fixtures/check/buying/index.ts'
import type { HotelCheck } from '../../fixtures/check/v1/index.ts'
import { assume, describe, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-hotels')

/** The number of places searched. */
const PLACES = 6

describe('a credential with a restricted catalog of a company that sells more', () => {
  /** Returns a credential of the company that sells everything, one that does not, and a room outside of the catalog. */
  const colleagues = async ({ arrange, control }: HotelCheck) => {
    control.require('mint')
    const by = await arrange.actor()
    const narrow = await arrange.actor('standard', {
      companyOf: by.tenant,
      features: { restrictedCatalog: true },
    })
    const { adapter } = arrange
    const checkIn = adapter.day()
    for (const { id: place } of (await adapter.places(by)).slice(0, PLACES)) {
      const search = await adapter.follow(by, { place, checkIn, rooms: [{ adults: 2 }] })
      const hotel = search.hotels.find(one => adapter.shapes.operator?.(one) === null)
      const room = hotel && adapter.offerOf(search, hotel, () => true)
      if (room !== undefined) return { by, narrow, room }
    }
    assume(false, 'a hotel of neither operator (shapes.v1Hotels.operator of the definition)')
  }

  // Whether it may check one is not stated.
  test('is forbidden to confirm a room outside of it', {
    tags: ['V1-HOTEL-ERR-RESTRICTED-CONFIRM'],
  }, async context => {
    const { arrange, act, expect } = context
    // A room may be sold at any time.
    const answer = await untilRefusedForItself(async () => {
      const { narrow, room } = await colleagues(context)
      return narrow.v1.hotels.confirm({ ...arrange.anyBody(room), external_reference: arrange.reference() })
    })
    // A key may be valid only for its own credential, and look expired to others.
    assume(!isOfMarket(answer), 'rate keys that other credentials of a company can use')
    expect(answer).toRefuseAsStated()
    const { by, room } = await colleagues(context)
    await act.booked('the same with a credential that sells it', { body: async () => arrange.body(room), by })
  })
})
