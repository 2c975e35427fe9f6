import { expect, test } from 'vitest'
import type { RunRecord } from '../../fixtures/record.ts'
import { exampleRecord } from '../testing/example.ts'
import { repetition, repetitionText } from './repetition.ts'

const cleared = (id: string): RunRecord => ({
  ...exampleRecord,
  clauses: exampleRecord.clauses.map(row =>
    row.id === id ? { ...row, verdict: 'conforms', findings: [] } : row,
  ),
})

test('separates clauses that are always broken from those that are sometimes broken', () => {
  const repeated = repetition([exampleRecord, cleared('V2-IDEM-REPLAY'), exampleRecord])
  expect(repeated.flaky).toEqual([{ id: 'V2-IDEM-REPLAY', level: 'must', broken: 2, conforming: 1 }])
  expect(repeated.solid.map(({ id }) => id)).toEqual(['V2-OFFER-FORGED', 'V2-CACHE-OTHER'])
  expect(repetitionText(repeated, 3)).toContain(
    'Flaky: broken in some runs, conforming in others\n  V2-IDEM-REPLAY: broken in 2, conforming in 1\n',
  )
})

test('a clause that was not exercised in a run says nothing about it', () => {
  const unseen: RunRecord = {
    ...exampleRecord,
    clauses: exampleRecord.clauses.map(row => ({ ...row, verdict: 'not exercised', findings: [] })),
  }
  expect(repetition([exampleRecord, unseen]).flaky).toEqual([])
  expect(repetitionText(repetition([unseen]), 1)).toBe('1 runs\nNothing was found in any of them.\n')
})
