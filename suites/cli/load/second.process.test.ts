import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder, runTss } from '../testing/command.ts'

const BAD_DAY = join(import.meta.dirname, '../../../fixtures/second/bad-day.ts')

// The deployment conforms on a day on which its sources fail and its market refuses, so every finding is a false alarm. How
// much of it can be bought differs from run to run.
test('load on the second deployment finds nothing on a bad day', async () => {
  const { stdout, stderr } = await runTss(['load', '--deployment', BAD_DAY, '--json'], { cwd: freshFolder() })
  const { findings, coverage } = JSON.parse(stdout)
  expect(findings, stderr).toEqual([])
  expect(coverage.exercised).toBeGreaterThan(coverage.applicable / 2)
})
