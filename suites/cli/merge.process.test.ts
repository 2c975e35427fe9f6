import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../fixtures/record.ts'
import { findK6, K6_ENVIRONMENT } from '../../load/k6/index.ts'
import { samplesTo } from '../../load/run/k6-process.ts'
import { brokenIn, company, load, onlyRun, recordOf, withK6 } from './testing/booked.ts'
import { runTss } from './testing/command.ts'

withK6()

describe('more than one machine', () => {
  test('a plan for others holds no credential, sends no load, and is good for k6 processes of any machine', async () => {
    const { control, tenant, token, cwd, env } = await company({}, 0)
    const planned = await runTss(
      ['load', '--scenario', 'journey-mix', '--set', 'rate=0.5,duration=8', '--write-plan', 'plans'],
      { cwd, env },
    )
    expect(planned.stderr).toMatch(
      /plan\.json and archive\.tar are in .*TSS_TOKENS .* standard, in that order/,
    )
    expect(planned.code).toBe(0)
    const dir = join(cwd, 'plans/journey-mix/journey-mix')
    const archive = readFileSync(join(dir, 'archive.tar'), 'latin1')
    expect(archive).not.toContain(token)
    // It fits into a ConfigMap.
    expect(archive.length).toBeLessThan(0.5 * 1024 * 1024)
    const before = (await control.counters(tenant)).requests
    expect(before.v2).toBeLessThan(20)

    // The archive holds the plan, too.
    mkdirSync(join(cwd, 'results'))
    renameSync(join(dir, 'plan.json'), join(cwd, 'results/plan.json'))
    const { path: k6 } = await findK6()
    const segments = ['0:1/2', '1/2:1']
    await Promise.all(
      segments.map((segment, index) => {
        const own = join(cwd, 'results', String(index))
        mkdirSync(own)
        return promisify(execFile)(
          k6,
          [
            ...['run', '--quiet', '--log-format=raw', `--console-output=${join(own, 'answers.ndjson')}`],
            ...['--out=csv', '--execution-segment', segment],
            ...['--execution-segment-sequence', '0,1/2,1', join(dir, 'archive.tar')],
          ],
          {
            env: {
              ...process.env,
              ...K6_ENVIRONMENT,
              ...samplesTo(join(own, 'samples.csv')),
              TSS_TOKENS: token,
            },
          },
        )
      }),
    )
    const merged = await runTss(['merge', 'results'], { cwd })
    expect(merged.stdout).toMatch(/journey-mix {2}conforms/)
    expect(merged.code).toBe(0)
    const [run] = readdirSync(join(cwd, 'reports/out')).filter(name => name.endsWith('-merged'))
    const record = recordOf(join(cwd, 'reports/out', run!))
    const after = (await control.counters(tenant)).requests
    const [figures] = record.load!.scenarios
    expect(figures?.requests.sent).toBe(after.v1 + after.v2 - before.v1 - before.v2)
    expect(figures?.requests.judged).toBe(figures?.requests.sent)
    expect(figures?.iterations).toEqual({ completed: 4, dropped: 0 })
    expect(brokenIn(record)).toEqual([])
  }, 120_000)

  test('what the run folder keeps with --keep-raw gives the same figures again', async () => {
    const { record, cwd } = await load(['--scenario', 'search-polling', '--keep-raw'])
    const run = onlyRun(cwd)
    const { code, stdout } = await runTss(['merge', run, '--out', 'merged', '--json'], { cwd })
    expect(code).toBe(0)
    const { out } = JSON.parse(stdout)
    const again = recordOf(join(cwd, out))
    const calls = ({ load }: RunRecord) =>
      load?.scenarios.map(({ calls, iterations }) => ({ calls, iterations }))
    expect(calls(again)).toEqual(calls(record))
  }, 60_000)
})
