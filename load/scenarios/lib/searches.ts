import { sleep } from 'k6'
import type { Buyer } from '../../../fixtures/client/requests/sales.ts'
import type { HotelSeen } from '../../../fixtures/deployments/definition/definition.ts'
import type { JsonObject } from '../../../fixtures/ground/json.ts'
import type { Ask } from '../../plan/plan.ts'
import { read } from './adapters.ts'
import type { Iteration } from './iteration.ts'
import { listed, objectIn } from './reading.ts'
import { type Answer, ask } from './send.ts'

/** A search and the result of its last poll. */
export interface Search<Hotel> {
  /** The number of hotel records in its last answer, or of hotels if it was parsed whole. */
  count: number
  /** Parses one of them; `undefined` if the record is not a hotel. */
  hotelAt(place: number): Hotel | undefined
  /** Parses all of them, which is slow. */
  all(): readonly Hotel[]
  finished: boolean
  /** Milliseconds from its start to the last answer. */
  took: number
  polls: number
}

/** The interval and timeout of the polls of a search. */
export interface Following {
  /** Milliseconds between the answer of a poll and the next poll. */
  pollEvery: number
  /** Seconds after which the search is given up. */
  timeout: number
}

/** How searches of an API version are started and read. */
interface Searching<Hotel> {
  start(by: Buyer, request: unknown): unknown
  /** Returns the reference for the next poll; `undefined` if the answer has none. */
  reference(answer: unknown): string | number | undefined
  poll(by: Buyer, reference: string | number, request: unknown): unknown
  finished(answer: unknown): boolean
  hotels(answer: unknown): readonly Hotel[]
  /** The name of the list of hotels, if the document states it. */
  list?: string
  /** Whether every answer has results and a reference, including the first. */
  answersAtOnce: boolean
}

/** v2 searches: a reference, then polls. */
export const V2: Searching<HotelSeen> = {
  start: ({ v2 }, request) => v2.hotelSearch(request),
  reference: read.searchId,
  poll: ({ v2 }, reference) => v2.hotelSearchPoll(reference),
  finished: read.finished,
  hotels: read.hotels,
  answersAtOnce: false,
}

/** Paged v1 searches: the same call again with `id_search`. */
export const V1: Searching<JsonObject> = {
  start: ({ v1 }, request) => v1.hotels.search(request),
  reference(answer) {
    const { id_search: id } = objectIn(answer)
    return typeof id === 'string' && id !== '' ? id : undefined
  },
  poll: ({ v1 }, id_search, request) => v1.hotels.search({ ...objectIn(request), id_search }),
  finished: answer => objectIn(answer).finish === true,
  hotels: answer => listed(answer, 'hotels'),
  list: 'hotels',
  answersAtOnce: true,
}

/** Starts a search and polls it; `undefined` if it could not be started. */
export function search<Hotel>(
  iteration: Iteration,
  searching: Searching<Hotel>,
  { request, list = searching.list }: Pick<Ask, 'request' | 'list'>,
  { pollEvery, timeout }: Following,
): Search<Hotel> | undefined {
  const began = Date.now()
  const started = ask(iteration, by => searching.start(by, request))
  if (!started.succeeded) return undefined
  let last = viewOf(started, list)
  let reference = searching.reference(last.around)
  let polls = 0
  let took = Date.now() - began
  let finished = searching.answersAtOnce && searching.finished(last.around)
  if (!finished && reference === undefined) return undefined
  while (!finished && Date.now() - began < timeout * 1000) {
    sleep(pollEvery / 1000)
    const poll = ask(iteration, by => searching.poll(by, reference!, request))
    took = Date.now() - began
    polls++
    if (!poll.succeeded) break
    last = viewOf(poll, list)
    finished = searching.finished(last.around)
    if (searching.answersAtOnce) reference = searching.reference(last.around) ?? reference
  }
  return { ...hotelsIn(last, searching), finished, took, polls }
}

/** An answer for adapters: whole, or without the records of its long list, which are parsed one by one. */
interface View {
  around: unknown
  records?: { count(): number; at(place: number): unknown; whole(): unknown }
}

/** Names that need no escaping in a path. */
const PLAIN = /^[a-z]\w*$/i

/**
 * Reads an answer without parsing its list of hotels, in a tenth of the time. Without such a list it is parsed
 * whole.
 */
function viewOf(answer: Answer, list: string | undefined): View {
  const names = list === undefined ? undefined : answer.at('@keys')
  if (list === undefined || !Array.isArray(names) || !names.includes(list) || !names.every(isPlain))
    return { around: answer.json() }
  const others = names.filter(name => name !== list)
  const around = { ...objectIn(answer.part(`{${others.join()}}`)), [list]: [] }
  return {
    around,
    records: {
      count: () => Number(answer.at(`${list}.#`) ?? 0),
      at: place => ({ ...around, [list]: [answer.part(`${list}.${place}`)] }),
      whole: () => answer.json(),
    },
  }
}

const isPlain = (name: string): boolean => PLAIN.test(name)

function hotelsIn<Hotel>(
  { around, records }: View,
  { hotels }: Searching<Hotel>,
): Pick<Search<Hotel>, 'count' | 'hotelAt' | 'all'> {
  if (records !== undefined) {
    const { count, at, whole } = records
    return { count: count(), hotelAt: place => hotels(at(place))[0], all: () => hotels(whole()) }
  }
  const all = hotels(around)
  return { count: all.length, hotelAt: place => all[place], all: () => all }
}
