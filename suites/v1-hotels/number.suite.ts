import { claimClosed, type HotelOffer, roomsApart, roomsOfGroup } from '../../fixtures/check/v1/index.ts'
import { at, isObject } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  independently,
  orOrdinary,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/** Seconds between two looks at missing numbers, and the number of looks. */
const LATER = 600
const LOOKS = 6
/** Seconds after which a final status is read again. */
const HOURS_LATER = 2 * 3600 + 60

/** Finds two rooms: a fault with two may not appear with more. */
const twoRooms = (arrange: Parameters<typeof roomsApart>[0]) =>
  orOrdinary(
    () => roomsApart(arrange, { rooms: [{ adults: 2 }, { adults: 1 }] }),
    () => roomsOfGroup(arrange),
  )

const numbersIn = ({ response }: Exchange): unknown[] => {
  const rooms = at(response.json, 'rooms')
  return Array.isArray(rooms) ? rooms.filter(isObject).map(({ hcn }) => hcn) : []
}
const isNumber = (hcn: unknown): boolean => typeof hcn === 'string' && hcn !== ''
/** Returns the values of `hcn` that are not a number, of which there must be none. */
const roomsWithout = (answer: Exchange) =>
  ['what is no number in rooms[].hcn', numbersIn(answer).filter(hcn => !isNumber(hcn)), []] as const
const statusIn = ({ response }: Exchange): unknown => at(response.json, 'hcn_status')

describe('GET /api/v1/hotel/distribution/bookingHcn', () => {
  test('has one entry per room, and a test booking has its numbers at once', {
    tags: [
      'V1-HOTEL-HCN-ROOMS',
      'V1-HOTEL-HCN-STATUS',
      'V1-HOTEL-HCN-NUMBER',
      'TEST-MODE-V1-HOTEL-HCN',
      'TEST-MODE-V1-HOTEL-HCN-NUMBERS',
    ],
    kinds,
  }, async ({ v1, arrange, expect }) => {
    const { modes } = await arrange.actor()
    for (const rooms of arrange.trafficIsFree ? [roomsOfGroup, roomsApart, twoRooms] : [roomsOfGroup]) {
      const { id, offer } = await arrange.order({ offer: () => rooms(arrange) })
      const count = offer.productData.rooms.length
      for (let look = 1; look <= (arrange.trafficIsFree ? 2 : 1); look++) {
        const answer = await v1.hotels.number({ id_orden: id })
        expect(answer, 'V1-HOTEL-HCN-ROOMS').toSucceed()
        expect(answer, 'V1-HOTEL-HCN-ROOMS').toTell('the number of rooms', numbersIn(answer).length, count)
        if (modes.hotels === 'live') continue
        expect(answer, 'TEST-MODE-V1-HOTEL-HCN').toShow('hcn_status', 'available')
        expect(answer, 'TEST-MODE-V1-HOTEL-HCN-NUMBERS').toTell(...roomsWithout(answer))
      }
    }
  })

  test('is pending until every room has its number, and available afterwards', {
    tags: [
      'V1-HOTEL-HCN-BECOMES-AVAILABLE',
      'V1-HOTEL-HCN-PDF',
      'V1-HOTEL-HCN-NUMBER',
      'V1-HOTEL-HCN-ROOMS',
      'V1-HOTEL-HCN-CANCELLED',
      'AUTH-V1-HOTEL-VOUCHER',
    ],
    kinds,
  }, async context => {
    const { arrange, act, control, expect } = context
    const becomes = async (actor: Actor, find: (actor: Actor) => Promise<HotelOffer>) => {
      const { id, offer } = await arrange.order({ actor, offer: () => find(actor) })
      const { length: rooms } = offer.productData.rooms
      const seen: Exchange[] = []
      const look = async () => {
        const answer = assume.accepted(
          await actor.v1.hotels.number({ id_orden: id }),
          "the hotel's own number",
        )
        expect(answer, 'V1-HOTEL-HCN-ROOMS').toTell('the number of rooms', numbersIn(answer).length, rooms)
        seen.push(answer)
        return answer
      }
      let last = await look()
      /** The answers that are pending though no room lacks a number. */
      const complete: Exchange[] = []
      for (let looks = 1; statusIn(last) === 'pending' && looks < LOOKS; looks++) {
        if (numbersIn(last).length === rooms && numbersIn(last).every(isNumber)) complete.push(last)
        // Hotels take hours, so the interval doubles each time if a clock can be moved.
        await arrange.elapse(actor, control.offers('advanceClock') ? LATER * 2 ** (looks - 1) : LATER)
        last = await look()
      }
      // A number that is shown while pending may be provisional.
      const notProvisional = () => {
        for (const answer of complete.slice(0, 1))
          expect(answer, 'V1-HOTEL-HCN-BECOMES-AVAILABLE').toShow('hcn_status', 'available')
      }
      if (statusIn(last) === 'pending') notProvisional()
      assume(
        statusIn(last) !== 'pending',
        `hotel confirmation numbers that arrive within ${LOOKS} reads, at least ${LATER / 60} minutes apart`,
      )
      expect(last, 'V1-HOTEL-HCN-BECOMES-AVAILABLE').toShow('hcn_status', 'available')
      expect(last, 'V1-HOTEL-HCN-BECOMES-AVAILABLE').toTell(...roomsWithout(last))
      expect(last, 'V1-HOTEL-HCN-PDF').toShowType('pdf_voucher', 'string')
      expect(last, 'V1-HOTEL-HCN-PDF').not.toShow('pdf_voucher', '')
      const numbers = numbersIn(last)
      for (const later of [0, 0, HOURS_LATER]) {
        if (later > 0 && !control.offers('advanceClock')) continue
        if (later > 0) await control.advanceClock(actor, later)
        const again = await look()
        expect(again, 'V1-HOTEL-HCN-BECOMES-AVAILABLE').toShow('hcn_status', 'available')
        expect(again, 'V1-HOTEL-HCN-BECOMES-AVAILABLE').toTell(
          'the numbers, which were final',
          numbersIn(again),
          numbers,
        )
        expect(again, 'V1-HOTEL-HCN-PDF').toShowType('pdf_voucher', 'string')
      }
      await independently(
        () => claimClosed(context, last, id),
        async () => {
          await act.cancelled({ id }, actor)
          expect(await look(), 'V1-HOTEL-HCN-CANCELLED').toShow('hcn_status', 'cancelled')
        },
        async () => notProvisional(),
      )
    }
    const seller = await arrange.actor('live')
    await independently(
      () => becomes(seller, actor => roomsApart(arrange, { actor })),
      ...(arrange.trafficIsFree ? [() => becomes(seller, actor => roomsOfGroup(arrange, actor))] : []),
    )
  })

  test('becomes cancelled with the booking', {
    tags: [
      'V1-HOTEL-HCN-CANCELLED',
      'V1-HOTEL-HCN-STAYS-CANCELLED',
      'V1-HOTEL-STATE-CANCELLED',
      'V1-HOTEL-DETAIL-LIVE-MODE',
    ],
    kinds,
  }, async ({ arrange, act, control, expect }) => {
    const actor = await arrange.actor('live')
    const order = await arrange.order({ actor, offer: () => roomsOfGroup(arrange, actor) })
    const look = () => actor.v1.hotels.number({ id_orden: order.id })
    await look()
    await act.cancelled(order, actor)
    const read = await act.read(order, actor)
    expect(read, 'V1-HOTEL-STATE-CANCELLED').toShow('booking.status', 'cancelled')
    expect(read, 'V1-HOTEL-DETAIL-LIVE-MODE').not.toShow('test_mode', true)
    expect(await look(), 'V1-HOTEL-HCN-CANCELLED').toShow('hcn_status', 'cancelled')
    for (const later of [0, HOURS_LATER]) {
      if (later > 0 && !control.offers('advanceClock')) continue
      if (later > 0) await control.advanceClock(actor, later)
      expect(await look(), 'V1-HOTEL-HCN-STAYS-CANCELLED').toShow('hcn_status', 'cancelled')
    }
  })

  test('becomes cancelled with a test booking', {
    tags: ['V1-HOTEL-HCN-CANCELLED-TEST'],
    kinds,
  }, async ({ v1, arrange, act, expect }) => {
    await arrange.testCredential()
    const order = await arrange.order({ offer: () => roomsOfGroup(arrange) })
    const look = () => v1.hotels.number({ id_orden: order.id })
    await look()
    await act.cancelled(order)
    for (let time = 1; time <= (arrange.trafficIsFree ? 2 : 1); time++)
      expect(await look()).toShow('hcn_status', 'cancelled')
  })
})
