import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { writeProgram } from '../../fixtures/output/testing/program.ts'
import { fakeK6, machine, program } from '../testing/machine.ts'
import { inspectK6, k6VersionIn, olderThan } from './search.ts'

test.each([
  ['k6 v2.2.0 (go1.26.8, linux/amd64)\n', '2.2.0'],
  ['k6 v0.49.0 (2024-01-29T12:00:00+0000/v0.49.0-0-g1, go1.21.6, darwin/arm64)', '0.49.0'],
  ['k6 2.3.0 (commit/0a1b2c3d4e-dirty, go1.26.1, linux/arm64)\nExtensions:\n  example v0.1.0', '2.3.0'],
  ['k6.exe v2.3.0 (go1.26.1, windows/amd64)\r\n', '2.3.0'],
  ['some notice\nk6 v2.4.0-rc1 (go1.26.1, linux/amd64)', '2.4.0-rc1'],
  ['k6 v2.3.1-0.20260901101112-0a1b2c3d4e5f+dirty (go1.26.1)', '2.3.1-0.20260901101112-0a1b2c3d4e5f+dirty'],
  ['go version go1.26.8 linux/amd64', undefined],
  ['', undefined],
])('%j tells version %s', (text, version) => {
  expect(k6VersionIn(text)).toBe(version)
})

test.each([
  ['1.8.1', '2.0.0', true],
  ['2.0.0', '2.0.0', false],
  ['2.0.0+dirty-tree', '2.0.0', false],
  ['2.0.0-rc1', '2.0.0', true],
  ['2.0.1-0.20260901101112-0a1b2c3d4e5f', '2.0.0', false],
  ['2.9.0', '2.10.0', true],
  ['10.0.0', '2.0.0', false],
])('%s is older than %s: %s', (version, minimum, older) => {
  expect(olderThan(version, minimum)).toBe(older)
})

describe('a file that may be a k6', () => {
  const inspect = (path: string, signal = new AbortController().signal) =>
    inspectK6(path, { env: machine().env, signal })
  const file = (script: string) => program(join(temporaryFolder(), 'k6'), script)

  test('is asked for its version', async () => {
    expect(await inspect(file(fakeK6('2.0.0')))).toEqual({ version: '2.0.0' })
  })

  test('is asked without credentials, reporting to anybody, or fetching extensions', async () => {
    const path = file(
      `echo "k6 v2.3.0-$K6_NO_USAGE_REPORT.$K6_AUTO_EXTENSION_RESOLUTION.\${TSS_TOKEN:-none} ()"`,
    )
    const env = { ...machine().env, TSS_TOKEN: 'secret' }
    const { signal } = new AbortController()
    expect(await inspectK6(path, { env, signal })).toEqual({ version: '2.3.0-true.false.none' })
  })

  test.each([
    ['too old', fakeK6('1.8.1'), 'is k6 1.8.1, older than 2.0.0'],
    ['something else', 'echo 7-Zip', 'does not say its version (it ended with 0)'],
    ['broken', 'exit 3', 'does not say its version (it ended with 3)'],
  ])('that is %s is refused', async (_, script, problem) => {
    expect(await inspect(file(script))).toEqual({ problem })
  })

  test('that is missing, a folder, not executable or no program is refused', async () => {
    const folder = temporaryFolder()
    const bare = join(folder, 'bare')
    const torn = writeProgram(join(folder, 'torn'), '\x7fELF\x02\x01')
    writeFileSync(bare, fakeK6('2.3.0'))
    chmodSync(bare, 0o644)
    mkdirSync(join(folder, 'folder'))
    expect(await inspect(join(folder, 'none'))).toEqual({ problem: 'is not there' })
    expect(await inspect(join(folder, 'folder'))).toEqual({ problem: 'is not a file' })
    expect(await inspect(bare)).toEqual({ problem: 'may not be executed' })
    expect(await inspect(torn)).toHaveProperty(
      'problem',
      expect.stringMatching(/^cannot be started|^does not say/),
    )
  })

  test('is abandoned after an interrupt', async () => {
    const controller = new AbortController()
    const asked = inspect(file('sleep 60'), controller.signal)
    controller.abort(new Error('interrupted'))
    await expect(asked).rejects.toThrow('interrupted')
  })
})
