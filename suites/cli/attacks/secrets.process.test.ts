import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLAUSES, type ClauseId } from '../../../fixtures/clauses/index.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import { jsonIn } from '../../../fixtures/ground/read-json.ts'
import { recordSchema } from '../../../fixtures/ground/record.ts'
import { SPELLINGS, shown } from '../../../fixtures/secrets/testing/attack.ts'
import {
  type Alter,
  type AlteredAnswer,
  type AlteredRequest,
  jsonAnswer,
  startAltered,
} from '../testing/altered-deployment.ts'
import { type Ended, freshFolder, startTss } from '../testing/command.ts'

/** Puts an echo into an answer. */
type Put = (answer: AlteredAnswer, echo: string, request: AlteredRequest) => AlteredAnswer

const spellings = Object.entries(SPELLINGS)
/** Replaces whatever HTTP does not allow in header fields. */
const inHeader = (text: string) => text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim()

const header =
  (name: string): Put =>
  (answer, echo) => ({ ...answer, headers: { ...answer.headers, [name]: inHeader(echo) } })

/** Changes a body of JSON; returns an answer that has nothing to change as it is. */
const json = (change: (body: Record<string, unknown>, echo: string) => unknown): Put => {
  return (answer, echo) => {
    const body = jsonIn(String(answer.body))
    if (body === undefined) return answer
    const changed = JSON.stringify(change(body as Record<string, unknown>, echo))
    return changed === JSON.stringify(body) ? answer : { ...answer, body: changed }
  }
}

/** Replaces every member of that name, at any depth. */
function everywhere(name: string): Put {
  return json((body, echo) =>
    JSON.parse(JSON.stringify(body), (key, value) => (key === name && value !== null ? echo : value)),
  )
}

const refusal = (error: (echo: string) => Record<string, unknown>): Put => {
  return (answer, echo) => ({
    status: 422,
    headers: { ...answer.headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      error: { code: 'INVALID_REQUEST', message: 'No.', ...error(echo) },
      request_id: 'req_1',
    }),
  })
}

/** Header fields and members: one answer holds an echo in each that it has. */
const HELD: Readonly<Record<string, Put>> = {
  'a header value': header('X-Echo'),
  'X-Request-Id': header('X-Request-Id'),
  'Set-Cookie': (answer, echo) => header('Set-Cookie')(answer, `session=${echo}; Path=/${echo}`, NOBODY),
  'a header name': (answer, echo) => ({
    ...answer,
    headers: { ...answer.headers, [echo.replaceAll(/[^\w-]/g, '-')]: '1' },
  }),
  'a catalog': everywhere('name'),
  request_id: everywhere('request_id'),
  offer_id: everywhere('offer_id'),
  'a status': everywhere('status'),
  'a key': json((body, echo) => ({ ...body, [echo]: 1 })),
}
/** The same of answers about bookings and searches. */
const HELD_BY_FEW: typeof HELD = {
  booking_id: everywhere('booking_id'),
  search_id: everywhere('search_id'),
  external_reference: everywhere('external_reference'),
  'a voucher link': json((body, echo) =>
    JSON.parse(JSON.stringify(body), (key, value) =>
      key === 'voucher' && value !== null ? { status: 'ready', url: `https://x.example/${echo}` } : value,
    ),
  ),
}
/** What replaces an answer, one at a time. */
const REPLACED: typeof HELD = {
  'an error code': refusal(code => ({ code })),
  'an error message': refusal(message => ({ message })),
  'error details': refusal(echo => ({ details: [{ field: echo, [echo]: echo }] })),
  'a bare error': (answer, echo) => ({
    ...answer,
    status: 403,
    body: JSON.stringify({ error: `Token ${echo} may not call this` }),
  }),
  'broken JSON': (answer, echo) => ({ ...answer, body: `{"booking": "${echo}` }),
  'a page': (answer, echo) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'text/html' },
    body: `<html><p title="${echo}">${echo}</p>`,
  }),
  'a PDF': (answer, echo) => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': 'application/pdf' },
    body: `%PDF-1.7 ${echo}`,
  }),
}
const NOBODY = {} as AlteredRequest

/** What was sent so far. */
interface Sent {
  places: Set<string>
  spellings: Set<string>
}

/** Alters answers after so many: one in three holds the caller's credential in places, each in the next spelling, one is replaced. */
function echoing(sent: Sent, after: number, held: typeof HELD, replaced: typeof HELD = {}): Alter {
  const instead = Object.entries(replaced)
  let turn = 0
  return async (request, pass, response) => {
    let answer = await pass()
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    // One in three is left alone, so that checks can go on.
    if (request.number <= after || request.number % 3 === 0 || !token.startsWith('tss_')) return answer
    const isReplaced = request.number % 3 === 2 && instead.length > 0
    for (const [place, put] of isReplaced ? [instead[turn % instead.length]!] : Object.entries(held)) {
      const [spelling, spell] = spellings[turn++ % spellings.length]!
      const altered = put(answer, spell(token), request)
      if (altered === answer) continue
      sent.places.add(place)
      sent.spellings.add(spelling)
      response.statusMessage = inHeader(spell(token))
      answer = altered
    }
    return answer
  }
}

/** Returns everything that a run left: both streams and every file. */
function leftBy({ stdout, stderr }: Ended, folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile())
  return new Map([
    ['stdout', stdout],
    ['stderr', stderr],
    ...files.map((path): [string, string] => [path.replace(/^.*\//, ''), readFileSync(path, 'utf8')]),
  ])
}

/** Unescaped control characters, line separators, marks that reorder text, and lone surrogates. */
const RAW_CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])/

/** Returns where a run's output shows a credential or an unescaped control character. */
const shownIn = (left: Map<string, string>, token: string): string[] =>
  [...left].flatMap(([name, text]) => [
    ...shown(text, token).map(spelling => `${name}: ${spelling}`),
    ...(RAW_CONTROLS.test(text) ? [`${name}: control characters`] : []),
  ])

const certify = async (alter: Alter, products: readonly Product[], ...more: string[]) =>
  certifyAs(undefined, alter, products, ...more)

/** @param token what the run is given instead of the credential that the real deployment knows */
async function certifyAs(
  token: string | undefined,
  alter: Alter,
  products: readonly Product[],
  ...more: string[]
) {
  const altered = await startAltered((request, pass, response) => {
    const { authorization } = request.headers
    if (token !== undefined && authorization !== undefined)
      request.headers.authorization = authorization.replace(token, minted)
    return alter(request, pass, response)
  })
  const env = await altered.env(products)
  const minted = env.TSS_TOKEN!
  if (token !== undefined) env.TSS_TOKEN = token
  const cwd = freshFolder()
  const args = ['certify', '--max-requests', '480', '--max-duration', '30s', ...more]
  const ended = await startTss(args, {
    cwd,
    env: { ...env, TSS_PATIENCE_MINUTES: '0.02', GITHUB_STEP_SUMMARY: join(cwd, 'step.md') },
  }).ended
  expect(ended.stderr).not.toContain('The kit itself failed')
  const left = leftBy(ended, cwd)
  return { ended, left, found: shownIn(left, env.TSS_TOKEN!) }
}

const EVERYTHING = ['v2-transfers', 'v2-tickets', 'v2-hotels'] as const

// redact-attack.test.ts has each spelling in each place.
test('a credential echoed from 20 places in every spelling shows nowhere', { timeout: 600_000 }, async () => {
  const sent: Sent = { places: new Set(), spellings: new Set() }
  // A slow machine may send all of their requests, too.
  const time = ['--max-duration', '3m']
  const runs = [
    // The first requests test whether anything answers.
    certify(echoing(sent, 2, HELD, REPLACED), EVERYTHING, ...time),
    // By then bookings of every kind have proven test mode, which no answer with another id does.
    certify(echoing(sent, 100, HELD_BY_FEW), EVERYTHING, ...time, '--only', 'v2-bookings or v2-vouchers'),
  ]
  for (const { left, found } of await Promise.all(runs)) {
    expect([...left.keys()]).toEqual(expect.arrayContaining(['record.json', 'report.html', 'step.md']))
    expect(found).toEqual([])
  }
  const places = Object.keys({ ...HELD, ...HELD_BY_FEW, ...REPLACED })
  expect([places.length, [...sent.places].sort()]).toEqual([20, places.sort()])
  expect(sent.spellings.size).toBe(spellings.length)
})

test('a redirect of the first request shows no credential', async () => {
  const echoed = (token: string) => spellings.map(([, spell]) => inHeader(spell(token))).join('/')
  const { ended, found } = await certify((request, _, response) => {
    const token = request.headers.authorization!.replace('Bearer ', '')
    response.statusMessage = inHeader(token)
    return {
      status: 302,
      headers: { location: `https://${token}.example/${echoed(token)}?${echoed(token)}#${token}` },
      body: token,
    }
  }, EVERYTHING)
  expect(ended.code).toBe(3)
  expect(ended.stderr).toContain('answered with a redirect (302) to https://[credential].example/')
  expect(found).toEqual([])
})

test('ids of bookings that could not be cancelled show no credential, nor control characters', async () => {
  let turn = 0
  const { ended, left, found } = await certify(
    async (request, pass) => {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
      if (request.path.endsWith('/cancel')) {
        const message = `${token}\u0085\u009b31m\u2028\u202e\ud800`
        return jsonAnswer(409, { error: { code: `NOT_CANCELLABLE \u0085${token}`, message } })
      }
      const answer = await pass()
      if (request.method !== 'POST' || !request.path.endsWith('/bookings')) return answer
      const [, spell] = spellings[turn++ % spellings.length]!
      return everywhere('booking_id')(answer, `\u0085${spell(token)}`, request)
    },
    ['v2-transfers'],
    '--json',
    '--only',
    'v2-bookings',
  )
  expect(JSON.parse(ended.stdout).leftovers.length).toBeGreaterThan(0)
  expect(left.has('ledger.ndjson')).toBe(true)
  expect(found).toEqual([])
})

test('a credential that is made of words of ours takes none of them out of a report', async () => {
  const token = 'sec-restricted'
  const { left } = await certifyAs(
    token,
    async (request, pass) => {
      const answer = await pass()
      return request.path.includes('/products') ? header('X-Key')(answer, token, request) : answer
    },
    ['v2-transfers'],
    ...['--only', 'v2-transfers'],
  )
  const { clauses, checks } = recordSchema.parse(JSON.parse(left.get('record.json')!))
  const rows = clauses.filter(({ id }) => Object.hasOwn(CLAUSES, id))
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.map(({ id, says }) => [id, says])).toEqual(
    rows.map(({ id }) => [id, CLAUSES[id as ClauseId].says]),
  )
  expect(clauses.filter(({ id }) => !Object.hasOwn(CLAUSES, id))).toEqual([])
  expect(checks.filter(({ id }) => id.includes('[credential]'))).toEqual([])
  for (const name of ['report.html', 'junit.xml', 'step.md', 'stdout'])
    expect(left.get(name)!.replaceAll(/X-Key:<\/span> \[credential\]/g, ''), name).not.toMatch(
      /.{0,60}\[credential\]/,
    )
  expect(left.get('exchanges.ndjson')).toContain('["X-Key","[credential]"]')
  for (const [name, text] of left) expect(text, name).not.toContain(token)
})
