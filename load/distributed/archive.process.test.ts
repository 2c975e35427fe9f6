import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { findK6 } from '../k6/index.ts'
import { bundleScenario } from '../plan/bundle.ts'
import { ARCHIVE, archiveStage } from '../run/k6-process.ts'
import { planOf } from '../testing/plans.ts'

test('an archive holds the plan and no credential, and fits into a ConfigMap', async () => {
  const dir = temporaryFolder()
  const { path: k6 } = await findK6()
  const script = await bundleScenario('journey-mix')
  await archiveStage({ k6, script, plan: planOf(), tokens: ['secret-credential'], dir })
  const archive = join(dir, ARCHIVE)
  expect(statSync(archive).size).toBeLessThan(0.5 * 1024 * 1024)
  const content = readFileSync(archive, 'latin1')
  expect(content).toContain('"nonce": "n0nce"')
  expect(content).not.toContain('secret-credential')
}, 600_000)
