import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { variants } from '../../fixtures/deviants/index.ts'
import { readRun } from '../../reports/folder/read.ts'
import { poolOf, replayScript } from '../../reports/scripts/replay-script.ts'
import { startAltered } from './testing/altered-deployment.ts'
import { everythingIn, generous, load, onlyRun } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'

const KEY = 'gw-9Kd3Lq7ZpX2vB5tW'
const SECRET = 'cf.Secret-8842ab90ffe17c'
const HEADERS = { TSS_HEADER_X_GATEWAY_KEY: KEY, TSS_HEADER_CF_ACCESS_CLIENT_SECRET: SECRET }

/** A gateway that lets nobody through without its headers, and repeats them in every answer. */
async function guarded() {
  const without: string[] = []
  const deployment = await startAltered(
    async ({ method, path, headers }, pass) => {
      if (headers['x-gateway-key'] !== KEY || headers['cf-access-client-secret'] !== SECRET) {
        without.push(`${method} ${path}`)
        return { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>Forbidden</html>' }
      }
      const answer = await pass()
      const isJson = String(answer.headers['content-type']).includes('json')
      const body = isJson ? String(answer.body).replace(/^\{/, `{"via":"${KEY} ${SECRET}",`) : answer.body
      return { ...answer, headers: { ...answer.headers, 'x-via': `${KEY}; ${SECRET}` }, body }
    },
    { variants: { ...variants, generous } },
  )
  return { ...deployment, without }
}

const CLAUSE = 'V2-IDEM-REPLAY-FLAG'

test('what a gateway asks for is in every request of every command, and in outputs only as variables', async () => {
  const { company, without } = await guarded()
  const { env: found } = await company(['v2-transfers'], { variant: 'generous+replay-without-flag' })
  const env = { ...found, ...HEADERS, TSS_PER_MINUTE: '1000000' }
  const cwd = freshFolder()
  const said: string[] = []
  const tss = async (...args: string[]) => {
    const ended = await runTss(args, { cwd, env })
    said.push(ended.stdout, ended.stderr)
    return ended
  }
  const doctor = await tss('doctor')
  expect(doctor.stdout).toContain('role standard: reads every catalog')
  expect(doctor.stdout).toContain('headers of every request: x-gateway-key, cf-access-client-secret')
  const { stdout } = await tss('certify', '--only', CLAUSE, '--json')
  const { out } = JSON.parse(stdout)
  expect((await tss('replay', CLAUSE, '--run', out)).stdout).toContain('It shows again.')

  const run = await readRun(join(cwd, out))
  const row = run.record.clauses.find(({ id }) => id === CLAUSE)!
  const [finding] = row.findings
  const sent = (await run.traffic([finding!.check])).get(finding!.check) ?? []
  const script = replayScript(
    { clause: CLAUSE, says: row.says, ...finding! },
    finding!.exchanges,
    poolOf(sent, []),
  )!
  const runScript = (given: Record<string, string>) =>
    promisify(execFile)('sh', ['-c', script], { cwd, env: { PATH: process.env.PATH, ...given } }).catch(
      ended => ended,
    )
  const again = await runScript({ TSS_TOKEN: env.TSS_TOKEN, ...HEADERS })
  expect(again.stdout).toMatch(/^reproduced$/m)
  expect(again.stdout).toMatch(/^Cancelling \S+, which step \d booked: 200$/m)
  const { TSS_HEADER_X_GATEWAY_KEY, ...others } = HEADERS
  const untried = await runScript({ TSS_TOKEN: env.TSS_TOKEN, ...others })
  expect(untried.stdout).toBe('could not be tried: TSS_HEADER_X_GATEWAY_KEY is not set\n')

  expect(without).toEqual([])
  const reports = everythingIn(join(cwd, 'reports'))
  expect(reports).toContain('$TSS_HEADER_CF_ACCESS_CLIENT_SECRET')
  for (const secret of [KEY, SECRET])
    for (const text of [...said, reports, script]) expect(text).not.toContain(secret)
})

describe('under load', () => {
  test('the requests of k6 have the headers, and nothing it leaves does', async () => {
    const { company, without, requests } = await guarded()
    const { env } = await company(['v2-transfers'])
    const args = ['--scenario', 'journey-mix', '--set', 'rate=2,duration=3']
    const { code, cwd, stderr, stdout } = await load(args, { ...env, ...HEADERS })
    expect(code, stderr).toBe(0)
    expect(requests.length).toBeGreaterThan(6)
    expect(without).toEqual([])
    for (const secret of [KEY, SECRET])
      for (const text of [stdout, stderr, everythingIn(onlyRun(cwd))]) expect(text).not.toContain(secret)
  })
})
