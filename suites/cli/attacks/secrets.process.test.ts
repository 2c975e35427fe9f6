import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CLAUSES, type ClauseId } from '../../../fixtures/clauses/index.ts'
import type { Product } from '../../../fixtures/control.ts'
import { recordSchema } from '../../../fixtures/record.ts'
import { SPELLINGS, shown } from '../../../fixtures/secrets/testing/attack.ts'
import {
  type Alter,
  type AlteredAnswer,
  type AlteredRequest,
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

const json = (change: (body: Record<string, unknown>, echo: string) => unknown): Put => {
  return (answer, echo) => {
    const body = parsed(answer.body)
    return body === undefined ? answer : { ...answer, body: JSON.stringify(change(body, echo)) }
  }
}

function parsed(body: AlteredAnswer['body']): Record<string, unknown> | undefined {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
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

const PLACES: Readonly<Record<string, Put>> = {
  'a header value': header('X-Echo'),
  'X-Request-Id': header('X-Request-Id'),
  'Set-Cookie': (answer, echo) => header('Set-Cookie')(answer, `session=${echo}; Path=/${echo}`, NOBODY),
  'a header name': (answer, echo) => ({
    ...answer,
    headers: { ...answer.headers, [echo.replaceAll(/[^\w-]/g, '-')]: '1' },
  }),
  'a catalog': everywhere('name'),
  request_id: everywhere('request_id'),
  booking_id: everywhere('booking_id'),
  offer_id: everywhere('offer_id'),
  search_id: everywhere('search_id'),
  external_reference: everywhere('external_reference'),
  'a voucher link': json((body, echo) =>
    JSON.parse(JSON.stringify(body), (key, value) =>
      key === 'voucher' && value !== null ? { status: 'ready', url: `https://x.example/${echo}` } : value,
    ),
  ),
  'a status': everywhere('status'),
  'a key': json((body, echo) => ({ ...body, [echo]: 1 })),
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

/** Places that few answers have come first, so that an answer that has one is used for it. */
const RARE_FIRST = ['booking_id', 'a voucher link', 'external_reference', 'search_id', 'offer_id', 'status']
const ORDER = Object.keys(PLACES).sort((one, other) => rank(one) - rank(other))
const COMBINATIONS = ORDER.flatMap(place => spellings.map(([spelling]) => `${place}: ${spelling}`))

function rank(place: string): number {
  const at = RARE_FIRST.indexOf(place)
  return at < 0 ? RARE_FIRST.length : at
}

/** Alters answers so that each contains the caller's credential, in a spelling and a place not sent yet. */
const echoing =
  (sent: Set<string>): Alter =>
  async (request, pass, response) => {
    const answer = await pass()
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    // The first requests test whether anything answers, and one in three is left alone, so that checks can go on.
    if (request.number < 3 || request.number % 3 === 0 || !token.startsWith('tss_')) return answer
    for (const place of ORDER) {
      const next = spellings.find(([spelling]) => !sent.has(`${place}: ${spelling}`))
      if (next === undefined) continue
      const [spelling, spell] = next
      const altered = PLACES[place]!(answer, spell(token), request)
      // An answer without that place cannot hold any spelling there.
      if (JSON.stringify(altered) === JSON.stringify(answer)) continue
      sent.add(`${place}: ${spelling}`)
      response.statusMessage = inHeader(spell(token))
      return altered
    }
    return answer
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

test('a credential echoed from 20 places in 47 spellings shows nowhere', { timeout: 600_000 }, async () => {
  const sent = new Set<string>()
  const found: string[] = []
  expect(Object.keys(PLACES)).toHaveLength(20)
  let bytes = 0
  // The number of answers in a run, and so the number of runs needed, depends on the machine.
  let runs = 0
  for (; sent.size < COMBINATIONS.length && runs < 20; runs++) {
    // Two runs of everything leave only places in rare answers, which those of bookings have.
    const only = runs < 2 ? [] : ['--only', 'v2-bookings or v2-vouchers']
    const run = await certify(echoing(sent), EVERYTHING, ...only)
    expect([...run.left.keys()]).toEqual(expect.arrayContaining(['record.json', 'report.html', 'step.md']))
    found.push(...run.found)
    for (const text of run.left.values()) bytes += text.length
  }
  console.log(
    `${sent.size} of ${COMBINATIONS.length} combinations sent in ${runs} runs; ${found.length} shown in ${(bytes / 2 ** 20).toFixed(1)} MiB of output`,
  )
  expect(found).toEqual([])
  expect(COMBINATIONS.filter(name => !sent.has(name))).toEqual([])
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
        return {
          status: 409,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ error: { code: `NOT_CANCELLABLE \u0085${token}`, message } }),
        }
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

test('an ordinary run is reported as it is: nothing in it is taken for a secret', async () => {
  const { left } = await certify((_, pass) => pass(), ['v2-transfers'], '--only', 'v2-transfers')
  for (const name of ['stdout', 'record.json', 'report.html', 'junit.xml', 'step.md'])
    expect(left.get(name)).not.toMatch(/\[(?:altered )?credential\]|\[traveler data\]/)
  // A request sent with an altered credential says so; no other credential is stored.
  const stored = left.get('exchanges.ndjson')!
  expect(stored.replaceAll(/"Bearer \[altered credential\]"/g, '')).not.toMatch(
    /credential\]|\[traveler data\]/,
  )
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
