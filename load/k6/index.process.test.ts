import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeProgram } from '../../fixtures/output/testing/program.ts'
import { fakeGo, fakeK6, heard, machine, program } from '../testing/machine.ts'
import { cachedK6 } from './cache.ts'
import { findK6, NoK6, presentK6 } from './index.ts'

describe('K6_BIN', () => {
  test('goes before everything else', async () => {
    const { env, bin, cache } = machine()
    program(join(bin, 'k6'), fakeK6('2.3.0'))
    const path = program(join(bin, 'elsewhere', 'my-k6'), fakeK6('2.1.0'))
    const found = await findK6({ env: { ...env, K6_BIN: path } })
    expect(found).toEqual({ path, version: '2.1.0', source: 'K6_BIN' })
    expect(existsSync(cache)).toBe(false)
  })

  test('that cannot be used is an error, even if there is another k6', async () => {
    const { env, bin } = machine()
    program(join(bin, 'k6'), fakeK6('2.3.0'))
    const path = program(join(bin, 'my-k6'), fakeK6('1.8.1'))
    await expect(findK6({ env: { ...env, K6_BIN: path } })).rejects.toThrow(
      new NoK6(
        'call',
        `K6_BIN names ${path}, which is k6 1.8.1, older than 2.0.0: name a k6 2.0.0 or newer, or unset K6_BIN to have one found.`,
      ),
    )
  })
})

describe('the PATH', () => {
  test('goes before the cache', async () => {
    const { env, bin, cache } = machine()
    program(cachedK6(cache, 'v2.3.0'), fakeK6('2.3.0'))
    const path = program(join(bin, 'k6'), fakeK6('2.0.0'))
    expect(await findK6({ env })).toEqual({ path, version: '2.0.0', source: 'PATH' })
  })

  test('is ignored with a notice if its k6 is too old', async () => {
    const { env, bin, cache } = machine()
    const old = program(join(bin, 'k6'), fakeK6('0.49.0'))
    const path = program(cachedK6(cache, 'v2.3.0'), fakeK6('2.3.0'))
    const { lines, onProgress } = heard()
    expect(await findK6({ env, onProgress })).toEqual({ path, version: '2.3.0', source: 'cache' })
    expect(lines).toEqual([`${old} is k6 0.49.0, older than 2.0.0: it is passed over`])
  })
})

test('a torn k6 in the cache is replaced', async () => {
  const { env, bin, cache } = machine()
  const path = cachedK6(cache, 'v2.3.0')
  writeProgram(path, '\x7fELF\x02\x01\x01')
  fakeGo(bin)
  expect(await findK6({ env })).toEqual({ path, version: '2.3.0', source: 'go' })
  expect(await findK6({ env })).toEqual({ path, version: '2.3.0', source: 'cache' })
  expect(readdirSync(cache)).toHaveLength(1)
})

test('if nothing provides k6, one sentence says what was tried and what to do', async () => {
  const { env, bin, cache } = machine()
  await expect(findK6({ env })).rejects.toThrow(
    expect.objectContaining({
      fault: 'machine',
      message: expect.stringMatching(
        /^k6 was not found and could not be obtained \(there is none on the PATH; \S+ holds none; Go does not start \(1\.25\.0 or newer can build k6 v2\.2\.0\)\): install k6 2\.0\.0 or newer and set K6_BIN to it\.$/,
      ),
    }),
  )
  expect(readdirSync(cache)).toEqual([])

  const old = program(join(bin, 'k6'), fakeK6('1.8.1'))
  fakeGo(bin, `echo "go: go.mod requires go >= 1.26.0 (running go 1.24.1)" >&2; exit 1`)
  const message = await findK6({ env }).catch((error: Error) => error.message)
  expect(message).toContain(`${old} is k6 1.8.1, older than 2.0.0; `)
  expect(message).toContain(
    'could not build k6 v2.3.0, which needs Go 1.26.0 (go: go.mod requires go >= 1.26.0',
  )
  expect(message).toContain('could not build k6 v2.2.0, which needs Go 1.25.0 (')
})

test('a search that is interrupted before it begins does nothing', async () => {
  const { env, cache } = machine()
  const signal = AbortSignal.abort(new Error('interrupted'))
  await expect(findK6({ env, signal })).rejects.toThrow('interrupted')
  expect(existsSync(cache)).toBe(false)
})

test('looking fetches nothing: it reports the k6 that is there, or why others are not used', async () => {
  const { env, bin, cache } = machine()
  const old = program(join(bin, 'k6'), fakeK6('0.49.0'))
  const { k6, passed } = await presentK6({ env })
  expect(k6).toBeUndefined()
  expect(passed).toEqual([`${old} is k6 0.49.0, older than 2.0.0`, `${cache} holds none`])
  expect(existsSync(cache)).toBe(false)
  const path = program(cachedK6(cache, 'v2.3.0'), fakeK6('2.3.0'))
  expect((await presentK6({ env })).k6).toEqual({ path, version: '2.3.0', source: 'cache' })
  const named = await presentK6({ env: { ...env, K6_BIN: join(bin, 'not-there') } })
  expect(named.passed[0]).toMatch(/^K6_BIN names .*which is not there/)
})
