import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Control, TenantWish } from '../../fixtures/control.ts'
import { httpControl } from '../../fixtures/deployments/http-control.ts'
import { startReference } from '../../fixtures/reference/server.ts'
import { freshFolder, runShell, runTss } from './testing/command.ts'

/** A deployment of its own, with one credential and what tells `travel-sales certify` about it. */
async function served(wish: TenantWish = {}) {
  const reference = await startReference()
  onTestFinished(() => reference.stop())
  const control = httpControl(reference.controlUrl) as Required<Control>
  const { tenant, token } = await control.mint(wish)
  const env = { TSS_BASE_URL: reference.baseUrl, TSS_TOKEN: token, TSS_PRODUCTS: 'v2-transfers' }
  return { baseUrl: reference.baseUrl, control, tenant, token, env }
}

test('a credential that sells for real: it stops at the first booking, cancels it and says why', async () => {
  const { baseUrl, control, tenant, token, env } = await served({ modes: { transfers: 'live' } })
  const cwd = freshFolder()
  const { code, stdout } = await runTss(['certify', '--json'], { cwd, env })

  expect(code).toBe(3)
  const summary = JSON.parse(stdout)
  expect(summary.halted).toMatch(/a booking of v2-transfers as standard did not say test_mode: true/)
  expect(summary.leftovers).toEqual([])
  expect(await control.counters(tenant)).toMatchObject({ bookings: { transfers: 1 } })
  const exchanges = readFileSync(join(cwd, summary.out, 'exchanges.ndjson'), 'utf8')
  const id = /\\"booking_id\\":\s*(\d+)/.exec(exchanges)?.[1]
  const answer = await fetch(`${baseUrl}/api/v2/bookings/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await answer.json()).toMatchObject({ booking: { status: 'cancelled' } })
})

test('two runs at once in one folder get a folder each', async () => {
  const { env } = await served()
  const cwd = freshFolder()
  const args = ['certify', '--seed', '7', '--only', 'v2-transfers', '--json']
  const ended = await Promise.all([runTss(args, { cwd, env }), runTss(args, { cwd, env })])
  const outs = ended.map(({ stdout }) => JSON.parse(stdout).out)
  expect(new Set(outs).size).toBe(2)
  expect(
    readdirSync(join(cwd, 'reports/out'))
      .map(run => `reports/out/${run}`)
      .sort(),
  ).toEqual(outs.sort())
  for (const out of outs) {
    const record = JSON.parse(readFileSync(join(cwd, out, 'record.json'), 'utf8'))
    expect(record).toMatchObject({ run: out.split('/').at(-1), seed: 7 })
  }
})

test.each([
  [8, 'certify'],
  [20, 'certify --only v2-transfers'],
  [20, 'load --scenario journey-mix'],
])(
  'a disk with room for %d blocks: %s tells what was found, and why it could not be written',
  async (blocks, call) => {
    const { env } = await served()
    // A limit on the size of files fails writes just as a full disk does, and needs no privileges.
    const { code, stdout, stderr } = await runShell(
      `trap '' XFSZ; ulimit -f ${blocks}; exec travel-sales ${call}`,
      { env },
    )
    expect(code).toBe(3)
    expect(stdout).toContain('Seed: ')
    expect(stderr).toMatch(/^travel-sales: .*record\.json could not be written \(EFBIG\)/m)
    expect(stderr).not.toMatch(/^\s+at |kit itself failed/m)
  },
)

test('--max-requests is kept, and what it costs is not exercised', async () => {
  const { control, tenant, env } = await served()
  const { stdout } = await runTss(['certify', '--max-requests', '12', '--json'], { env })
  const { requests, totals, findings } = JSON.parse(stdout)
  const counted = await control.counters(tenant)
  // Requests without a valid credential belong to no tenant.
  expect(counted.requests.v1 + counted.requests.v2).toBeLessThanOrEqual(requests.v1 + requests.v2)
  // Cancelling what was booked is worth going over the limit for.
  expect(requests.v1 + requests.v2).toBeLessThanOrEqual(24)
  expect(totals['not exercised']).toBeGreaterThan(0)
  expect(findings).toEqual([])
})

test('few requests are spent on what is worth most, and a run that was cut short says so first', async () => {
  const { code, stdout } = await runTss(['certify', '--max-requests', '500'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^INCOMPLETE {2}The run was cut short: its 500 requests were spent\./)
  // In the order of files they reached 180 clauses.
  const [, exercised] = /of (\d+) exercised clauses conform/.exec(stdout)!
  expect(Number(exercised)).toBeGreaterThan(400)
})

test('--max-duration ends the run with 3, and what was found is written', async () => {
  const { env } = await served()
  const cwd = freshFolder()
  const { code, stdout } = await runTss(['certify', '--max-duration', '0.01s', '--json'], { cwd, env })
  expect(code).toBe(3)
  const summary = JSON.parse(stdout)
  expect(summary.halted).toContain('its time was over')
  expect(summary.errors).toEqual([])
  expect(JSON.parse(readFileSync(join(cwd, summary.out, 'record.json'), 'utf8')).halted).toBe(summary.halted)
})

test('--require-coverage turns a run red that saw too little', async () => {
  const { env } = await served()
  const args = ['certify', '--only', 'v2-transfers']
  const seen = await runTss(args, { env })
  expect(seen.code).toBe(0)
  const { code, stderr } = await runTss([...args, '--require-coverage', '1'], { env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/Coverage is \d+\.\d %, and --require-coverage asks for 100 %\./)
})
