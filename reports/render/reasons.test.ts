import { expect, test } from 'vitest'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { exampleRecord } from '../testing/example.ts'
import { blocked } from './plain.ts'

const [found] = exampleRecord.clauses
const refused = (what: string, why: string, exchange: string) =>
  `${what} was refused every time, the last time with ${why} (exchange ${exchange}): say what this deployment wants in shapes.x of the definition`

test.each<[string, reasons: string[], groups: string[]]>([
  [
    'amounts are left out',
    [refused('an order', '400 It costs 12.5', 'a1'), refused('an order', '400 It costs 7.25', 'b1')],
    [
      'an order was refused every time, the last time with 400 It costs …: say what this deployment wants in shapes.x of the definition',
    ],
  ],
  [
    'a finding is named that is the cause, by its answer or by its refusal',
    [refused('an order', '400 X', 'a4'), refused('a booking', '400 Invalid pax', 'b1')],
    ['needs what was refused: see the finding of V2-IDEM-REPLAY'],
  ],
  [
    'the most frequent of several reasons counts',
    ['needs a clock', 'needs an answer; needs a clock', 'needs a room'],
    ['needs a clock', 'needs a room'],
  ],
])('reasons are put together: %s', (_, reasons, groups) => {
  const findings = [
    ...found!.findings,
    { ...found!.findings[0]!, observed: '400 Invalid pax', exchanges: ['z'] },
  ]
  const rows = reasons.map((reason, at) => ({
    ...found!,
    id: `X-${at}`,
    verdict: 'blocked' as const,
    reason,
    findings: [],
  }))
  const record: RunRecord = { ...exampleRecord, checks: [], clauses: [{ ...found!, findings }, ...rows] }
  expect(blocked(record).map(({ reason }) => reason)).toEqual(groups)
})
