import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TenantWish } from '../../../fixtures/ground/control.ts'
import { company } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'

const BROKEN = 'METHOD-V2-ALLOW'

/** Returns the environment for a new company; the broken variant sends no Allow. */
const environment = async (wish: TenantWish) => (await company(wish, 0)).env
const VARIANT = { variant: 'method-v2-allow-v2-transfer-catalog-missing' }

const waiver = (clause: string) =>
  `waivers:\n  - clause: ${clause}\n    reason: the gateway is replaced in spring\n    owner: platform team\n    expires: 2999-12-31\n`

test('a baseline and waivers decide what is red, and the findings stay in the record', async () => {
  const cwd = freshFolder()
  const [broken, sound] = [await environment(VARIANT), await environment({})]
  const certify = (env: Record<string, string>, ...args: string[]) =>
    runTss(['certify', '--only', BROKEN, '--json', ...args], { cwd, env })

  const clean = await certify(sound)
  const red = await certify(broken)
  expect([clean.code, red.code]).toEqual([0, 1])
  // Only the selected checks run, and only the summary is printed.
  expect(JSON.parse(clean.stdout)).toMatchObject({ verdict: 'conforms', only: BROKEN, findings: [] })
  const [before, after] = [JSON.parse(clean.stdout).out, JSON.parse(red.stdout).out]

  const explained = await runTss(['explain', BROKEN, '--run', after], { cwd })
  expect(explained.stdout).toMatch(/^In run \S+ of \S+ \(reports\/out\/\S+\): violates$/m)
  expect(explained.stdout).toMatch(/^Replay exchange \w+:\ncurl /m)
  expect(explained.stdout).not.toMatch(/tss_t\d+x/)

  const known = await certify(broken, '--baseline', join(after, 'record.json'))
  expect(JSON.parse(known.stdout)).toMatchObject({
    verdict: 'violates',
    gate: { passes: true, baseline: { broken: [], known: [BROKEN] } },
  })
  expect(known.code).toBe(0)

  writeFileSync(join(cwd, 'waivers.yaml'), waiver(BROKEN))
  const waived = await certify(broken, '--waivers', 'waivers.yaml')
  const summary = JSON.parse(waived.stdout)
  expect(summary.findings[0]).toMatchObject({ clause: BROKEN, waived: { owner: 'platform team' } })
  expect(summary.gate).toMatchObject({ passes: true, unneeded: [] })
  expect([summary.verdict, summary.incomplete, waived.code]).toEqual(['conforms', undefined, 0])

  // A waiver for another clause: what is red stays red in the gate.
  writeFileSync(join(cwd, 'other.yaml'), waiver('V2-CANCEL-ACCEPTED'))
  const failed = ['certify', '--failed', after, '--waivers', 'other.yaml', '--json']
  const again = await runTss(failed, { cwd, env: broken })
  expect(JSON.parse(again.stdout)).toMatchObject({
    only: BROKEN,
    verdict: 'violates',
    seed: JSON.parse(red.stdout).seed,
    gate: { passes: false, waived: 0 },
  })
  expect(again.code).toBe(1)
  const nothing = await runTss(['certify', '--failed', before], { cwd, env: broken })
  expect(nothing.stderr).toMatch(/Nothing was red in/)
  expect(nothing.code).toBe(2)
})
