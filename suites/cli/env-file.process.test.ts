import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAltered } from './testing/altered-deployment.ts'
import { everythingIn, onlyRun } from './testing/booked.ts'
import { freshFolder, runTss, startTss } from './testing/command.ts'

test('a run has its settings from the file that is named, and its credentials from mounted files', async () => {
  const deployment = await startAltered((_, pass) => pass())
  const [one, other] = [await deployment.company(['v2-transfers']), await deployment.company([])]
  const [cwd, elsewhere] = [freshFolder(), freshFolder()]
  writeFileSync(join(cwd, '.env'), 'TSS_BASE_URL=http://127.0.0.1:9\n')
  writeFileSync(join(elsewhere, 'token'), `${one.token}\n`)
  writeFileSync(join(elsewhere, 'other'), other.token)
  const settings = {
    TSS_BASE_URL: deployment.baseUrl,
    TSS_PRODUCTS: 'v2-transfers',
    TSS_TOKEN_FILE: join(elsewhere, 'token'),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(elsewhere, 'ci.env'), lines.join(''))
  const args = ['certify', '--env-file', join(elsewhere, 'ci.env'), '--only', 'TENANCY-V2-SAME-ANSWER']
  const env = { TSS_TOKEN_OTHER_FILE: join(elsewhere, 'other') }
  const { code, stdout, stderr } = await startTss(args, { cwd, env }).ended
  expect(stderr).toContain(`as TSS_BASE_URL in ${join(elsewhere, 'ci.env')} says`)
  expect(stdout).toMatch(/^CONFORMS/m)
  expect(code).toBe(0)
  for (const { token } of [one, other])
    for (const text of [stdout, stderr, everythingIn(onlyRun(cwd))]) expect(text).not.toContain(token)

  const missing = await runTss(['doctor', '--env-file', 'missing.env'], { cwd })
  expect(missing.stderr).toMatch(/^travel-sales: \S*missing\.env: it could not be read: ENOENT[^\n]*\n$/)
  expect(missing.code).toBe(2)
})
