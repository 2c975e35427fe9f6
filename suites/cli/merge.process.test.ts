import { readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findK6 } from '../../load/k6/index.ts'
import { brokenIn, company, recordOf } from './testing/booked.ts'
import { runShell, runTss } from './testing/command.ts'
import { blocksOf } from './testing/guides.ts'

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

    // The block of the guide, as printed but for the plan, which is made above.
    const [block = ''] = blocksOf('load/distributed/README.md', 'sh').filter(text => text.includes('half()'))
    const script = block
      .replace(/^npx travel-sales load .*--write-plan plans$/m, '')
      .replace('npx travel', 'travel')
    expect(script).not.toContain('write-plan')
    const { path: k6, version } = await findK6()
    const merged = await runShell(`set -e\n${script}`, {
      cwd,
      env: { ...env, STAGING_TOKEN: token, PATH: [dirname(k6), process.env.PATH].join(delimiter) },
    })
    expect(merged.stdout, merged.stderr).toMatch(/journey-mix {2}too short to say, needs 20 s/)
    expect(merged.code).toBe(0)
    const [run] = readdirSync(join(cwd, 'reports/out/both')).filter(name => name.endsWith('-merged'))
    const record = recordOf(join(cwd, 'reports/out/both', run!))
    const after = (await control.counters(tenant)).requests
    expect(record.load!.k6.version).toBe(version)
    const [figures] = record.load!.scenarios
    expect(figures?.requests.sent).toBe(after.v1 + after.v2 - before.v1 - before.v2)
    expect(figures?.requests.judged).toBe(figures?.requests.sent)
    expect(figures?.iterations).toEqual({ completed: 4, dropped: 0 })
    expect(brokenIn(record)).toEqual([])
  })
})
