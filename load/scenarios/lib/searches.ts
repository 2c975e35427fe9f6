import { sleep } from 'k6'
import type { Buyer } from '../../../fixtures/client/sales.ts'
import type { HotelSeen } from '../../../fixtures/deployments/definition.ts'
import type { JsonObject } from '../../../fixtures/json.ts'
import { read } from './adapters.ts'
import type { Iteration } from './iteration.ts'
import { listed, objectIn } from './reading.ts'
import { ask } from './send.ts'

/** A search that was followed as far as it went. */
export interface Search<Hotel> {
  hotels: Hotel[]
  finished: boolean
  /** Milliseconds from its start to the last answer. */
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

/** How searches of an API version are made and read. */
interface Searching<Hotel> {
  start(by: Buyer, request: unknown): unknown
  /** Reads what its next poll is made with; `undefined` where an answer does not say. */
  reference(answer: unknown): string | number | undefined
  poll(by: Buyer, reference: string | number, request: unknown): unknown
  finished(answer: unknown): boolean
  hotels(answer: unknown): readonly Hotel[]
  idOf(hotel: Hotel): unknown
  /** Every answer has results and a reference, the first one too. */
  answersAtOnce: boolean
}

/** Searches of API v2: a reference, then polls. */
export const V2: Searching<HotelSeen> = {
  start: ({ v2 }, request) => v2.hotelSearch(request),
  reference: read.searchId,
  poll: ({ v2 }, reference) => v2.hotelSearchPoll(reference),
  finished: read.finished,
  hotels: read.hotels,
  idOf: ({ hotelId }) => hotelId,
  answersAtOnce: false,
}

/** Paged searches of API v1: the same call again, with `id_search` added. */
export const V1: Searching<JsonObject> = {
  start: ({ v1 }, request) => v1.hotels.search(request),
  reference(answer) {
    const { id_search: id } = objectIn(answer)
    return typeof id === 'string' && id !== '' ? id : undefined
  },
  poll: ({ v1 }, id_search, request) => v1.hotels.search({ ...objectIn(request), id_search }),
  finished: answer => objectIn(answer).finish === true,
  hotels: answer => listed(answer, 'hotels'),
  idOf: ({ id_hotel: id }) => id,
  answersAtOnce: true,
}

/** Starts a search and polls it; `undefined` where it could not be started. */
export function search<Hotel>(
  iteration: Iteration,
  searching: Searching<Hotel>,
  request: unknown,
  { pollEvery, timeout, closely = false }: Following,
): Search<Hotel> | undefined {
  const began = Date.now()
  const started = ask(iteration, by => searching.start(by, request))
  if (!started.succeeded) return undefined
  let last = started.json()
  let reference = searching.reference(last)
  const found = new Map<unknown, Hotel>()
  let [polls, shrunk, most, took] = [0, 0, 0, Date.now() - began]
  const look = () => {
    const hotels = searching.hotels(last)
    for (const hotel of hotels) found.set(searching.idOf(hotel), hotel)
    if (hotels.length < most) shrunk++
    most = Math.max(most, hotels.length)
  }
  let finished = searching.answersAtOnce && searching.finished(last)
  if (!finished && reference === undefined) return undefined
  if (closely && searching.answersAtOnce) look()
  while (!finished && Date.now() - began < timeout * 1000) {
    sleep(pollEvery / 1000)
    const poll = ask(iteration, by => searching.poll(by, reference!, request))
    took = Date.now() - began
    polls++
    if (!poll.succeeded) break
    last = poll.json()
    finished = searching.finished(last)
    if (searching.answersAtOnce) reference = searching.reference(last) ?? reference
    if (closely) look()
  }
  if (!closely && (polls > 0 || searching.answersAtOnce)) look()
  return { hotels: [...found.values()], finished, took, polls, shrunk }
}
