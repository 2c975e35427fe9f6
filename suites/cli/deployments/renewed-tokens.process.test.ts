import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLedger } from '../../../fixtures/client/money/ledger.ts'
import { needing } from '../../../fixtures/output/testing/program.ts'
import { booked, everythingIn, onlyRun, recordOf } from '../testing/booked.ts'
import { folderWith, runTss, startTss } from '../testing/command.ts'
import { definitionOfGuide, startWithTokens, type WithTokens } from '../testing/token-server.ts'

/** Writes the definition of the guide into a new folder; returns the folder and the environment of commands. */
function project(server: WithTokens) {
  const cwd = folderWith({ 'deployment.ts': definitionOfGuide(server) })
  return { cwd, env: { CLIENT_ID: server.client.id, CLIENT_SECRET: server.client.secret } }
}

/** Fails if a token or the client's secret is in a text. */
function expectHidden({ given, client }: WithTokens, ...texts: string[]) {
  for (const secret of [...given.keys(), client.secret])
    expect(texts.filter(text => text.includes(secret)).map(text => text.slice(0, 200))).toEqual([])
}

test('tokens that state no time are renewed while a run goes on, once at a time, and no output shows one', async () => {
  const server = await startWithTokens(2, { told: false })
  const { cwd, env } = project(server)
  const { code, stdout, stderr } = await runTss(['certify', '--only', 'V2-IDEM-* or V2-CANCEL-*'], {
    cwd,
    env,
  })
  expect(stdout, stderr).toMatch(/^CONFORMS/m)
  expect(code).toBe(0)
  expect(server.given.size).toBeGreaterThan(1)
  expect(server.most.atOnce).toBe(1)
  expect(server.most.over).toBeGreaterThan(0)
  expect(recordOf(onlyRun(cwd)).leftovers).toEqual([])
  expectHidden(server, stdout, stderr, everythingIn(onlyRun(cwd)))
})

test('a run that was killed while it booked is cleaned up with another token', async () => {
  const server = await startWithTokens(60)
  const { cwd, env } = project(server)
  const { control } = server.deployment
  const { tenant } = server.company
  // Cancelling takes long enough that bookings stand when the run is killed.
  await control.delay(tenant, 'v2 cancel', 3000)
  const run = startTss(['certify', '--only', 'V2-CANCEL-*'], { cwd, env })
  // The first one has been answered when the second one is made.
  await booked(control, tenant, 2)
  run.send('SIGKILL')
  await run.ended
  await control.delay(tenant, 'v2 cancel', 0)
  // Another process cannot know the tokens of this one.
  server.forget()
  const cleanup = await runTss(['cleanup', onlyRun(cwd), '--deployment', './deployment.ts'], { cwd, env })
  expectHidden(server, cleanup.stdout, cleanup.stderr, everythingIn(join(cwd, 'reports')))
  expect(cleanup.stdout).toMatch(/^Cancelled v2-transfers booking \d/m)
  expect(readLedger(onlyRun(cwd)).filter(({ bookingId }) => bookingId !== undefined)).toEqual([])
  expect(server.given.size).toBe(2)
})

test('load goes on over renewals, and k6 gets each new token', async () => {
  const server = await startWithTokens(2)
  const { cwd, env } = project(server)
  const args = ['--scenario', 'journey-mix', '--set', 'rate=3,duration=6', '--deployment', './deployment.ts']
  const { code, stdout, stderr } = await runTss(['load', ...args], { cwd, env })
  expect(code, stdout + stderr).toBe(0)
  expect(server.given.size).toBeGreaterThan(3)
  expect(server.most.atOnce).toBe(1)
  expectHidden(server, stdout, stderr, everythingIn(onlyRun(cwd)))
})

const SECRET = 'cs-4711-0815'
const throws = `get() { throw new Error('${SECRET}') }`

test.each([
  ['a rejection', `Promise.reject(new TypeError('${SECRET}'))`, 'TypeError'],
  ['a rejection with a text', `Promise.reject('${SECRET}')`, 'ERR_UNHANDLED_REJECTION'],
  [
    'an error of a timer',
    `setTimeout(() => { throw Object.assign(new Error('${SECRET}'), { code: 'CERT_HAS_EXPIRED' }) })`,
    'Error, CERT_HAS_EXPIRED',
  ],
  [
    'an error whose getters throw, or never return',
    `Promise.reject(Object.defineProperties(new Error(), { stack: { ${throws} }, name: { ${throws} }, code: { get() { for (;;); } } }))`,
    'object',
  ],
  [
    'a proxy',
    `Promise.reject(new Proxy(new Error('${SECRET}'), { ${throws.replace('get', 'getPrototypeOf')} }))`,
    '',
  ],
  [
    'an error of a package',
    `Promise.reject(Object.assign(new Error('${SECRET}'), { stack: 'at pack' }))`,
    'Error',
  ],
])('of %s that a token function leaves behind, class and code alone are shown', async (_, act, kind) => {
  const cwd = folderWith({
    'own.mjs': `export default { name: 'x', baseUrl: 'http://127.0.0.1:9', products: ['v2-transfers'],
      credentials: { standard: { token: () => { ${act}; return new Promise(() => {}) } } } }`,
  })
  const { code, stdout, stderr } = await startTss(['doctor', '--deployment', 'own.mjs'], { cwd }).ended
  expect(stderr).toContain(`own.mjs left an error unhandled (${kind}`)
  expect(code).toBe(2)
  expect(stdout + stderr).not.toContain(SECRET)
})

test('a getter of a definition that never returns is named as one that does not finish loading', async () => {
  const cwd = folderWith({ 'own.mjs': "export default { name: 'x', get baseUrl() { for (;;); } }" })
  const { code, stderr } = await startTss(['doctor', '--deployment', 'own.mjs'], { cwd }).ended
  expect(stderr).toMatch(/own\.mjs did not finish loading: does it loop\?\n$/)
  expect(code).toBe(2)
})

needing('curl')(
  'a command that prints tokens gives a run what it needs, and is never one of .env',
  async () => {
    const server = await startWithTokens(60)
    const { id, secret } = server.client
    const { TSS_TOKEN: _, ...place } = server.company.env
    const own = {
      CLIENT_ID: id,
      CLIENT_SECRET: secret,
      TOKEN_URL: server.tokenUrl,
      TSS_TOKEN_COMMAND:
        'curl -s -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials "$TOKEN_URL"',
    }
    const cwd = folderWith({ '.env': `TSS_TOKEN_COMMAND=touch ran\nTSS_TOKEN_SECRET=${secret}\n` })
    const none = await runTss(['doctor'], { cwd, env: place })
    expect(none.stderr).toMatch(/TSS_TOKEN is missing: .*TSS_TOKEN_COMMAND in \.env is not taken/)
    expect(none.code).toBe(2)
    const env = { ...place, ...own }
    const run = await runTss(['certify', '--only', 'V2-IDEM-REPLAY-STATUS'], { cwd, env })
    expect(run.stdout, run.stderr).toMatch(/^CONFORMS/m)
    expect(run.stderr).toContain(
      'Not taken from .env, which cannot say what runs or is read here: TSS_TOKEN_COMMAND.',
    )
    expect(server.given.size).toBe(1)
    expect(existsSync(join(cwd, 'ran'))).toBe(false)
    expectHidden(server, run.stdout, run.stderr, everythingIn(onlyRun(cwd)))
  },
)
