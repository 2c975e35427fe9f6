import { claimNothingBooked, eachTime, isOfMarket } from '../../fixtures/check/buying/index.ts'
import { checksOf, confirmationsOf, type V1Requests } from '../../fixtures/check/requests/index.ts'
import {
  attempt,
  checkedResort,
  claimRefused,
  type HotelCheck,
  isRefusedOrder,
  resortSeller,
  roomsApart,
  roomsTogether,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { hotelHolder, hotelOrder, isRefusal, type Stated } from '../../fixtures/service/index.ts'
import { assume, describe, type Exchange, independently, test } from '../../fixtures/test.ts'

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

/** The number of searches for rooms that are available, if some are not. */
const SEARCHES = 6

describe('bookingConfirm: what is refused', () => {
  test('rate_key instead of ratekey', {
    tags: ['V1-HOTEL-CONFIRM-RATEKEY-SPELLING'],
    kinds,
  }, async context => {
    const { arrange, act } = context
    claimRefused(context, 'V1-HOTEL-CONFIRM-RATEKEY-SPELLING', {
      tried: 'Confirming with rate_key in place of ratekey',
      answer: await attempt(context, async () => {
        const { ratekey, ...body } = arrange.anyBody(await arrange.offer())
        return { ...body, rate_key: ratekey }
      }),
    })
    await act.booked('the same with ratekey')
  })

  for (const [count, times, beside] of [
    [2, [3], 'a room'],
    [2, [3], 'a group'],
    [3, [2, 5], undefined],
  ] as const)
    test(`a grouped key of ${count} rooms sent ${times.join(' or ')} times, next to ${beside ?? 'nothing else'}`, {
      tags: [
        'V1-HOTEL-CONFIRM-REPETITION',
        'V1-HOTEL-ERR-REPETITION',
        'V1-HOTEL-CONFIRM-REPETITION-NOTHING',
        'V1-HOTEL-CONFIRM-FAILED-NO-ID',
      ],
      kinds,
      forReal: beside === 'a room',
    }, async ({ arrange, act, control, expect }) => {
      const actor = await arrange.actor()
      const find = () => roomsTogether(arrange, count, { beside })
      // If a market refused some rates, more available ones are tried.
      const findIn = async (round: number) => {
        for (let time = 1; ; time++) {
          const rooms = await find()
          const isLast = round === 1 || time === SEARCHES
          if (isLast || (await arrange.adapter.sells?.(actor, rooms)) !== false) return rooms
        }
      }
      for (const sent of arrange.drawn<number>(times, 1)) {
        const {
          answer: refused,
          offer: { rooms, before },
        } = await act.book({
          offer: async round => ({ rooms: await findIn(round), before: await control.counted(actor) }),
          body({ rooms }) {
            const { rateKeys } = rooms.productData
            // With two groups, the second one is changed.
            const key = rateKeys.at(beside === 'a group' ? -1 : 0)
            const ratekey = [...rateKeys.filter(other => other !== key), ...Array(sent).fill(key)]
            return { ...arrange.anyBody(rooms), ratekey }
          },
          expecting: ['Invalid rate_key repetition'],
        })
        const after = await control.counted(actor)
        const rightly = () =>
          act.booked('the key sent once for each of its rooms', { offer: eachTime(rooms, find) })
        // A market that sells no two rates at once never reaches the fault.
        const isSold = isOfMarket(refused) && (await rightly())
        await independently(
          async () => {
            expect(refused, 'V1-HOTEL-CONFIRM-REPETITION').not.toSucceed()
            expect(refused, 'V1-HOTEL-ERR-REPETITION').toRefuseAsStated()
          },
          () =>
            claimNothingBooked({ expect }, 'V1-HOTEL-CONFIRM-REPETITION-NOTHING', {
              tried: `Sending a key of ${count} rooms ${sent} times`,
              before,
              after,
              answer: refused,
            }),
          async () => void (isSold || (await rightly())),
        )
      }
    })

  test('several rooms, one of them with an unknown rate', {
    tags: [
      'V1-HOTEL-CONFIRM-ALL-ROOMS',
      'V1-HOTEL-CONFIRM-FAILED-NO-ID',
      'V1-HOTEL-CONFIRM-ALL-ROOMS-NOTHING',
    ],
    kinds,
  }, async ({ v1, arrange, act, control, expect }) => {
    const actor = await arrange.actor()
    const offer = await roomsApart(arrange)
    const { rateKeys } = offer.productData
    const before = await control.counted(actor)
    const answers: Exchange[] = []
    for (const at of arrange.drawn([...rateKeys.keys()].reverse(), 1)) {
      const body = { ...arrange.anyBody(offer), ratekey: rateKeys.with(at, arrange.reference()) }
      answers.push(await v1.hotels.confirm({ ...body, external_reference: arrange.reference() }))
    }
    const after = await control.counted(actor)
    await independently(
      async () => {
        for (const answer of answers) expect(answer).not.toSucceed()
        await act.booked('all rooms by keys that exist', {
          offer: eachTime(offer, () => roomsApart(arrange)),
        })
      },
      () =>
        claimNothingBooked({ expect }, 'V1-HOTEL-CONFIRM-ALL-ROOMS-NOTHING', {
          tried: 'Confirming rooms, one of them with an unknown rate',
          before,
          after,
          answer: answers[0]!,
        }),
    )
  })

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
