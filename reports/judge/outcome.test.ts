import { expect, test } from 'vitest'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { gated } from '../gate/gate.ts'
import { toHtml } from '../html/report.ts'
import { toJUnit } from '../render/junit.ts'
import { toMarkdown } from '../render/markdown.ts'
import { summarise } from '../render/summary.ts'
import { finalText } from '../terminal/summary.ts'
import { exampleInput, exampleRecord } from '../testing/example.ts'
import { assemble } from './assemble.ts'
import { outcomeOf } from './outcome.ts'

const waiver = { clause: 'V2-IDEM-REPLAY', reason: 'known', owner: 'ada', expires: '2999-01-01' }
const standing = exampleRecord.leftovers
const violating: RunRecord = { ...exampleRecord, leftovers: [] }
const conforming: RunRecord = {
  ...violating,
  verdict: 'conforms',
  clauses: exampleRecord.clauses.map(row => ({ ...row, verdict: 'conforms', findings: [] })),
  checks: [],
}
const blocked: RunRecord = {
  ...conforming,
  verdict: 'blocked',
  clauses: conforming.clauses.map((row, at) => (at === 0 ? { ...row, verdict: 'blocked' } : row)),
}
const unheeding: RunRecord = {
  ...conforming,
  clauses: violating.clauses.map(row =>
    row.level === 'should' ? row : { ...row, verdict: 'conforms', findings: [] },
  ),
}
const missing = { incomplete: ['The profile asks for more.'] }

/** A run and its outcome everywhere: exit code, gate and tone. */
const CASES: readonly (readonly [string, RunRecord, code: number, tone: string])[] = [
  ['conforms', conforming, 0, 'conforms'],
  ['conforms, and may have left a booking', { ...conforming, leftovers: standing }, 1, 'blocked'],
  ['follows all but one recommendation', unheeding, 0, 'blocked'],
  ['violates', violating, 1, 'violates'],
  [
    'violates beside what is waived',
    assemble({ ...exampleInput, leftovers: [], waivers: [waiver] }),
    1,
    'violates',
  ],
  ['violates as its baseline did', gated(violating, { baseline: violating }), 0, 'blocked'],
  ['is incomplete', { ...conforming, ...missing, verdict: 'incomplete' }, 1, 'blocked'],
  ['covers too little', gated(conforming, { requireCoverage: 0.9 }), 1, 'blocked'],
  ['covers enough', gated(conforming, { requireCoverage: 0.5 }), 0, 'conforms'],
  ['is blocked', blocked, 1, 'blocked'],
  [
    'has a check that was blocked late',
    { ...conforming, verdict: 'blocked', checks: [{ ...exampleRecord.checks[2]!, verdict: 'blocked' }] },
    1,
    'blocked',
  ],
  ['was halted', { ...conforming, halted: 'out of time', verdict: 'incomplete' }, 3, 'blocked'],
  ['was halted, and violates', { ...violating, halted: 'out of time' }, 3, 'blocked'],
  ['was halted, and is blocked', { ...blocked, halted: 'out of time' }, 3, 'blocked'],
  ['failed', { ...conforming, errors: ['a fault'], verdict: 'error' }, 3, 'error'],
  ['saw nothing', { ...conforming, verdict: 'not exercised' }, 3, 'unseen'],
]

test.each(CASES)('a run that %s passes or not in all reports, and in one colour', (_, record, code, tone) => {
  const passes = code === 0
  const outcome = outcomeOf(record)
  expect(outcome).toMatchObject({ passes, exitCode: code, tone })
  expect(record.gate?.passes ?? passes).toBe(passes)
  const page = toHtml(record, { exchanges: new Map(), curlOf: () => '' })
  expect(page).toContain(`<section class="verdict tone-${tone}"`)
  const isLet = passes && record.gate !== undefined
  expect(page.includes('<section class="callout tone-conforms"><h2>The gate')).toBe(isLet)
  const final = finalText(record, { colour: false, dir: '.' })
  const markdown = toMarkdown(record)
  for (const text of [final, markdown]) expect(text.includes('The gate passes')).toBe(isLet)
  const junit = toJUnit(record)
  expect(/<(failure|error)\b/.test(junit)).toBe(!passes)
  expect(/name="The gate lets it pass"[^>]*\/>/.test(junit)).toBe(passes)
  const heads = [
    final.split('\n')[0]!.toLowerCase(),
    markdown.split('\n')[0]!,
    /<p class="word">(.*?)<\/p>/.exec(page)![1]!,
  ]
  expect(heads.filter(head => !head.includes(outcome.word))).toEqual([])
  // Nobody reads "conforms" in a headline above a run that does not pass, nor "violates" above one that ends with another code.
  const wrong = passes
    ? /(?<!: .*)violates/
    : code === 3
      ? /(?:^|: )(?:conforms|violates)/
      : /^conforms|: conforms/
  expect(heads.filter(head => wrong.test(head))).toEqual([])
  expect(summarise(record, '.')).toMatchObject({ passes })
})

test('a recommendation is not red in the page, where nothing else was found', () => {
  const totals = { ...unheeding.totals, violates: 1 }
  const page = toHtml({ ...unheeding, totals }, { exchanges: new Map(), curlOf: () => '' })
  expect(page).not.toMatch(/<(?:section|li|rect|article)[^>]* class="[^"]*tone-violates/)
  expect(page).not.toMatch(/<a class="v"/)
})
