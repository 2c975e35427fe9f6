import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type AlteredDeployment, jsonAnswer, startAltered } from '../testing/altered-deployment.ts'
import { recordIn } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'

const DEFINE = fileURLToPath(new URL('../../../fixtures/deployments/definition/define.ts', import.meta.url))

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

test('--book books one of each product and cancels it, and a run says at once which adapter has to be changed', async () => {
  const isConfirmation = ({ path }: { path: string }) => path.includes('transferConfirm')
  const deployment = await startAltered(async (request, pass) =>
    isConfirmation(request) ? jsonAnswer(400, { error: 'passenger is required' }) : pass(),
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
    'is asynchronous',
    `tickets: { products: async () => [] }`,
    /returned a promise, and adapters answer at once/,
  ],
])('an adapter that %s is named, with exit code 2', async (_what, shapes, sentence) => {
  const deployment = await startAltered()
  const file = await definition(deployment, `'v2-tickets'`, shapes)
  const { code, stderr } = await runTss(['doctor', '--try', '--deployment', file])
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(code).toBe(2)
})

test('a run stops at a wrong adapter before it books anything', async () => {
  const deployment = await startAltered()
  const file = await definition(deployment, `'v2-tickets'`, 'tickets: { offers: () => [null] }')
  const { code, stderr } = await runTss(['certify', '--deployment', file])
  expect(stderr).toMatch(
    /^travel-sales: The definition of x: shapes\.tickets\.offers of the definition returned \[null\]/m,
  )
  expect(code).toBe(2)
  expect(deployment.requests.filter(({ path }) => path.startsWith('/api/v2/bookings'))).toEqual([])
})

test('an answer that breaks a clause is no fault of the adapter that cannot use it: the run finds it', async () => {
  const deployment = await startAltered(async ({ path }, pass) => {
    const answer = await pass()
    if (!path.includes('/hotelCheckPrice') || answer.status !== 200) return answer
    return {
      ...answer,
      body: String(answer.body).replace(/"total":\{"price":([\d.]+)/, '"total":{"price":"$1"'),
    }
  })
  const adapter = 'checked: answer => ({ rateKey: answer.rateKey, total: answer.total.price, prices: [] })'
  const file = await definition(deployment, `'v1-hotels'`, `v1Hotels: { ${adapter} }`)
  const clause = 'V1-HOTEL-CHECK-TOTAL'
  const run = await runTss(['certify', '--deployment', file, '--only', clause, '--json'])
  expect(run.stderr).not.toContain('The definition of x')
  const { findings } = JSON.parse(run.stdout)
  expect(findings.map((finding: { clause: string }) => finding.clause)).toContain(clause)
  expect(run.code).toBe(1)
})

test('the words of a refusal are quoted by init, doctor and a blocked check, without credentials', async () => {
  let token = ''
  const deployment = await startAltered(({ path }, pass) => {
    const message = `zone_to is missing for ${token}`
    return /^\/api\/v1\/(?:transfer\/getTransferPrice|parkB\/getTickets)/.test(path)
      ? jsonAnswer(400, { error: 'Transfer request invalid', message })
      : pass()
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
    const deployment = await startAltered(undefined, { searchMilliseconds: 10 })
    const control = `control: httpControl('${deployment.reference.controlUrl}'), ${disposable}`
    const file = await definition(deployment, `'v2-hotels'`, shapes, control)
    const cwd = freshFolder()
    await runTss(['certify', '--deployment', file, '--only', 'v2-hotels or v2-offers'], {
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
    expect(record.requests.v2, `seed ${record.seed}`).toBeLessThan(2000)
  },
)
