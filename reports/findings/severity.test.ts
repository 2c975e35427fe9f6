import { expect, test } from 'vitest'
import { byHarm } from './roots.ts'

test('a breach of tenancy comes before a timestamp, and a recommendation after both', () => {
  const rows = [
    { id: 'TENANCY-V2-HINT', level: 'should' },
    { id: 'FORMAT-V2-TIMESTAMP', level: 'must' },
    { id: 'V2-IDEM-REPLAY-STATUS', level: 'must' },
    { id: 'TENANCY-V2-READ', level: 'must' },
  ] as const
  expect(rows.toSorted(byHarm).map(({ id }) => id)).toEqual([
    'TENANCY-V2-READ',
    'V2-IDEM-REPLAY-STATUS',
    'FORMAT-V2-TIMESTAMP',
    'TENANCY-V2-HINT',
  ])
})
