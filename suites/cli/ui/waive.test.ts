import { expect, test } from 'vitest'
import { withWaiver } from './waive.ts'

const WAIVER = {
  clause: 'V2-IDEM-REPLAY-STATUS',
  reason: 'Ticket 12: "mended" in March # soon',
  owner: 'Ana',
  expires: '2027-03-31',
}
const ENTRY = `  - clause: V2-IDEM-REPLAY-STATUS
    reason: 'Ticket 12: "mended" in March # soon'
    owner: Ana
    expires: 2027-03-31
`
const OLD = `# Ours to answer for
waivers:
  - clause: V2-IDEM-REPLAY-FLAG # since May
    reason: |
      Because
      of that
    owner: 'Bo'
    expires: 2027-01-31 # until then
`
const change = (before: string, waiver = WAIVER) => withWaiver(before, waiver, 'waivers.yaml', '2026-11-22')

test.each([
  ['a file that is not there', '', `waivers:\n${ENTRY}`],
  ['nothing but a comment', '# None\n', `# None\n\nwaivers:\n${ENTRY}`],
  ['an empty list', 'waivers: []\n', `waivers:\n${ENTRY}`],
  ['a list with comments, and no line end at the end', OLD.trimEnd(), `${OLD}${ENTRY}`],
  ['a comment behind the list', `${OLD}\n# The end\n`, `${OLD}${ENTRY}\n# The end\n`],
])('a waiver is added to %s', (_, before, after) => {
  expect(change(before).text).toBe(after)
})

test('the change is shown: what comes, with a few lines around it', () => {
  expect(change(OLD).lines.map(({ mark, text }) => mark + text)).toEqual([
    '       of that',
    "     owner: 'Bo'",
    '     expires: 2027-01-31 # until then',
    ...ENTRY.trimEnd()
      .split('\n')
      .map(line => `+${line}`),
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
