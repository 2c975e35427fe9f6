import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { CREDENTIAL, known } from '../../fixtures/secrets/known.ts'
import { program } from '../testing/machine.ts'
import { type K6Run, runK6 } from './k6-process.ts'

test.skipIf(process.platform === 'win32')('k6 ends when the process that started it is killed', async () => {
  const dir = temporaryFolder()
  const pid = join(dir, 'pid')
  const k6 = program(join(dir, 'k6'), `echo $$ > '${pid}.new'; mv '${pid}.new' '${pid}'; exec sleep 600`)
  const starter = join(dir, 'starter.ts')
  writeFileSync(
    starter,
    `import { runK6 } from ${JSON.stringify(new URL('k6-process.ts', import.meta.url).pathname)}
     const plan = { scenario: 'soak', stage: 'soak', settings: {}, senders: [] }
     await runK6({ k6: ${JSON.stringify(k6)}, script: '', plan, tokens: [], dir: ${JSON.stringify(dir)} } as never)`,
  )
  const starting = spawn(process.execPath, [starter], { stdio: 'ignore' })
  const child = await vi.waitFor(() => Number(readFileSync(pid, 'utf8')), { timeout: 20_000 })
  expect(() => process.kill(child, 0)).not.toThrow()
  starting.kill('SIGKILL')
  await once(starting, 'exit')
  await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow('ESRCH'), { timeout: 10_000 })
})

test('a plan holds no credential, though a catalog in it shows one', async () => {
  const dir = temporaryFolder()
  const k6 = program(join(dir, 'k6'), 'exit 0')
  const token = 'tss_plan-secret-0123456789'
  known.learn(token, CREDENTIAL)
  const plan = {
    scenario: 'soak',
    stage: 'soak',
    settings: {},
    senders: [],
    catalog: [{ name: `For ${token}` }],
  }
  await runK6({ k6, script: '', plan, tokens: [token], dir } as unknown as K6Run)
  expect(readFileSync(join(dir, 'plan.json'), 'utf8')).toContain('"name": "For [credential]"')
})
