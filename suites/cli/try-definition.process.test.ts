import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type AlteredDeployment, startAltered } from './testing/altered-deployment.ts'
import { recordIn } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'

const DEFINE = fileURLToPath(new URL('../../fixtures/deployments/definition/define.ts', import.meta.url))

/** Writes a definition of that deployment with its own hotel or ticket shape. */
async function definition(
  deployment: AlteredDeployment,
  products: string,
  shapes: string,
  more = '',
): Promise<string> {
  const { TSS_TOKEN } = await deployment.env([])
  const file = join(freshFolder(), 'definition.ts')
  writeFileSync(
    file,
    `import { defineDeployment } from ${JSON.stringify(DEFINE)}
     import { httpControl } from ${JSON.stringify(DEFINE.replace('definition/define.ts', 'control/http-control.ts'))}
     import { DEFAULT_HOTELS } from ${JSON.stringify(DEFINE.replace('define.ts', 'defaults.ts'))}
     export default defineDeployment({
       name: 'x', baseUrl: ${JSON.stringify(deployment.baseUrl)}, products: [${products}],
       credentials: { standard: { token: ${JSON.stringify(TSS_TOKEN)} } },
       shapes: { ${shapes} }, ${more}
     })`,
  )
  return file
}

const plain = () => startAltered((_request, pass) => pass())

/** Starts a deployment whose polls announce the end of a search in their own words. */
const tellingEnd = (situation: (over: boolean) => string, searchMilliseconds: number) =>
  startAltered(
    async ({ path }, pass) => {
      const answer = await pass()
      if (!/\/hotels\/availability\/./.test(path) || answer.status !== 200) return answer
      const { finished, finish, status, ...rest } = JSON.parse(String(answer.body))
      const over = [finished, finish].includes(true) || /finish|complete|done/.test(String(status))
      return { ...answer, body: JSON.stringify({ ...rest, situation: situation(over) }) }
    },
    { searchMilliseconds },
  )

test('says what each adapter makes of a real answer', async () => {
  const deployment = await plain()
  const env = await deployment.env(['v2-transfers', 'v2-tickets', 'v2-hotels', 'v1-transfers'])
  const { code, stdout, stderr } = await runTss(['doctor', '--try'], { env })
  expect(stderr).toMatch(/^Deployment: \S+, as TSS_BASE_URL of the environment says\.\n$/)
  expect(stdout).toMatch(/shapes\.transfers\.productIds +\d+ products, and offers for them: \d+/)
  expect(stdout).toMatch(/shapes\.tickets\.offers +\d+ offers of parkA: \d{4}-\d{2}-\d{2}/)
  expect(stdout).toMatch(/shapes\.hotels\.finished +the end after \d+ polls?/)
  // Only a booking shows whether the service takes what these write.
  expect(stdout).toMatch(/shapes\.v1Transfers\.confirm +not tried: only a booking would show it$/m)
  expect(stdout).toMatch(
    /shapes\.transfers\.traveler +not tried: only a booking would show it \(first_name, /,
  )
  expect(stdout).toMatch(
    /Every adapter that was tried returned something .* \d+ were not tried \(--book tries them\)\. Nothing was booked\.$/m,
  )
  expect(code).toBe(0)
  expect(deployment.requests.some(({ path }) => path.startsWith('/api/v2/bookings'))).toBe(false)
})

test('--book books one of each product and cancels it, and a run says at once which adapter has to be changed', async () => {
  const answer = { status: 400, headers: { 'content-type': 'application/json' } }
  const isConfirmation = ({ path }: { path: string }) => path.includes('transferConfirm')
  const deployment = await startAltered(async (request, pass) =>
    isConfirmation(request) ? { ...answer, body: '{"error":"passenger is required"}' } : pass(),
  )
  const why =
    /3 ordinary bookings were refused, the last with 400 passenger is required \(exchange \w+\); where the service asks for something else, write shapes\.v1Transfers\.confirm \(or logistics, confirmPath\) of the definition/
  const { tenant, env } = await deployment.company(['v1-transfers', 'v2-transfers'])
  const { code, stdout, stderr } = await runTss(['doctor', '--book'], { cwd: freshFolder(), env })
  const [, id] = /^ {2}v2-transfers: booked as (\d+), cancelled$/m.exec(stdout) ?? []
  expect((await deployment.control.counters(tenant)).bookings).toMatchObject({ transfers: 1 })
  expect(deployment.requests.some(({ path }) => path === `/api/v2/bookings/${id}/cancel`)).toBe(true)
  expect(stdout).toMatch(new RegExp(`^ {2}v1-transfers: not booked: ${why.source}$`, 'm'))
  expect([code, stderr]).toEqual([1, expect.stringContaining('3 bookings may still stand')])

  const cwd = freshFolder()
  const from = deployment.requests.length
  const run = await runTss(['certify', '--max-requests', '150'], { cwd, env })
  const [said] = new RegExp(`v1-transfers cannot be booked: ${why.source}`).exec(run.stderr) ?? []
  expect(JSON.stringify(recordIn(cwd))).toContain(said)
  const sent = deployment.requests.slice(from)
  expect(sent.filter(isConfirmation)).toHaveLength(3)
  expect(sent.findLastIndex(isConfirmation)).toBeLessThan(40)
})

test.each([
  [
    'throws',
    `tickets: { offers: () => { throw new Error('no such field') } }`,
    /shapes\.tickets\.offers of the definition threw Error: no such field; it was given \{/,
  ],
  [
    'gives undefined',
    `tickets: { products: () => [undefined] }`,
    /shapes\.tickets\.products of the definition returned \[null\], and its \[0\] is wrong/,
  ],
  [
    'is asynchronous',
    `tickets: { products: async () => [] }`,
    /returned a promise, and adapters answer at once/,
  ],
  [
    'gives a traveler that is none',
    `tickets: { traveler: () => 'Ada' }`,
    /shapes\.tickets\.traveler of the definition returned "Ada"/,
  ],
])('an adapter that %s is named, with exit code 2', async (_what, shapes, sentence) => {
  const deployment = await plain()
  const file = await definition(deployment, `'v2-tickets'`, shapes)
  const { code, stderr } = await runTss(['doctor', '--try', '--deployment', file])
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(code).toBe(2)
})

test('a search whose end is told in another word: says what to write', async () => {
  const deployment = await tellingEnd(over => (over ? 'all in' : 'looking'), 2500)
  const env = await deployment.env(['v2-hotels'])
  const { stdout } = await runTss(['doctor', '--try'], { env })
  expect(stdout).toMatch(/situation went from "looking" to "all in"/)
  expect(stdout).toContain('such as situation being "all in", as shapes.hotels.finished')
  const finished = `hotels: { finished: answer => answer.situation === 'all in' }`
  const file = await definition(deployment, `'v2-hotels'`, finished)
  const told = await runTss(['doctor', '--try', '--deployment', file])
  expect(told.stdout).toMatch(/shapes\.hotels\.finished +the end after \d+ polls?/)
})

test('a run stops at a wrong adapter before it books anything', async () => {
  const deployment = await plain()
  const file = await definition(deployment, `'v2-tickets'`, 'tickets: { offers: () => [null] }')
  const { code, stderr } = await runTss(['certify', '--deployment', file])
  expect(stderr).toMatch(
    /^travel-sales: The definition of x: shapes\.tickets\.offers of the definition returned \[null\]/m,
  )
  expect(code).toBe(2)
  expect(deployment.requests.filter(({ path }) => path.startsWith('/api/v2/bookings'))).toEqual([])
})

test.each([
  {
    clause: 'V1-HOTEL-DESTINATION-ID',
    at: '/content/destinations',
    spoil: (body: string) => body.replace(/"id":(\d+)/g, '"id":"$1"'),
    adapter: 'places: answer => Object.values(answer).find(Array.isArray) ?? answer',
  },
  {
    clause: 'V1-HOTEL-CHECK-TOTAL',
    at: '/hotelCheckPrice',
    spoil: (body: string) => body.replace(/"total":\{"price":([\d.]+)/, '"total":{"price":"$1"'),
    adapter: 'checked: answer => ({ rateKey: answer.rateKey, total: answer.total.price, prices: [] })',
  },
])(
  'an answer that breaks $clause is no fault of the adapter that cannot use it: the run finds it',
  async ({ clause, at, spoil, adapter }) => {
    const deployment = await startAltered(async ({ path }, pass) => {
      const answer = await pass()
      return path.includes(at) && answer.status === 200
        ? { ...answer, body: spoil(String(answer.body)) }
        : answer
    })
    const file = await definition(deployment, `'v1-hotels'`, `v1Hotels: { ${adapter} }`)
    const run = await runTss(['certify', '--deployment', file, '--only', clause, '--json'])
    expect(run.stderr).not.toContain('The definition of x')
    const { findings } = JSON.parse(run.stdout)
    expect(findings.map((finding: { clause: string }) => finding.clause)).toContain(clause)
    expect(run.code).toBe(1)
  },
)

test('a run does not poll searches whose end nobody can tell, and says what to write', async () => {
  const deployment = await tellingEnd(() => 'as you see', 10)
  const env = await deployment.env(['v2-hotels'])
  const { code, stdout, stderr } = await runTss(['certify', '--only', 'v2-hotels', '--json'], { env })
  expect(stderr).toContain('such as situation being "as you see", as shapes.hotels.finished')
  const clauses = JSON.parse(stdout).findings.map(({ clause }: { clause: string }) => clause)
  expect(clauses).toEqual([])
  expect(code).toBe(1)
  const polls = deployment.requests.filter(({ path }) => /\/hotels\/availability\/./.test(path))
  // Three searches are polled: that of the trial, and those of checks that need no end.
  const counts = [...Map.groupBy(polls, ({ path }) => path.split('?')[0]).values()].map(
    ({ length }) => length,
  )
  expect(counts.filter(count => count > 10).length).toBeLessThanOrEqual(3)
  expect(polls.length).toBeLessThan(75)
})

test('the words of a refusal are quoted by init, doctor and a blocked check, without credentials', async () => {
  let token = ''
  const deployment = await startAltered(({ path }, pass) => {
    const body = JSON.stringify({
      error: 'Transfer request invalid',
      message: `zone_to is missing for ${token}`,
    })
    const headers = { 'content-type': 'application/json' }
    if (path.startsWith('/api/v1/transfer/getTransferPrice')) return { status: 400, headers, body }
    return path.startsWith('/api/v1/parkB/getTickets') ? { status: 400, headers, body } : pass()
  })
  const env = await deployment.env(['v1-transfers', 'v1-park-b'])
  token = env.TSS_TOKEN!
  const cwd = freshFolder()
  const init = ['init', '--base-url', deployment.baseUrl, '--products', 'v1-transfers,v1-park-b']
  const only = ['certify', '--only', 'V1-TRANSFER-CONFIRM-ID or V1-PARK-B-CATALOG-ARRAY', '--json']
  const said = /400 Transfer request invalid: zone_to is missing for \[credential\]/
  for (const args of [init, ['doctor'], ['doctor', '--try'], only]) {
    const { stdout, stderr } = await runTss(args, { cwd, env })
    expect(stdout, args[0]).toMatch(said)
    expect(`${stdout}${stderr}`, args[0]).not.toContain(token)
  }
  expect(readFileSync(join(cwd, 'deployment.ts'), 'utf8')).toMatch(said)
})

test.each([
  [
    'finished that never says yes',
    'hotels: { finished: () => false }',
    /^shapes\.hotels\.finished of the definition never said that a hotel search had ended: /,
    'disposable: true,',
  ],
  // If no deployment outlives the run, hotels that cannot be cancelled are booked too.
  [
    'hotels of which none can be cancelled online',
    'hotels: { hotels: answer => DEFAULT_HOTELS.hotels(answer).map(hotel => ({ ...hotel, cancellableOnline: false })) }',
    /^hotels are offered, but none that can be cancelled online: shapes\.hotels\.hotels returns cancellableOnline: false/,
    '',
  ],
])(
  '%s: one sentence names the adapter, and few requests are spent',
  async (_what, shapes, sentence, disposable) => {
    const deployment = await startAltered((_request, pass) => pass(), { searchMilliseconds: 10 })
    const control = `control: httpControl('${deployment.reference.controlUrl}'), ${disposable}`
    const file = await definition(deployment, `'v2-hotels'`, shapes, control)
    const cwd = freshFolder()
    await runTss(['certify', '--deployment', file, '--only', 'v2-hotels or v2-bookings or v2-offers'], {
      cwd,
    })
    const record = recordIn(cwd)
    const blocked = record.checks.filter(({ verdict }) => verdict === 'blocked')
    expect(blocked.length).toBeGreaterThan(30)
    expect(blocked.filter(({ reason }) => !sentence.test(reason ?? '')).map(({ reason }) => reason)).toEqual(
      [],
    )
    // The proxy never compresses; this has nothing to do with adapters.
    const broken = record.clauses.filter(({ findings }) => findings.length > 0)
    expect(broken.map(({ id }) => id)).toEqual([])
    expect(record.requests.v2).toBeLessThan(1500)
  },
)
