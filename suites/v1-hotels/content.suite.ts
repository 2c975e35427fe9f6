import { namesOneOf } from '../../fixtures/check/buying/index.ts'
import type { HotelCheck } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { isObject } from '../../fixtures/contracts/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

/** Hotel content in part 4.1. Its fields are not shown, so either a name or a value may show it. */
const KINDS = {
  'a description': {
    name: /descri|summary|about|text/i,
    shows: (value: unknown) => typeof value === 'string' && /\p{L}+(?:[\s,]+\p{L}+){4}/u.test(value),
  },
  facilities: { name: /facilit|amenit|servic|feature|instala|comodid/i, shows: areNames },
  images: {
    name: /image|photo|foto|picture|media|gallery/i,
    shows: (value: unknown) =>
      typeof value === 'string' && /^https?:\/\/\S+$|\.(?:jpe?g|png|webp|avif|gif)(?:\?|$)/i.test(value),
  },
} as const

/** Returns whether a value is a list of short names, of things that have one and are no rooms, or of yes and no. */
function areNames(value: unknown, key: string): boolean {
  const isName = (one: unknown) => typeof one === 'string' && !/[/.]|(?:\S\s+){6}/.test(one)
  const texts = (one: unknown) =>
    isObject(one) && !/room/i.test(key) ? Object.values(one).filter(part => typeof part !== 'number') : [one]
  if (isObject(value)) return Object.values(value).every(one => typeof one === 'boolean')
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(one => texts(one).some(isName) && texts(one).every(isName))
  )
}

/** Returns the content of an answer, without its request id. */
const contentOf = (json: unknown): string =>
  JSON.stringify(json, (key, value) => (key === 'request_id' ? undefined : value))

/** Returns the ids in the queries of requests: whatever is not in all of them. */
function idsIn(paths: ReadonlySet<string>): string[] {
  const queries = [...paths].map(path => [...new URL(path, 'http://hotels').searchParams.values()])
  return queries.flat().filter(value => !queries.every(values => values.includes(value)))
}

/** Returns the kinds of content in an answer. */
function contentIn(json: unknown): Set<string> {
  if (typeof json !== 'object' || json === null) return new Set()
  return new Set(
    Object.entries(json).flatMap(([key, value]) => [
      ...Object.entries(KINDS).flatMap(([kind, { name, shows }]) =>
        (name.test(key) && value !== null && value !== '') || shows(value, key) ? [kind] : [],
      ),
      ...contentIn(value),
    ]),
  )
}

const CONTENT: readonly [
  clause: ClauseId,
  what: string,
  name: 'data' | 'details',
  read: (context: HotelCheck, nth?: number) => ReturnType<HotelCheck['arrange']['adapter']['data']>,
  caching: ClauseId,
][] = [
  [
    'V1-HOTEL-HOTEL-DATA',
    'content/hotelData',
    'data',
    async ({ arrange }, nth) => arrange.adapter.data(await arrange.actor(), nth),
    'CACHE-V1-HOTEL-DATA',
  ],
  [
    'V1-HOTEL-HOTEL-DETAILS',
    'content/hotelDetails',
    'details',
    async ({ arrange }, nth) => arrange.adapter.details(await arrange.actor(), nth),
    'CACHE-V1-HOTEL-DETAILS',
  ],
]

for (const [clause, what, name, read, caching] of CONTENT) {
  describe(what, () => {
    test('describes a hotel, and may be cached for an hour', {
      tags: [clause, caching],
      kinds: ['v1-hotels'],
    }, async context => {
      const answer = await read(context)
      const holds = contentIn(answer.response.json).size > 0
      // Finding nothing is a legal answer to a query that is not understood.
      assume(
        holds || !context.arrange.adapter.guesses[name],
        `the parameters of ${what} (shapes.v1Hotels in the definition)`,
      )
      const size = `${answer.response.body.length} bytes`
      context.expect(answer, clause).toGive('description, facilities and images', holds, size)
      assume(!context.arrange.adapter.guesses[name], `the parameters of ${what} of three hotels`)
      // Different hotels may share their whole content, as in a sandbox, but not one that names one of them.
      const answers = [answer, await read(context, 1), await read(context, 2)]
      const [told, ...others] = new Set(answers.map(({ response }) => contentOf(response.json)))
      const asked = new Set(answers.map(({ request }) => request.path))
      assume(answers.every(succeeded) && asked.size > 2, `${what} of three hotels`)
      const differs = others.length > 0 || !namesOneOf(told!, idsIn(asked))
      context.expect(answers[2]!, clause).toGive('another answer than for other hotels', differs)
    })
  })
}

describe('content/hotelData and content/hotelDetails', () => {
  test('together hold description, facilities and images of a hotel', {
    tags: ['V1-HOTEL-CONTENT-KINDS'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, expect } = context
    const answers = await Promise.all(CONTENT.map(async ([, , , read]) => read(context)))
    const { guesses } = arrange.adapter
    const held = new Set(answers.flatMap(({ response }) => [...contentIn(response.json)]))
    assume(
      held.size > 0 || !(guesses.data || guesses.details),
      'the parameters of hotelData and hotelDetails',
    )
    const missing = Object.keys(KINDS).filter(kind => !held.has(kind))
    expect(answers.at(-1)!, 'V1-HOTEL-CONTENT-KINDS').toTell('what neither answer holds', missing, [])
  })
})
