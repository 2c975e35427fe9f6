import type { HotelCheck } from '../../fixtures/check/v1/searches.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { isObject } from '../../fixtures/contracts/reading.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

/** Returns whether an answer holds anything beside its own id: its fields are not shown. */
function holdsContent(json: unknown): boolean {
  if (Array.isArray(json)) return json.some(holdsContent)
  if (!isObject(json)) return typeof json === 'string' && json.trim() !== ''
  return Object.entries(json).some(([name, value]) => name !== 'request_id' && holdsContent(value))
}

const CONTENT: readonly [
  clause: ClauseId,
  what: string,
  name: 'data' | 'details',
  read: (context: HotelCheck) => ReturnType<HotelCheck['arrange']['adapter']['data']>,
  caching: ClauseId,
][] = [
  [
    'V1-HOTEL-HOTEL-DATA',
    'content/hotelData',
    'data',
    async ({ arrange }) => arrange.adapter.data(await arrange.actor()),
    'CACHE-V1-HOTEL-DATA',
  ],
  [
    'V1-HOTEL-HOTEL-DETAILS',
    'content/hotelDetails',
    'details',
    async ({ arrange }) => arrange.adapter.details(await arrange.actor()),
    'CACHE-V1-HOTEL-DETAILS',
  ],
]

for (const [clause, what, name, read, caching] of CONTENT) {
  describe(what, () => {
    test('describes a hotel, and may be kept for an hour', {
      tags: [clause, caching],
      kinds: ['v1-hotels'],
    }, async context => {
      const answer = await read(context)
      const holds = holdsContent(answer.response.json)
      // To find nothing is an honest answer to a question that is not understood.
      assume(
        holds || !context.arrange.adapter.guesses[name],
        `the parameters of ${what}: say them in shapes.v1Hotels of the definition`,
      )
      context.claim(clause, holds, {
        tried: `Reading ${what} of a hotel`,
        expected: 'its description, facilities and images',
        observed: `${answer.response.body.length} bytes without any text`,
        exchanges: [answer],
      })
    })
  })
}
