import { namesOneOf } from '../../fixtures/check/buying/index.ts'
import type { HotelCheck } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { isObject, objectsIn, textOf } from '../../fixtures/contracts/index.ts'
import { assume, describe, type Exchange, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/** Returns whether a value is a list of short names, of things that have one, or of yes and no. */
function areNames(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).every(one => typeof one === 'boolean')
  const texts = (one: unknown) =>
    (isObject(one) ? Object.values(one) : [one]).filter(part => typeof part !== 'number')
  const isName = (one: unknown) => typeof one === 'string' && !/[/.]|(?:\S\s+){6}/.test(one)
  return Array.isArray(value) && value.length > 0 && value.every(one => texts(one).every(isName))
}

/** Hotel content in part 4.1. Its fields are not shown, so either a name or a value may show it. */
const KINDS: Readonly<
  Record<string, readonly [name: RegExp, shows: (value: unknown, name: string) => boolean]>
> = {
  'a description': [
    /descri|summary|about|text/i,
    value => typeof value === 'string' && /\p{L}+(?:[\s,]+\p{L}+){4}/u.test(value),
  ],
  facilities: [
    /facilit|amenit|servic|feature|instala|comodid/i,
    (value, name) => !/room/i.test(name) && areNames(value),
  ],
  images: [
    /image|photo|foto|picture|media|gallery/i,
    value =>
      [value]
        .flat()
        .some(one => /^https?:\/\/\S+$|\.(?:jpe?g|png|webp|avif|gif)(?:\?|$)/i.test(textOf(one ?? null))),
  ],
}

/** Returns the kinds of content in an answer. */
const contentIn = ({ response }: Exchange): Set<string> =>
  new Set(
    [...objectsIn(response.json)].flatMap(({ object }) =>
      Object.entries(object).flatMap(([field, value]) =>
        Object.entries(KINDS).flatMap(([kind, [name, shows]]) =>
          (name.test(field) && value !== null && value !== '') || shows(value, field) ? [kind] : [],
        ),
      ),
    ),
  )

/** Returns the content of an answer, without its request id. */
const contentOf = ({ response }: Exchange): string =>
  JSON.stringify(response.json, (key, value) => (key === 'request_id' ? undefined : value))

/** Returns the ids in the queries of requests: whatever is not in all of them. */
function idsIn(answers: readonly Exchange[]): string[] {
  const queries = answers.map(({ request }) => [
    ...new URL(request.path, 'http://hotels').searchParams.values(),
  ])
  return queries.flat().filter(value => !queries.every(values => values.includes(value)))
}

const CONTENT = [
  ['V1-HOTEL-HOTEL-DATA', 'data', 'CACHE-V1-HOTEL-DATA'],
  ['V1-HOTEL-HOTEL-DETAILS', 'details', 'CACHE-V1-HOTEL-DETAILS'],
] as const

const read = async ({ arrange }: HotelCheck, name: 'data' | 'details', nth?: number): Promise<Exchange> =>
  arrange.adapter[name](await arrange.actor(), nth)

describe('the content of hotels', () => {
  for (const [clause, name, caching] of CONTENT)
    test(`is described by hotel ${name}, and may be cached for an hour`, {
      tags: [clause, caching],
      kinds,
    }, async context => {
      const answer = await read(context, name)
      const holds = contentIn(answer).size > 0
      const isGuess = context.arrange.adapter.guesses[name]
      // Finding nothing is a legal answer to a query that is not understood.
      assume(holds || !isGuess, `the parameters of hotel ${name} (shapes.v1Hotels in the definition)`)
      const size = `${answer.response.body.length} bytes`
      context.expect(answer, clause).toGive('description, facilities and images', holds, size)
      assume(!isGuess, `the parameters of hotel ${name} of three hotels`)
      // Different hotels may share their whole content, as in a sandbox, but not one that names one of them.
      const answers = [answer, await read(context, name, 1), await read(context, name, 2)]
      const asked = new Set(answers.map(({ request }) => request.path))
      assume(answers.every(succeeded) && asked.size > 2, `hotel ${name} of three hotels`)
      const differs =
        new Set(answers.map(contentOf)).size > 1 || !namesOneOf(contentOf(answer), idsIn(answers))
      context.expect(answers[2]!, clause).toGive('another answer than for other hotels', differs)
    })

  test('holds description, facilities and images together', {
    tags: ['V1-HOTEL-CONTENT-KINDS'],
    kinds,
  }, async context => {
    const { guesses } = context.arrange.adapter
    const answers = [await read(context, 'data'), await read(context, 'details')]
    const held = new Set(answers.flatMap(answer => [...contentIn(answer)]))
    assume(
      held.size > 0 || !(guesses.data || guesses.details),
      'the parameters of hotelData and hotelDetails',
    )
    const missing = Object.keys(KINDS).filter(kind => !held.has(kind))
    context.expect(answers[1]!, 'V1-HOTEL-CONTENT-KINDS').toTell('what neither answer holds', missing, [])
  })
})
