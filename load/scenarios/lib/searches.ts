import { sleep } from 'k6'
import type { Buyer } from '../../../fixtures/client/sales.ts'
import type { HotelSeen } from '../../../fixtures/deployments/definition.ts'
import type { JsonObject } from '../../../fixtures/json.ts'
import type { Ask } from '../../plan/plan.ts'
import { read } from './adapters.ts'
import type { Iteration } from './iteration.ts'
import { listed, objectIn } from './reading.ts'
import { type Answer, ask } from './send.ts'

/** A search that was followed as far as it went. */
export interface Search<Hotel> {
  /** The number of records of hotels in its last answer, or of hotels where it was read whole. */
  count: number
  /** Reads one of them; `undefined` where the record is of no hotel. */
  hotelAt(place: number): Hotel | undefined
  /** Reads all of them, which is dear. */
  all(): readonly Hotel[]
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
  /** Counts the hotels of every poll, which is dear. */
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
  /** The name of the list of hotels, where it is the same everywhere. */
  list?: string
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
  list: 'hotels',
  answersAtOnce: true,
}

/** Starts a search and polls it; `undefined` where it could not be started. */
export function search<Hotel>(
  iteration: Iteration,
  searching: Searching<Hotel>,
  { request, list = searching.list }: Pick<Ask, 'request' | 'list'>,
  { pollEvery, timeout, closely = false }: Following,
): Search<Hotel> | undefined {
  const began = Date.now()
  const started = ask(iteration, by => searching.start(by, request))
  if (!started.succeeded) return undefined
  let last = viewOf(started, closely ? undefined : list)
  let reference = searching.reference(last.around)
  let [polls, shrunk, most, took] = [0, 0, 0, Date.now() - began]
  const count = () => {
    if (!closely) return
    const { length } = searching.hotels(last.around)
    if (length < most) shrunk++
    most = Math.max(most, length)
  }
  let finished = searching.answersAtOnce && searching.finished(last.around)
  if (!finished && reference === undefined) return undefined
  if (searching.answersAtOnce) count()
  while (!finished && Date.now() - began < timeout * 1000) {
    sleep(pollEvery / 1000)
    const poll = ask(iteration, by => searching.poll(by, reference!, request))
    took = Date.now() - began
    polls++
    if (!poll.succeeded) break
    last = viewOf(poll, closely ? undefined : list)
    finished = searching.finished(last.around)
    if (searching.answersAtOnce) reference = searching.reference(last.around) ?? reference
    count()
  }
  return { ...hotelsIn(last, searching), finished, took, polls, shrunk }
}

/** An answer as adapters get it: whole, or without the records of its long list, each of which is read by itself. */
interface View {
  around: unknown
  records?: { count(): number; at(place: number): unknown; whole(): unknown }
}

/** Names that stand for themselves in a path. */
const PLAIN = /^[a-z]\w*$/i

/**
 * Looks at an answer without reading its list of hotels, which k6 passes over in a tenth of the time. Where it has no such
 * list, it is read whole.
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
