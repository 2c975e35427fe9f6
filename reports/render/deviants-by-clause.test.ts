import { expect, test } from 'vitest'
import { deviants } from '../../fixtures/deviants/index.ts'
import { deviantsByClause } from './deviants-by-clause.ts'

test('every deviant is listed under each clause that it breaks', async () => {
  const byClause = await deviantsByClause()
  const [first] = deviants
  for (const clause of first!.breaks) expect(byClause.get(clause)).toContain(first!.id)
  expect(new Set([...byClause.values()].flat()).size).toBeGreaterThanOrEqual(deviants.length)
})
