import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listening } from '../../../fixtures/client/testing/until.ts'
import { FAULTS } from '../../../fixtures/second/faults.ts'
import { startService } from '../../../fixtures/second/service.ts'
import { onlyRun, recordIn, runOf, verdictsOf } from '../testing/booked.ts'
import { folderWith, runTss, startTss } from '../testing/command.ts'

/** Somebody's own test: it books, reads, fetches the voucher and cancels, twice, and knows nothing of the kit. */
const E2E = `
const call = async (method, path, body, key) => {
  const response = await fetch(process.env.TSS_PROXY_URL + path, {
    method,
    headers: {
      authorization: 'Bearer ' + process.env.MY_OWN_KEY,
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return text.startsWith('{') ? JSON.parse(text) : text
}
const day = days => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
for (const turn of [1, 2]) {
  const { fleet } = await call('GET', '/api/v2/transfers/products')
  const search = { product_ids: Object.values(fleet).map(({ ref }) => ref), from: day(20), to: day(34), pax: { adult: 2 } }
  const { results } = await call('POST', '/api/v2/transfers/availability', search)
  const { offer_id } = results.flatMap(({ days }) => days).find(({ availability }) => availability === 'available')
  await call('POST', '/api/v2/offers/check', { offer_id })
  const travelers = [{ first_name: 'Wilhelmina', last_name: 'Featherstonehaugh', phone: '+34612345678', nationality: 'ES' }]
  const logistics = { airport: 'PMI', airline: 'IB', flight_time: '10:30', hotel: 'Hotel Playa' }
  const { booking } = await call('POST', '/api/v2/bookings', { items: [{ offer_id, travelers, logistics }] }, 'own-' + Date.now())
  for (const part of ['', '/voucher']) await call('GET', '/api/v2/bookings/' + booking.booking_id + part)
  await call('POST', '/api/v2/bookings/' + booking.booking_id + '/cancel')
}
`

/** Runs somebody's test through `watch` in front of the second deployment. */
async function watched(rules: Parameters<typeof startService>[0], ...more: string[]) {
  const { baseUrl, tokens, stop } = await startService(rules)
  onTestFinished(() => stop())
  const cwd = folderWith({ 'e2e.mjs': E2E })
  const command = `'${process.execPath}' e2e.mjs`
  const args = ['watch', '--upstream', baseUrl, '--port', '0', '--exec', command, ...more]
  const { ended } = startTss(args, { cwd, env: { MY_OWN_KEY: tokens.standard } })
  return { ...(await ended), cwd, token: tokens.standard! }
}

test("a fault of the second deployment is found by somebody else's test, and its data stays out of the reports", async () => {
  const { clause, rules } = FAULTS['ids-of-cancelled-bookings-are-given-again']
  const { code, stdout, stderr, cwd, token } = await watched(rules())
  expect(stderr).toMatch(new RegExp(`^${clause} \\(must\\): POST /api/v2/bookings: expected `, 'm'))
  expect(stdout).toMatch(/^VIOLATES/)
  expect(stderr).toMatch(
    /^The recording is reports.*exchanges\.ndjson; [\d,]+ words and numbers of free text are hidden/m,
  )
  expect(code).toBe(1)
  const record = recordIn(cwd)
  expect(record).toMatchObject({ subject: 'recording', requests: { v1: 0, v2: 14 } })
  expect(record.clauses.filter(({ verdict }) => verdict === 'violates').map(({ id }) => id)).toEqual([clause])
  const run = onlyRun(cwd)
  for (const file of readdirSync(run)) {
    const text = readFileSync(join(run, file), 'utf8')
    for (const secret of [token, 'Featherstonehaugh', '34612345678']) expect(text, file).not.toContain(secret)
  }
  expect(stdout + stderr).not.toMatch(/Featherstonehaugh/)
})

test('without a fault the same test passes without a finding, and its recording says the same as was seen', async () => {
  const { code, stdout, cwd } = await watched({}, '--fail-on', 'should', '--whole')
  expect(stdout).toMatch(/^CONFORMS {2}So far as seen/)
  expect(code).toBe(0)
  const seen = onlyRun(cwd)
  const audited = await runTss(['audit', seen, '--side', 'server', '--out', 'again'], { cwd })
  expect(verdictsOf(runOf(cwd, audited))).toEqual(verdictsOf(seen))
})

test('an interrupt ends the command and what it started, and writes what was seen', async () => {
  const [alive, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const service = await listening((incoming, response) => {
    if (incoming.url === '/alive') {
      response.once('close', left.resolve)
      alive.resolve()
    } else response.writeHead(404).end()
  })
  const cwd = folderWith({
    'e2e.mjs': `await fetch(process.env.TSS_PROXY_URL + '/api/v2/bookings/1')
     console.log('going on without ' + process.env.NO_PROXY)
     await fetch('${service.origin}/alive')`,
  })
  const watching = startTss(
    ['watch', '--upstream', service.href, '--port', '0', '--exec', `'${process.execPath}' e2e.mjs & wait`],
    { cwd, env: { no_proxy: 'intranet' } },
  )
  await watching.prints(/going on without intranet,localhost,127\.0\.0\.1,::1/)
  await alive.promise
  watching.send('SIGINT')
  const { code } = await watching.ended
  expect(code).toBe(130)
  expect(recordIn(cwd)).toMatchObject({ halted: 'it was interrupted', requests: { v2: 1 } })
  await left.promise
})
