import { describe, expect, test } from 'vitest'
import { withWaiver } from './waive.ts'

const WAIVER = {
  clause: 'V2-IDEM-REPLAY-STATUS',
  reason: 'Ticket 12: "mended" in March # soon',
  owner: 'Ana',
  expires: '2027-03-31',
}
const LINES = [
  '- clause: V2-IDEM-REPLAY-STATUS',
  '  reason: "Ticket 12: \\"mended\\" in March # soon"',
  '  owner: "Ana"',
  '  expires: 2027-03-31',
]
const OLD = `# Ours to answer for
waivers:
- clause: V2-IDEM-REPLAY-FLAG   # since May
  reason: >
    A sentence that is folded
    over lines.
  owner: 'Bo'
  expires: 2027-01-31 # until then
`
const change = (before: string, waiver = WAIVER) => withWaiver(before, waiver, 'waivers.yaml', '2026-11-22')

describe('a waiver is added, and nothing else changes', () => {
  test.each([
    ['a file that is not there', '', `waivers:\n${LINES.map(line => `  ${line}\n`).join('')}`],
    ['nothing but a comment', '# None\n', `# None\nwaivers:\n${LINES.map(line => `  ${line}\n`).join('')}`],
    [
      'a list with nothing in it',
      'waivers: # Ours\n# The end\n',
      `waivers: # Ours\n${LINES.map(line => `  ${line}\n`).join('')}# The end\n`,
    ],
    ['a list with comments', OLD, `${OLD}${LINES.map(line => `${line}\n`).join('')}`],
    ['no line end at the end', OLD.trimEnd(), `${OLD}${LINES.map(line => `${line}\n`).join('')}`],
    [
      'a comment behind the list, and deeper dashes',
      `${OLD.replaceAll(/^(?=[- ] )/gm, '   ')}# The end\n`,
      `${OLD.replaceAll(/^(?=[- ] )/gm, '   ')}${LINES.map(line => `   ${line}\n`).join('')}# The end\n`,
    ],
    [
      'a list that ends with a block of text',
      'waivers:\n- expires: 2027-01-31\n  owner: Bo\n  clause: V2-IDEM-REPLAY-FLAG\n  reason: |\n    Because\n',
      `waivers:\n- expires: 2027-01-31\n  owner: Bo\n  clause: V2-IDEM-REPLAY-FLAG\n  reason: |\n    Because\n${LINES.map(line => `${line}\n`).join('')}`,
    ],
  ])('%s', (_, before, after) => {
    expect(change(before).text).toBe(after)
  })

  test.each([['waivers: []\n# kept\n'], ['{"waivers": []}']])('%j, as a list with one entry', before => {
    const { text } = change(before)
    expect(text).toContain('V2-IDEM-REPLAY-STATUS')
    expect(text.includes('# kept')).toBe(before.includes('# kept'))
  })
})

test('the change is shown: what comes, with a few lines around it', () => {
  expect(change(OLD).lines.map(({ mark, text }) => mark + text)).toEqual([
    '     over lines.',
    "   owner: 'Bo'",
    '   expires: 2027-01-31 # until then',
    ...LINES.map(line => `+${line}`),
  ])
})

test.each([
  ['a day that is past', { ...WAIVER, expires: '2026-01-31' }, OLD, /expired on 2026-01-31/],
  ['no clause', { ...WAIVER, clause: 'V9-NONE' }, OLD, /V9-NONE is no clause/],
  ['nobody who answers', { ...WAIVER, owner: ' ' }, OLD, /owner/],
  ['a file that is none', WAIVER, 'waivers: 7', /is not a list of waivers/],
])('%s is refused in a sentence', (_, waiver, before, sentence) => {
  expect(() => change(before, waiver)).toThrow(sentence)
})
