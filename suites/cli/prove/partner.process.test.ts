import { expect, test } from 'vitest'
import type { Matrix } from '../../../reports/judge/matrix.ts'
import { startProve } from '../testing/command.ts'

test('checks for a partner find what a credential alone shows, and deviants that need control are left out', async () => {
  const only = 'V2-CANCEL-EMPTY-OBJECT or V2-FAILED-CANCEL-UNCHANGED'
  const args = ['--partner', '--only', only, '--seed', '1', '--json']
  const { code, stdout, stderr } = await startProve(args).ended
  const { deviants, unseen, control }: Matrix = JSON.parse(stdout)
  expect(deviants, stderr).toMatchObject([{ id: 'cancel-with-an-empty-object-refused', caught: true }])
  expect(unseen.length).toBeGreaterThan(0)
  for (const { breaks, evidence } of unseen) {
    expect(breaks).toContain('V2-FAILED-CANCEL-UNCHANGED')
    expect(evidence).toMatch(/^needs control that /)
  }
  expect(control).toMatchObject({ findings: [], errors: [] })
  expect(code).toBe(0)
})
