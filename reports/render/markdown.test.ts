import { expect, test } from 'vitest'
import { assemble } from '../judge/assemble.ts'
import { exampleInput, HOSTILE } from '../testing/example.ts'
import { exampleLoadRecord } from '../testing/example-load.ts'
import { escapeMarkdown, stepSummaryOf, toMarkdown } from './markdown.ts'

test('a summary stays below what GitHub takes, cut between lines', () => {
  const [check] = exampleInput.collected.checks
  const findings = Array.from({ length: 3_000 }, (_, at) => ({
    ...check!.report!.findings[0]!,
    message: `😀${at.toString(2).replaceAll('0', 'a').replaceAll('1', 'b')} `.repeat(2_000),
    exchanges: [`a${at}`],
  }))
  const checks = [{ ...check!, report: { ...check!.report!, findings } }]
  const collected = { ...exampleInput.collected, checks }
  const record = assemble({ ...exampleInput, collected })
  const whole = toMarkdown(record)
  expect(whole).toContain('and 2,500 more rows in the full report')
  expect(Buffer.byteLength(whole)).toBeLessThan(512 * 1024 + 1)
  const cut = toMarkdown(record, 5_000)
  expect(Buffer.byteLength(cut)).toBeLessThan(5_001)
  expect(cut).toMatch(/\|\n\nThis summary was cut; the full report has the rest\.\n$/)
})

test('the summary of a load run escapes all markup of a record', () => {
  expect(toMarkdown(exampleLoadRecord)).not.toMatch(/<(?:script|img)/)
})

test.each([
  ['a|b', 'a\\|b'],
  ['line one\r\nline two', 'line one line two'],
  ['<b>&amp;', '&#60;b&#62;&#38;amp;'],
  ['`x` *y* [z](w) ~~s~~ $m$', '\\`x\\` \\*y\\* \\[z\\](w) \\~\\~s\\~\\~ \\$m\\$'],
  ['idempotent_replay _x_', 'idempotent_replay \\_x\\_'],
  ['@someone :tada: 10:30:00', '&#64;someone &#58;tada: 10:30:00'],
  ['http://h.example www.h.example', 'http&#58;//h.example www&#46;h.example'],
  ['\u001b[31mred', 'red'],
  ['back\\slash', 'back\\\\slash'],
])('escaping: %j becomes %j', (text, expected) => expect(escapeMarkdown(text)).toBe(expected))

test('escaping: neutralises all markup of a deployment', () => {
  for (const text of HOSTILE) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(escapeMarkdown(text)).not.toMatch(/[<>\n\u0000-\u001f]|(?<!\\)[|`]/)
  }
})

test('a step summary stays below its limit and says what was left out', () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `line ${at}`)
  const cut = stepSummaryOf(lines.join('\n'))
  expect(cut.trimEnd().split('\n').length).toBeLessThan(200)
  expect(cut).toContain('And 803 more lines in summary.md.')
})
