import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Alter, type AlteredAnswer, startAltered } from '../testing/altered-deployment.ts'
import { startTss } from '../testing/command.ts'
import { watchMemory } from '../testing/peak-memory.ts'

const MB = 2 ** 20
const GZIP = { 'content-encoding': 'gzip' }

/** The most memory, in bytes, that the kit may need for any answer; an ordinary run needs less than half of it. */
const MOST_MEMORY = 1024 * MB
/** The seconds within which a run with a limit of 30 must have ended, with start, cleanup and reports, on a busy machine. */
const LONGEST = 180

interface Attack {
  what: string
  alter: Alter
  /** More, where memory may grow with each answer. */
  requests?: number
  /** Selects checks; empty for all. By default a few, because loading all takes longer than these few requests. */
  only?: string
}

/** Replaces the body of every answer. */
const instead =
  (body: Buffer | string, headers: AlteredAnswer['headers'] = {}): Alter =>
  async (_request, pass) => {
    const answer = await pass()
    return { ...answer, headers: { ...answer.headers, ...headers }, body }
  }

/** Adds a member, written as given, to every JSON object in an answer. */
const beside =
  (member: string): Alter =>
  async (_request, pass) => {
    const answer = await pass()
    const body = String(answer.body)
    return body.startsWith('{"') ? { ...answer, body: `{${member},${body.slice(1)}` } : answer
  }

/** Replaces each value of every JSON answer, the innermost first. */
const throughout =
  (replace: (key: string, value: unknown) => unknown): Alter =>
  async (_request, pass) => {
    const answer = await pass()
    const body = String(answer.body)
    return body.startsWith('{') ? { ...answer, body: written(JSON.parse(body), '', replace) } : answer
  }

function written(value: unknown, key: string, replace: (key: string, value: unknown) => unknown): string {
  // The reviver does not visit the value it returns.
  const changed = JSON.parse(JSON.stringify({ [key]: value }), (at, inner) =>
    at === '' ? inner : replace(at, inner),
  )
  // `__proto__` cannot be set by an assignment.
  return JSON.stringify(changed[key]).replaceAll('"PROTO"', '"__proto__"')
}

/** Applies these alterations in turn, each to every third request; other requests pass unchanged. */
const inTurn =
  (...alters: readonly Alter[]): Alter =>
  (request, pass, response) => {
    const turn = Math.floor(request.number / 3) % alters.length
    return request.number % 3 === 0 ? alters[turn]!(request, pass, response) : pass()
  }

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const objects = (count: number) => `[${'{},'.repeat(count - 1)}{}]`
const isScalar = (value: unknown) => typeof value !== 'object' || value === null

const TRAPS = { PROTO: { booking_id: 1 }, constructor: 1, toString: 2, valueOf: 3, toJSON: 4 }

/** Replaces every number by one that is too large for a number. */
const infinite: Alter = async (_request, pass) => {
  const answer = await pass()
  return { ...answer, body: String(answer.body).replaceAll(/:\d+(\.\d+)?/g, ':1e400') }
}

const manyHeaders: Alter = async (_request, pass) => {
  const answer = await pass()
  const more = Array.from({ length: 100_000 }, (_, at): [string, string] => [`x-${at}`, 'y'])
  return { ...answer, headers: { ...answer.headers, ...Object.fromEntries(more) } }
}

/** Answers each poll of a search with a thousand hotels more than the last, and never says that the search is complete. */
function endlessSearch(): Alter {
  let polls = 0
  return async ({ method, path }, pass) => {
    const answer = await pass()
    if (method !== 'GET' || !path.startsWith('/api/v2/hotels/availability/')) return answer
    polls++
    const hotels = Array.from({ length: 1000 * polls }, (_, hotel) => ({
      hotel_id: hotel,
      rooms: [[{ offer_id: `offer-${hotel}-${polls}`.padEnd(200, 'x'), total: 100 }]],
    }))
    return { ...answer, body: JSON.stringify({ status: 'running', finished: false, hotels }) }
  }
}

const HALF_A_CHARACTER = '\ud800'

const ATTACKS: readonly Attack[] = [
  { what: 'a gzip bomb', alter: instead(gzipSync(Buffer.alloc(100 * MB, 'x')), GZIP) },
  {
    what: 'more than is read, or as much as is read',
    requests: 27,
    alter: inTurn(
      instead(objects((33 * MB) / 3)),
      instead(objects((31 * MB) / 3)),
      instead(deep(100_000)),
      beside(`"more":${deep(100_000)}`),
      beside(`"more":${objects((7 * MB) / 3)}`),
      beside(`"more":${objects(1_040_000)}`),
      beside(`"more":"${'x'.repeat(31 * MB)}"`),
      instead(gzipSync(`{"a":"${'x'.repeat(31.9 * MB)}"}`), GZIP),
    ),
  },
  {
    what: 'booking ids that are half a character',
    requests: 24,
    alter: throughout((key, value) => (key === 'booking_id' ? HALF_A_CHARACTER : value)),
  },
  {
    what: 'values of other kinds, in turn',
    requests: 48,
    only: '',
    alter: inTurn(
      throughout((key, value) => (key.endsWith('_id') && isScalar(value) ? HALF_A_CHARACTER : value)),
      throughout((_key, value) =>
        isScalar(value) || Array.isArray(value) ? value : { ...TRAPS, ...(value as object) },
      ),
      throughout((_key, value) => (isScalar(value) ? TRAPS : value)),
      throughout((_key, value) => (isScalar(value) || Array.isArray(value) ? value : [value])),
      throughout((_key, value) =>
        typeof value === 'number' ? String(value) : typeof value === 'string' ? -0 : value,
      ),
      throughout((_key, value) => (isScalar(value) ? null : value)),
      throughout((_key, value) => (isScalar(value) ? 'x'.repeat(100_000) : value)),
      infinite,
      beside(`"more":${deep(200)}`),
      beside('"booking":null,"booking":7,"error":[],"results":{}'),
      instead('null'),
      instead('\uFEFF{"a":1}'),
      instead(Buffer.alloc(1000)),
      instead(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      manyHeaders,
    ),
  },
  { what: 'hotel searches that grow without end', alter: endlessSearch(), only: 'v2-hotels', requests: 24 },
]

async function suffer({ what, alter, only = 'V2-BOOK-*', requests = 12 }: Attack): Promise<void> {
  const deployment = await startAltered(alter)
  const env = await deployment.env(['v2-transfers', 'v2-tickets', 'v2-hotels'])
  const limits = ['--max-requests', String(requests), '--max-duration', '30s', '--seed', '1']
  const began = performance.now()
  const run = startTss(['certify', ...(only === '' ? [] : ['--only', only]), ...limits, '--json'], { env })
  const memory = watchMemory(run.pid)
  const { code, stdout, stderr } = await run.ended
  const seconds = (performance.now() - began) / 1000
  const peak = memory.stop()
  expect.soft(stderr, what).not.toContain('The kit itself failed')
  expect([1, 3], what).toContain(code)
  const { verdict, errors, totals } = JSON.parse(stdout)
  expect.soft(errors, what).toEqual([])
  expect.soft(totals.error, what).toBe(0)
  expect.soft(verdict, what).not.toBe('conforms')
  expect.soft(seconds, what).toBeLessThan(LONGEST)
  if (peak !== undefined) expect.soft(peak, what).toBeLessThan(MOST_MEMORY)
}

test('whatever is answered, the run ends, in bounded memory, and never by a fault of its own', {
  timeout: 600_000,
}, async () => {
  // A run mostly waits and starts, so several at once take little longer than one.
  const waiting = [...ATTACKS]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await suffer(next)
  }
  await Promise.all([lane(), lane(), lane()])
})
