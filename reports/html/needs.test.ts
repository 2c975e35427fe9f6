import { expect, test } from 'vitest'
import { MEANS } from '../../fixtures/check/control/control.ts'
import { NO_CREDENTIAL } from '../../fixtures/clauses/needs.ts'
import { ROLES } from '../../fixtures/ground/control.ts'
import type { ClauseRecord } from '../../fixtures/ground/record.ts'
import { exampleRecord } from '../testing/example.ts'
import { needsOf } from './needs.ts'

const missing = (id: string, reason: string): ClauseRecord => ({
  ...exampleRecord.clauses[0]!,
  id,
  verdict: 'not exercised',
  findings: [],
  reason,
})

test.each(Object.entries(MEANS))('of the need of control.%s it is said how to give it', (part, means) => {
  expect(needsOf([missing('A', `needs control that ${means}`)])[0]!.give).toBe(`control.${part}`)
})

test.each(ROLES.filter(role => role !== 'standard'))(
  'of a credential of the role %s it is said how to give it',
  role => {
    expect(needsOf([missing('A', `${NO_CREDENTIAL} ${role}`)])[0]!.give).toContain('credentials')
  },
)
