import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { temporaryFolder } from '../fixtures/client/testing/until.ts'
import type { Collected, CollectedCheck, Progress } from '../fixtures/run/collected.ts'
import { RunReporter } from './reporter.ts'

const SUITES = {
  'area/works.suite.ts': `
    const report = { clauses: ['A'], exercised: ['A'], findings: [], requests: { v1: 0, v2: 1 }, properties: [] }
    describe('outer', () => {
      describe('inner', () => {
        test('conforms', { tags: ['A'] }, ({ task }) => { task.meta.check = report })
      })
      test('finds', { tags: ['A'] }, ({ task }) => {
        const finding = { clause: 'A', message: 'no', source: 'check', check: 'x', exchanges: [] }
        task.meta.check = { ...report, findings: [finding, finding] }
        throw Object.assign(new Error('no'), { name: 'ViolationFound' })
      })
    })
    test('forgets to report', { tags: ['B'] }, () => {})
    test('throws', { tags: ['B'] }, () => { throw new TypeError('x is \\u001b[31mnot\\u001b[0m a function') })
    test('is skipped with a reason', { tags: ['B'] }, ({ skip }) => skip('no clock here'))
    test('hangs', { tags: ['B'], timeout: 50 }, () => new Promise(() => {}))
  `,
  'area/hook.suite.ts': `
    describe('with a broken hook', () => {
      beforeAll(() => { throw new Error('the hook broke') })
      test('could not run', { tags: ['B'] }, () => {})
    })
  `,
  'area/import.suite.ts': `import './nothing-here.ts'\ntest('is lost', { tags: ['A'] }, () => {})`,
}

const root = temporaryFolder(afterAll)
mkdirSync(join(root, 'area'))
for (const [file, text] of Object.entries(SUITES)) writeFileSync(join(root, file), text)

async function run(
  options: { tagsFilter?: string[] } = {},
): Promise<{ collected: Collected; seen: Progress[] }> {
  const seen: Progress[] = []
  const reporter = new RunReporter({ root, onProgress: progress => seen.push(progress) })
  const exitCode = process.exitCode
  const vitest = await createVitest({
    root,
    config: false,
    watch: false,
    globals: true,
    include: ['**/*.suite.ts'],
    maxWorkers: 1,
    tags: [{ name: 'A' }, { name: 'B' }],
    reporters: [reporter],
    pool: 'threads',
    ...options,
  })
  await vitest.start()
  await vitest.close()
  process.exitCode = exitCode
  return { collected: reporter.collected(), seen }
}

const byId = (collected: Collected): Record<string, CollectedCheck> =>
  Object.fromEntries(collected.checks.map(check => [check.id, check]))

test('collects the report of every check, and what kept one from reporting', async () => {
  const { collected, seen } = await run()
  const checks = byId(collected)

  expect(collected.ended).toBe(true)
  expect(checks['area/works.suite.ts > outer > inner > conforms']).toMatchObject({
    file: 'area/works.suite.ts',
    title: ['outer', 'inner', 'conforms'],
    tags: ['A'],
    state: 'passed',
    errors: [],
    report: { exercised: ['A'] },
  })
  expect(checks['area/works.suite.ts > outer > finds']).toMatchObject({ state: 'failed', errors: [] })
  expect(checks['area/works.suite.ts > forgets to report']).toMatchObject({
    state: 'passed',
    report: undefined,
  })
  expect(checks['area/works.suite.ts > throws']).toMatchObject({
    state: 'failed',
    errors: [expect.stringMatching(/^TypeError: x is not a function \(area\/works\.suite\.ts:\d+:\d+\)$/)],
  })
  expect(checks['area/works.suite.ts > is skipped with a reason']).toMatchObject({ note: 'no clock here' })
  expect(checks['area/works.suite.ts > hangs']).toMatchObject({
    state: 'failed',
    errors: [expect.stringContaining('timed out in 50ms')],
  })
  expect(checks['area/hook.suite.ts > with a broken hook > could not run']).toMatchObject({
    state: 'failed',
    errors: [expect.stringContaining('the hook broke')],
  })
  expect(collected.moduleErrors).toEqual([
    { file: 'area/hook.suite.ts > with a broken hook', message: expect.stringContaining('the hook broke') },
    { file: 'area/import.suite.ts', message: expect.stringContaining('nothing-here.ts') },
  ])
  expect(seen.at(-1)).toMatchObject({ findings: 1 })
})

test('distinguishes checks that were not selected from checks that ran', async () => {
  const { collected, seen } = await run({ tagsFilter: ['A'] })
  const checks = byId(collected)
  expect(checks['area/works.suite.ts > outer > finds']).toMatchObject({ state: 'failed' })
  expect(checks['area/works.suite.ts > throws']).toMatchObject({
    state: 'skipped',
    errors: [],
    note: undefined,
  })
  // Those that were not selected are not counted.
  expect(seen.at(-1)).toMatchObject({ done: 2, checks: 2 })
})
