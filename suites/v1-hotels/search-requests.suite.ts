import {
  checksOf,
  groupChecks,
  type RoomSearches,
  type Sender,
  searchesFor,
  type V1Requests,
} from '../../fixtures/check/requests/index.ts'
import {
  askOf,
  found,
  type HotelCheck,
  searched,
  sentSearch,
  stayIn,
  type V1Room,
  type V1SearchAsk,
} from '../../fixtures/check/v1/index.ts'
import { hotelOccupancy, hotelSearch, hotelStay, type StayCase } from '../../fixtures/service/index.ts'
import { addDays, assume, describe, ifHad, test } from '../../fixtures/test.ts'

const stays = new WeakMap<object, Promise<V1SearchAsk>>()

/** How searches are written and started. Those of one check are for one stay, and another one in another turn. */
const searching: RoomSearches<HotelCheck> = {
  list: 'occupancies',
  room: ages => ({ adults: 2, ...(ages.length > 0 && { childrenAges: ages }) }),
  async ask(check, rooms, turn) {
    if (turn > 1) stays.delete(check)
    const stay = stays.get(check) ?? askOf(check)
    stays.set(check, stay)
    return check.arrange.adapter.searchBody({ ...(await stay), rooms: rooms as unknown as V1Room[] })
  },
  start: searched,
  async end({ arrange }, { occupancies, id_location, mode }, started) {
    const { checkIn, nights } = stayIn(started)
    const ask = { place: id_location, checkIn, nights, rooms: occupancies, mode } as V1SearchAsk
    return arrange.adapter.follow(await arrange.actor(), ask)
  },
}

/** Returns a search of a place with a hotel for the largest room: elsewhere, a missing room beyond it says nothing. */
async function widest(check: HotelCheck): Promise<V1SearchAsk> {
  const search = await ifHad(found(check, [{ adults: 20 }]))
  return askOf(check, search && { place: search.ask.place, checkIn: search.ask.checkIn })
}

const rooms = searchesFor('v1-hotels', {
  ...searching,
  ask(check, rooms, turn) {
    if (!stays.has(check)) stays.set(check, widest(check))
    return searching.ask(check, rooms, turn)
  },
})
const searches: V1Requests<'v1-hotels'> = {
  ...searchesFor('v1-hotels', searching),
  // The full mode may use other code.
  others: (valid, _, { arrange }) => (arrange.trafficIsFree ? [{ ...valid, mode: 'full' }] : []),
  send: sentSearch,
}

for (const [table, requests] of [
  [hotelSearch, searches],
  [hotelOccupancy, rooms],
] as const)
  describe(table.subject, () => {
    for (const { title, body, ...options } of checksOf(table, requests)) test(title, options, body)
  })

const days: Sender<'v1-hotels', HotelCheck, StayCase> = {
  ...searchesFor('v1-hotels', { ...searching, start: sentSearch }),
  async write(check, { ahead, ...ask }) {
    const { arrange } = check
    const today = new Date((await arrange.actor()).now()).toISOString().slice(0, 10)
    const stay = { ...ask, ...(ahead !== undefined && { checkIn: addDays(today, ahead) }) }
    return arrange.adapter.searchBody(await askOf(check, stay))
  },
  beside: () => ({}),
  said: ({ ahead, nights, mode = 'paged' }) =>
    `${ahead === undefined ? 'an ordinary check-in' : `${ahead} days from today`}, ${nights ?? 'as many nights as are sold'}, ${mode}`,
  async accepts(check, write) {
    assume.sold(await searched(check, await write()), 'the same search of other days')
  },
}

describe(hotelStay.subject, () => {
  for (const { title, body, ...options } of groupChecks(days, hotelStay)) test(title, options, body)
})
