import { at, isObject } from '../../fixtures/contracts/reading.ts'
import { jsonIn } from '../../fixtures/read-json.ts'
import type { PagedAnswer } from './evidence.ts'

/**
 * Returns what an answer to a v1 hotel search shows of its search: it may be megabytes long, and little of it is kept.
 * `undefined` for any other answer.
 */
export function pagedAnswerOf(body: Uint8Array | null, json: unknown): PagedAnswer | undefined {
  const hotels = at(json, 'hotels')
  if (!Array.isArray(hotels)) return undefined
  const [asked, id] = [at(jsonIn(body), 'id_search'), at(json, 'id_search')]
  return {
    ...(typeof asked === 'string' ? { continues: asked } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    finished: at(json, 'finish') === true,
    hotels: hotels.filter(isObject).map(({ id_hotel: hotel }) => String(hotel)),
  }
}
