import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { findK6 } from '../k6/index.ts'
import { bundleScenario } from '../plan/bundle.ts'
import type { Plan } from '../plan/plan.ts'
import { ARCHIVE, archiveStage } from '../run/k6-process.ts'

const PLAN: Plan = {
  scenario: 'journey-mix',
  stage: 'journey-mix',
  baseUrl: 'http://127.0.0.1:1',
  settings: { rate: 4, duration: 1 },
  senders: [{ alias: 'first', role: 'standard' }],
  products: [],
  shapes: {
    probes: { v1: { method: 'GET', path: '/api/v1/p' }, v2: { method: 'GET', path: '/api/v2/p' } },
    asks: {},
  },
  nonce: 'n0nce',
}

test('an archive holds the plan and no credential, and fits into a ConfigMap', async () => {
  const dir = temporaryFolder()
  const { path: k6 } = await findK6()
  const script = await bundleScenario('journey-mix')
  await archiveStage({ k6, script, plan: PLAN, tokens: ['secret-credential'], dir })
  const archive = join(dir, ARCHIVE)
  expect(statSync(archive).size).toBeLessThan(0.5 * 1024 * 1024)
  const content = readFileSync(archive, 'latin1')
  expect(content).toContain('"nonce": "n0nce"')
  expect(content).not.toContain('secret-credential')
}, 600_000)
