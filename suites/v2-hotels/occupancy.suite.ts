import { isDeepStrictEqual } from 'node:util'
import type { HotelSeen, Room, Search } from '../../fixtures/check/products/index.ts'
import { checksOf, searchesFor } from '../../fixtures/check/requests/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { hotelRooms } from '../../fixtures/service/index.ts'
import { assume, describe, type Exchange, type ProductCheck, test } from '../../fixtures/test.ts'

type HotelCheck = ProductCheck<'hotels'>

const COUPLE: Room = { adults: 2, childAges: [] }

/** The number of places searched if the first has nothing. */
const TRIES = 3

/** Where rooms are searched. */
interface Place {
  destination: string | number
  /** On another day there may be other hotels. */
  checkIn: string
}

/** A search as the adapter takes it. */
interface Asked extends Place {
  rooms: readonly Room[]
}

/** Starts a search for those rooms, which may be refused. */
const ask = async ({ arrange }: HotelCheck, asked: Asked) => arrange.adapter.try(await arrange.actor(), asked)

const covering = (hotels: readonly HotelSeen[]): readonly HotelSeen[] =>
  hotels.filter(hotel => hotel.rooms.every(room => room.length > 0))

/**
 * Returns whether searches within the limits that differ only in occupancy have different answers: fields with guessed names
 * may be ignored. Each room is searched twice, alternately and for one day, so that a market change is not taken for a
 * difference.
 */
async function minds(context: HotelCheck, place: Place, [one, other]: readonly Room[]): Promise<boolean> {
  const shown = async (room: Room) => {
    const { started, toItsEnd } = await ask(context, { ...place, rooms: [room] })
    assume.accepted(started, 'a hotel search within the limits')
    const { hotels } = await toItsEnd()
    return hotels.map(({ hotelId, rooms }) => [hotelId, rooms.flat().map(({ total }) => total)])
  }
  const [first, second] = [await shown(one!), await shown(other!)]
  const areSame = isDeepStrictEqual([first, second], [await shown(one!), await shown(other!)])
  return areSame && !isDeepStrictEqual(first, second)
}

const places = new WeakMap<HotelCheck, Promise<Place & { hasHotels: boolean }>>()

/** Returns the place of a check. */
function placeFor(context: HotelCheck) {
  const place = places.get(context) ?? aPlace(context)
  places.set(context, place)
  return place
}

/**
 * Returns a place where ordinary rooms are found, otherwise the first place. Requires that the search is accepted: a body
 * that is refused anyway says nothing about its rooms.
 */
async function aPlace(context: HotelCheck): Promise<Place & { hasHotels: boolean }> {
  const { act, arrange } = context
  const destinations = await arrange.adapter.destinations(await arrange.actor(), TRIES)
  const checkIn = arrange.adapter.day()
  for (const destination of destinations.slice(0, TRIES)) {
    const place = { destination, checkIn }
    const { started, toItsEnd } = await ask(context, { ...place, rooms: [COUPLE, COUPLE] })
    // An ordinary search shows whether hotels are sold at all.
    if (!succeeded(started)) await act.checked('a checked offer', () => arrange.offer())
    assume.sold(started, 'a hotel search within the limits')
    if (covering((await toItsEnd()).hotels).length > 0) return { ...place, hasHotels: true }
  }
  return { destination: destinations[0]!, checkIn, hasHotels: false }
}

const ends = new WeakMap<Exchange, () => Promise<Search>>()

const rooms = searchesFor<'hotels', HotelCheck>('hotels', {
  list: 'rooms',
  room: childAges => ({ adults: 2, childAges }),
  async ask(check, rooms) {
    const { destination, checkIn } = await placeFor(check)
    return { destination, checkIn, rooms }
  },
  async start(check, asked) {
    const { started, toItsEnd } = await ask(check, asked as unknown as Asked)
    ends.set(started, toItsEnd)
    return started
  },
  async end(check, asked, started) {
    const { rooms, ...place } = asked as unknown as Asked
    const { hotels: found, polls } = await ends.get(started)!()
    const hotels = covering(found)
    // Finding nothing says nothing if nobody finds anything.
    assume(hotels.length > 0 || (await placeFor(check)).hasHotels, 'a destination with hotels')
    const isOfAges = rooms.every(({ adults }) => adults === COUPLE.adults)
    const other = isOfAges ? { adults: 2, childAges: [3, 11] } : { adults: 1, childAges: [] }
    assume(
      hotels.length === 0 || (await minds(check, place, [COUPLE, other])),
      'a search that considers the guests of a room: state their field names in shapes.hotels.search',
    )
    return { last: polls.at(-1) ?? started, hotels }
  },
})

describe(hotelRooms.subject, () => {
  for (const { title, body, ...options } of checksOf(hotelRooms, rooms)) test(title, options, body)
})
