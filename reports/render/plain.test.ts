import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { exampleRecord } from '../testing/example.ts'
import { blocked, oneLine, plain, shorten, visible } from './plain.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be left
const DANGEROUS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe('plain', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]8;;http://h.example\u0007link\u001b]8;;\u0007', 'link'],
    ['\u001b]0;title\u001b\\after', 'after'],
    ['\u001bPdevice\u001b\\after', 'after'],
    ['\u009b2Jcleared', 'cleared'],
    ['\u001bcreset', 'reset'],
    ['a\u0000b\u0007c\u007fd', 'abcd'],
    ['a\r\nb\rc\td', 'a\nbc\td'],
    ['\u202eevil\u2066', 'evil'],
    ['👩‍👩‍👧‍👦 ñ 漢', '👩‍👩‍👧‍👦 ñ 漢'],
    ['\ud800', '\ufffd'],
    ['\u001b[', ''],
  ])('%j becomes %j', (text, expected) => expect(plain(text)).toBe(expected))

  test('removes everything dangerous', () => {
    const unit = fc.oneof(
      fc.constantFrom('\u001b', '[', ']', 'm', ';', '\u0007', '\\', 'P'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.string({ unit }), text => {
        expect(plain(text)).not.toMatch(DANGEROUS)
        expect(oneLine(text)).not.toMatch(/[\n\t]/)
        expect(visible(text)).not.toMatch(DANGEROUS)
      }),
      { numRuns: 300 },
    )
  })

  test('takes time in proportion to the text', () => {
    const startedAt = performance.now()
    plain('\u001b]'.repeat(250_000))
    plain('\u001b[;'.repeat(250_000))
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })
})

test('visible evidence shows what plain text leaves out', () => {
  expect(visible('a\u0000\u001b[1m\u007f\u202e\r\nb')).toBe('a␀␛[1m␡\\u202e\nb')
})

test('shorten says how much is missing, and splits no character', () => {
  expect(shorten('abc', 3)).toBe('abc')
  expect(shorten('x'.repeat(50), 3)).toBe('xxx… (47 more characters)')
  expect(shorten(`ab😀${'x'.repeat(50)}`, 3)).toBe('ab… (52 more characters)')
  expect(shorten('abcd', 3)).toBe('abcd')
})

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
