import { bookingSender, groupChecks } from '../../fixtures/check/requests/index.ts'
import {
  checkedRoom,
  type HotelOffer,
  replay,
  resortRoom,
  resortSeller,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at, type JsonObject, objects } from '../../fixtures/contracts/index.ts'
import { resortBookings } from '../../fixtures/service/index.ts'
import {
  type Actor,
  assume,
  describe,
  findAt,
  orderAt,
  price,
  story,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

const withoutContact = (body: JsonObject, reference: string): JsonObject => {
  const { name, surname } = body.bookingHolder as JsonObject
  return { ...body, bookingHolder: { name, surname }, external_reference: reference }
}

/** Returns the same room with one of the other ticket packages that its check shows. */
async function anotherPackage(
  { arrange: { adapter, draw } }: V1Check<'v1-hotels'>,
  by: Actor,
  room: HotelOffer,
): Promise<HotelOffer> {
  const { response } = await adapter.quote(by, room)
  const keys = objects(at(response.json, 'ticket_options')).map(({ rate_key }) => rate_key)
  const key = draw.one('ticket packages of a room', keys)
  assume(typeof key === 'string', 'a resort hotel with several ticket packages')
  const [rate] = room.productData.rates
  return {
    ...room,
    productData: { ...room.productData, rates: [{ ...rate, rate_key: key }], rateKeys: [key] },
  }
}

type Found = readonly [
  string,
  (check: V1Check<'v1-hotels'>, people: unknown, by: Actor) => Promise<HotelOffer>,
]
const CHECKED: Found = [
  'for a checked room',
  async ({ arrange }, _, by) => checkedRoom(arrange, by, await resortRoom(arrange, by)),
]
const OF_ANOTHER_PACKAGE: Found = [
  'with another ticket package',
  async (check, _, by) => {
    const { arrange } = check
    return checkedRoom(arrange, by, await anotherPackage(check, by, await resortRoom(arrange, by)))
  },
]

describe('bookingConfirm of resort hotels A', () => {
  for (const [what, find] of [CHECKED, OF_ANOTHER_PACKAGE])
    test(`accepts the key of the price check, ${what}`, {
      tags: [
        'V1-HOTEL-RESORT-CHECKED-KEY',
        'V1-HOTEL-RESORT-OPTION-KEY',
        'V1-HOTEL-RESORT-HOLDER-CONTACT',
        'V1-HOTEL-CONFIRM-TOTAL-SUM',
      ],
      kinds,
    }, async context => {
      const { arrange, act, expect } = context
      const by = await resortSeller(arrange)
      const offer = () => find(context, undefined, by)
      const { answer } = await act.book({ by, what: offer })
      // If the confirmation without contact data is accepted and the one with it is not, the key is not the reason.
      const bare = async () =>
        by.v1.hotels.confirm(withoutContact(arrange.anyBody(await offer()), arrange.reference()))
      if (!succeeded(answer) && succeeded(await bare()))
        expect(answer, 'V1-HOTEL-RESORT-HOLDER-CONTACT').toSucceed()
      for (const clause of ['V1-HOTEL-RESORT-CHECKED-KEY', 'V1-HOTEL-RESORT-HOLDER-CONTACT'] as const)
        expect(answer, clause).toSucceed()
    })

  for (const { title, body, ...options } of groupChecks(bookingSender, resortBookings))
    test(title, options, body)

  test('is replayed even if the price changed', {
    tags: ['V1-IDEM-REPLAY-ORDER-HOTEL'],
    kinds,
    forReal: false,
  }, async ({ arrange, control }) => {
    control.require('changePrice')
    // A test credential gets no replay.
    const by = await arrange.actor('resort', { modes: { hotels: 'live' } })
    const offer = async () => checkedRoom(arrange, by, await resortRoom(arrange, by))
    const { body, offer: sold } = await arrange.order({ actor: by, offer })
    await control.changePrice(by, sold.productId, 5)
    await replay(arrange, by, body)
  })

  const needs = ['role:resort', 'control:price'] as const
  const words = ['V1-HOTEL-RESORT-PRICE-MOVED', 'V1-HOTEL-ERR-RESORT-PRICE'] as const
  for (const [found, move] of [
    [CHECKED, 'rises'],
    [CHECKED, 'falls'],
    [CHECKED, 'rises by a cent'],
    [OF_ANOTHER_PACKAGE, 'rises'],
  ] as const)
    story([findAt({ found, role: 'resort' }), price(move), orderAt], { for: words, needs, kinds })
})
