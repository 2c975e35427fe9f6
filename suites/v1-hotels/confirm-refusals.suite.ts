import { claimNothingBooked } from '../../fixtures/check/buying/index.ts'
import {
  bookingSender,
  checksOf,
  confirmationsOf,
  groupChecks,
  type V1Requests,
} from '../../fixtures/check/requests/index.ts'
import {
  checkedResort,
  type HotelCheck,
  isRefusedOrder,
  resortSeller,
  roomsApart,
  roomsTogether,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { hotelHolder, hotelKeys, hotelOrder, isRefusal, type Stated } from '../../fixtures/service/index.ts'
import { assume, describe, independently, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

const ofRooms: Pick<V1Requests<'v1-hotels'>, 'refusal' | 'isRefused'> = {
  refusal: 'a refusal (4xx) and no booking',
  isRefused: answer => isRefusedOrder(answer) && answer.response.status < 500,
}

const ofOne: V1Requests<'v1-hotels'> = {
  ...confirmationsOf('v1-hotels', ({ arrange }) => arrange.offer()),
  ...ofRooms,
  lacking: {
    tags: ['V1-HOTEL-CONFIRM-FAILED-NO-ID', 'TEST-MODE-V1-HOTEL-VALIDATES'],
    async judge({ arrange, expect }, answer) {
      await arrange.testCredential()
      expect(answer, 'TEST-MODE-V1-HOTEL-VALIDATES').toBeAnError()
    },
  },
}

const ofSeveral = { ...confirmationsOf('v1-hotels', ({ arrange }) => roomsApart(arrange)), ...ofRooms }
const ofResorts = {
  ...confirmationsOf(
    'v1-hotels',
    ({ arrange }) => checkedResort(arrange),
    ({ arrange }) => resortSeller(arrange),
  ),
  ...ofRooms,
}

const isOfAny = ({ about }: Stated) => about === undefined

for (const table of [hotelOrder, hotelHolder]) {
  for (const [rooms, requests, isTold] of [
    ['', ofOne, isOfAny],
    [' of several rooms', ofSeveral, (one: Stated) => isRefusal(one) && isOfAny(one)],
    [' of resort hotels A', ofResorts, isRefusal],
  ] as const)
    describe(`${table.subject}${rooms}`, () => {
      const own = { ...table, promises: table.promises.filter(isTold) }
      for (const { title, body, ...options } of checksOf(own, requests)) test(title, options, body)
    })
}

/** The number of places searched for a hotel found in one of them. */
const PLACES = 4

describe('bookingConfirm: what is refused', () => {
  for (const { title, body, ...options } of groupChecks(bookingSender, hotelKeys)) test(title, options, body)

  test('several rooms, one of them with a rate that no longer exists', {
    tags: ['V1-HOTEL-CONFIRM-ALL-ROOMS'],
    kinds,
    forReal: false,
  }, async ({ v1, arrange, control, expect }) => {
    control.require('expireOffers')
    const { adapter } = arrange
    const actor = await arrange.actor()
    const gone = await roomsApart(arrange)
    await control.expireOffers(actor)
    const { rooms, nights } = gone.productData
    const isThere = ({ id_hotel: id }: JsonObject) => id === gone.productId
    let there: typeof gone | undefined
    for (const { id: place } of (await adapter.places(actor)).slice(0, PLACES)) {
      const ask = { place, checkIn: gone.date, nights, rooms, wished: true }
      const found = await adapter.follow(actor, ask, ({ hotels }) => hotels.some(isThere))
      const hotel = found.hotels.find(isThere)
      there ??= hotel && adapter.offerOf(found, hotel)
    }
    assume(there !== undefined, 'a hotel that is found twice for several rooms')
    const confirm = (ratekey: readonly string[]) =>
      v1.hotels.confirm({ ...arrange.anyBody(gone), ratekey, external_reference: arrange.reference() })
    const { rateKeys } = gone.productData
    for (const [at, key] of [...rateKeys.entries()].reverse()) {
      const answer = await confirm(there.productData.rateKeys.with(at, key))
      if (succeeded(answer))
        assume(!succeeded(await confirm(rateKeys)), 'control.expireOffers or setOutcome to remove a rate')
      expect(answer).not.toSucceed()
    }
  })

  // Identical rooms: a hotel with one room left of each kind still has two rooms.
  for (const [by, find] of [
    ['their own keys', arrange => roomsApart(arrange, { rooms: [{ adults: 2 }, { adults: 2 }] })],
    ['one key', arrange => roomsTogether(arrange)],
  ] as const satisfies [string, (arrange: HotelCheck['arrange']) => Promise<unknown>][])
    test(`two rooms by ${by} when one is left, which stays available`, {
      tags: ['V1-HOTEL-CONFIRM-ALL-ROOMS', 'V1-HOTEL-CONFIRM-ALL-ROOMS-NOTHING'],
      kinds,
    }, async ({ v1, arrange, control, expect }) => {
      control.require('setStock')
      const actor = await arrange.actor()
      const offer = await find(arrange)
      const confirm = () =>
        v1.hotels.confirm({ ...arrange.anyBody(offer), external_reference: arrange.reference() })
      const before = await control.counted(actor)
      await control.setStock(actor, offer.productId, 1)
      const answer = await confirm()
      const after = await control.counted(actor)
      if (succeeded(answer)) {
        await control.setStock(actor, offer.productId, 0)
        assume(!succeeded(await confirm()), 'control.setStock to leave exactly one room of a hotel')
      }
      await independently(
        () => {
          expect(answer, 'V1-HOTEL-CONFIRM-ALL-ROOMS').toShow('id_orden', undefined)
          expect(answer, 'V1-HOTEL-CONFIRM-ALL-ROOMS').not.toSucceed()
        },
        () =>
          claimNothingBooked({ expect }, 'V1-HOTEL-CONFIRM-ALL-ROOMS-NOTHING', {
            tried: 'Confirming two rooms when one is left',
            before,
            after,
            answer,
          }),
      )
    })
})
