import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { writeProgram } from '../../fixtures/output/testing/program.ts'
import { CREDENTIAL, known } from '../../fixtures/secrets/known.ts'
import { type K6Run, runK6 } from './k6-process.ts'

/** Runs a program instead of k6, in a temporary folder. */
function runAs(script: string, different: object = {}, dir = temporaryFolder()): Promise<void> {
  const k6 = writeProgram(join(dir, 'k6'), script)
  const plan = { scenario: 'soak', stage: 'soak', baseUrl: 'http://d', settings: {}, senders: [] }
  return runK6({ k6, script: '', plan, tokens: [], dir, ...different } as unknown as K6Run)
}

test.skipIf(process.platform === 'win32')('k6 ends when the process that started it is killed', async () => {
  const dir = temporaryFolder()
  const pid = join(dir, 'pid')
  const k6 = writeProgram(join(dir, 'k6'), `echo $$ > '${pid}.new'; mv '${pid}.new' '${pid}'; exec sleep 600`)
  const starter = join(dir, 'starter.ts')
  writeFileSync(
    starter,
    `import { runK6 } from ${JSON.stringify(new URL('k6-process.ts', import.meta.url).pathname)}
     const plan = { scenario: 'soak', stage: 'soak', baseUrl: 'http://d', settings: {}, senders: [] }
     await runK6({ k6: ${JSON.stringify(k6)}, script: '', plan, tokens: [], dir: ${JSON.stringify(dir)} } as never)`,
  )
  const starting = spawn(process.execPath, [starter], { stdio: 'ignore' })
  const child = await vi.waitFor(() => Number(readFileSync(pid, 'utf8')), { timeout: 20_000 })
  expect(() => process.kill(child, 0)).not.toThrow()
  starting.kill('SIGKILL')
  await once(starting, 'exit')
  await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow('ESRCH'), { timeout: 10_000 })
})

test('a plan contains no credential, even if a catalog in it does', async () => {
  const dir = temporaryFolder()
  const token = 'tss_plan-secret-0123456789'
  known.learn(token, CREDENTIAL)
  const plan = {
    scenario: 'soak',
    baseUrl: 'http://d',
    settings: {},
    senders: [],
    catalog: [{ name: `For ${token}` }],
  }
  await runAs('exit 0', { plan, tokens: [token] }, dir)
  expect(readFileSync(join(dir, 'plan.json'), 'utf8')).toContain('"name": "For [credential]"')
})

test('an exception in an iteration, after which k6 continues, is an error', async () => {
  const says = (text: string) => runAs(`printf '${text}' >&2`)
  await expect(says('TypeError: no x\\n\\tat settle (file:///a/script.js:1:2(62))\\n')).rejects.toThrow(
    'The script failed in soak, stage soak: TypeError: no x',
  )
  await says('Request Failed error="Get http://d: TypeError: EOF"\\n')
})

test.skipIf(process.platform !== 'linux')('answers that break k6 down are no fault of the kit', async () => {
  const overflow =
    "printf 'runtime: goroutine stack exceeds\nfatal error: stack overflow\n\ngoroutine 1:\n' >&2; exit 2"
  await expect(runAs(overflow)).rejects.toThrow(
    expect.objectContaining({
      verdict: 'blocked',
      message: 'k6 failed because of an answer of http://d, in stage soak: fatal error: stack overflow',
    }),
  )
  await expect(runAs('exec sleep 600', { mostMemory: 1000 })).rejects.toThrow(
    expect.objectContaining({
      verdict: 'blocked',
      message: expect.stringMatching(/more than 0\.0 GB of memory$/),
    }),
  )
  await expect(runAs("echo 'panic: x' >&2; exit 2")).rejects.toThrow(/^k6 ended with 2 .*panic: x/)
})
