import { expect, test } from 'vitest'
import { pagedAnswerOf } from '../../read/answer-collector.ts'
import { exchangeFor, request, stageOf } from '../../testing/evidence.ts'
import { judgePaged } from './search-polling.ts'

/** An answer of a search, with the milliseconds since its start. */
interface Answered {
  at?: number
  status?: number
  id?: string
  finish?: boolean
  hotels?: number[]
}

/** Returns a search that is continued with the reference of the previous answer. */
function searched(...answers: Answered[]) {
  let reference: string | undefined
  return answers.map(({ at = 0, status = 200, id = 's1', finish = false, hotels = [] }) => {
    const sent = { id_location: 1, ...(reference !== undefined && { id_search: reference }) }
    reference = id
    const json =
      status < 400
        ? { hotels: hotels.map(id_hotel => ({ id_hotel })), finish, isCached: false, id_search: id }
        : { error: 'Unknown or expired id_search', message: 'Start anew.', code: status, request_id: 'r' }
    const exchange = exchangeFor(request(at, { op: 'v1 hotel search', status }), {
      method: 'POST',
      path: '/api/v1/hotel/distribution/hotelSearch',
      sent,
      json,
    })
    const paged = pagedAnswerOf(exchange.request.body, exchange.response.json)
    return paged === undefined ? exchange : { ...exchange, paged }
  })
}

const judged = (...searches: ReturnType<typeof searched>[]) =>
  judgePaged(stageOf({ scenario: 'search-polling', exchanges: searches.flat() })).map(decision => [
    decision.clause.replace('V1-HOTEL-SEARCH-', ''),
    decision.outcome,
  ])

const outcomes = (goesOn: string, ends: string) => [
  ['CONTINUE', goesOn],
  ['ENDS', ends],
]
const [kept, broken, undecided] = ['kept', 'broken', 'undecided'] as const

const [ALL_KEPT, NOTHING] = [outcomes(kept, kept), outcomes(undecided, undecided)]

const FIRST = { hotels: [1] }
const LAST = { at: 400, hotels: [1, 2, 3], finish: true }

test('searches that go on until they end conform, with any number of polls and any reference', () => {
  const slow = [
    FIRST,
    ...[1, 2, 3, 4].map(poll => ({ at: poll * 20_000, hotels: [1] })),
    { ...LAST, at: 90_000 },
  ]
  expect(judged(searched(FIRST, LAST))).toEqual(ALL_KEPT)
  expect(judged(searched(...slow))).toEqual(ALL_KEPT)
  expect(judged(searched(FIRST, { at: 9, hotels: [2, 1], id: 's2' }, LAST))).toEqual(ALL_KEPT)
})

test.each([
  ['a reference that is refused', [FIRST, { at: 9, status: 400 }], outcomes(broken, undecided)],
  ['a search without an end', [FIRST, { at: 119_000, hotels: [1] }], outcomes(kept, broken)],
])('%s is found', (_, answers, expected) => {
  expect(judged(searched(...answers))).toEqual(expected)
})

test.each([
  ['end with their first answer', [searched({ ...FIRST, finish: true })], NOTHING],
  ['cannot be started', [searched({ status: 502 })], NOTHING],
  ['are limited, and given up', [searched(FIRST, { at: 5, status: 429 })], NOTHING],
  ['are given up early', [searched(FIRST, { at: 900, hotels: [1] })], outcomes(kept, undecided)],
])('searches that %s show no more than they can', (_, searches, expected) => {
  expect(judged(...searches)).toEqual(expected)
})
