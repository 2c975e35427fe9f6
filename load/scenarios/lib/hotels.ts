import { sleep } from 'k6'
import type { HotelSeen } from '../../../fixtures/deployments/definition.ts'
import { segmentOf } from '../../../fixtures/service/ids.ts'
import { read } from './adapters.ts'
import type { Bookable } from './bookable.ts'
import { send } from './call.ts'
import { type Iteration, spreadOver } from './iteration.ts'

/** A search that was followed as far as it went. */
export interface Search {
  hotels: HotelSeen[]
  finished: boolean
  /** Milliseconds from its start to the answer of the last poll. */
  took: number
  polls: number
  /** Polls that showed fewer hotels than one before, where it was followed closely. */
  shrunk: number
}

/** Interval and timeout of the polls of a search. */
export interface Following {
  /** Milliseconds from the answer of one poll to the next. */
  pollEvery: number
  /** Seconds after which it is given up. */
  timeout: number
  /** Reads the hotels of every poll, which is dear, and not those of the last one alone, which has them all. */
  closely?: boolean
}

/** Starts a search of this iteration's own and polls it; `undefined` where it could not be started. */
export function search(
  iteration: Iteration,
  { pollEvery, timeout, closely = false }: Following,
): Search | undefined {
  const shape = iteration.plan.shapes.hotels
  if (shape === undefined) return undefined
  const began = Date.now()
  const started = send(iteration, {
    op: 'v2 hotel search',
    method: 'POST',
    path: '/api/v2/hotels/availability',
    body: spreadOver(shape.searches, iteration.round),
  })
  const searchId = started.succeeded ? read.searchId(started.json()) : undefined
  if (searchId === undefined) return undefined
  const path = `/api/v2/hotels/availability/${segmentOf(searchId)}`
  const found = new Map<string | number, HotelSeen>()
  let [finished, polls, shrunk, most, took] = [false, 0, 0, 0, 0]
  const look = (body: unknown) => {
    const hotels = read.hotels(body)
    for (const hotel of hotels) found.set(hotel.hotelId, hotel)
    if (hotels.length < most) shrunk++
    most = Math.max(most, hotels.length)
  }
  let last: unknown
  while (!finished && Date.now() - began < timeout * 1000) {
    sleep(pollEvery / 1000)
    const poll = send(iteration, { op: 'v2 hotel poll', method: 'GET', path })
    took = Date.now() - began
    polls++
    if (!poll.succeeded) break
    last = poll.json()
    finished = read.finished(last)
    if (closely) look(last)
  }
  if (!closely) look(last)
  return { hotels: [...found.values()], finished, took, polls, shrunk }
}

/** Rooms of a search of this iteration's own that can be cancelled online as far as is known. */
export function findHotels(iteration: Iteration, following: Following): Bookable[] {
  const item = iteration.plan.shapes.hotels?.item
  const { hotels = [] } = search(iteration, following) ?? {}
  return hotels
    .filter(
      ({ cancellableOnline, rooms }) =>
        cancellableOnline !== false && rooms.every(offers => offers.length > 0),
    )
    .map(({ rooms }) => ({
      kind: 'hotels',
      items: rooms.map(offers => ({ offerId: spreadOver(offers, iteration.round).offerId, item })),
    }))
}
