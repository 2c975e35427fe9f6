import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCENARIOS } from '../../../load/plan/plan.ts'
import { brokenIn, everythingIn, load, onlyRun } from '../testing/booked.ts'

test('every scenario exercises its clauses, and the embedded deployment conforms', async () => {
  const { code, record, cwd, stdout, stderr } = await load(['--profile', 'smoke'])
  expect(stderr + stdout).not.toMatch(/\bat .*\.ts:\d/)
  expect(brokenIn(record)).toEqual([])
  expect(record.checks.filter(({ verdict }) => verdict !== 'conforms')).toEqual([])
  expect(code).toBe(0)
  expect(record.load?.scenarios.map(({ name }) => name)).toEqual(SCENARIOS)
  for (const { name, requests, iterations, calls, plots } of record.load?.scenarios ?? []) {
    expect(requests.judged, name).toBe(requests.sent)
    expect(requests.counted, name).toBe(requests.sent)
    expect(iterations.dropped, name).toBe(0)
    expect(calls.length, name).toBeGreaterThan(0)
    expect(plots.length, name).toBeGreaterThan(0)
  }
  const files = readdirSync(onlyRun(cwd), { recursive: true, encoding: 'utf8' })
  expect(files).toEqual(
    expect.arrayContaining(['report.html', 'junit.xml', 'summary.md', 'exchanges.ndjson']),
  )
  expect(files.filter(file => /log|samples/.test(file))).toEqual([])
  expect(everythingIn(onlyRun(cwd))).not.toMatch(/tss_t\d+x?_\w{8}|Bearer [^$<]/)
})
