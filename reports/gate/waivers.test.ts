import { describe, expect, test } from 'vitest'
import { exampleRecord } from '../testing/example.ts'
import { readWaivers } from './gate.ts'
import { waive } from './waivers.ts'

const about = { file: 'waivers.yaml', clauses: ['V2-IDEM-REPLAY', 'V2-CACHE-OTHER'], today: '2027-01-15' }
const read = (text: string) => readWaivers(text, about)
const one = (more = '') =>
  `waivers:\n  - clause: V2-IDEM-REPLAY\n    reason: fixed in March\n    owner: booking team\n    expires: 2027-01-31\n${more}`

describe('reading waivers', () => {
  test('a waiver holds on its last day', () => {
    expect(readWaivers(one(), { ...about, today: '2027-01-31' })).toHaveLength(1)
  })

  test.each(['', 'waivers:\n', '{"waivers": []}'])('%j has none', text => {
    expect(read(text)).toEqual([])
  })

  test.each([
    ['several documents', `---\n${one()}---\n${one()}`, /several YAML documents: write one list/],
    ['what is no YAML', 'waivers: [', /neither as YAML nor as JSON/],
    ['half a million brackets', `waivers: ${'['.repeat(500_000)}`, /longer than 64 kB.*write it as JSON/],
    ['a list that waivers does not name', '[]', /has to be a list under waivers/],
    ['a waiver without owner', one().replace(/ *owner.*\n/, ''), /waivers\.0\.owner/],
    ['a field that nobody knows', one('    until: never\n'), /until/],
    ['an unknown clause', one().replace('V2-IDEM-REPLAY', 'V2-NOT'), /V2-NOT is no clause/],
    [
      'a beginning of everything',
      one().replace('V2-IDEM-REPLAY', "'*'"),
      /\* is no clause, and no beginning/,
    ],
    ['a waiver that has expired', one().replace('2027-01-31', '2027-01-14'), /expired on 2027-01-14/],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})

describe('waiving', () => {
  const rows = exampleRecord.clauses
  const findingsOf = (id: string, clauses = rows) => clauses.find(row => row.id === id)!.findings
  const waived = (text: string, clauses = rows) => waive(clauses, read(text), () => 'hotels')

  test('marks findings and keeps them', () => {
    const { clauses, unneeded, untested } = waived(one())
    expect(findingsOf('V2-IDEM-REPLAY', clauses)).toHaveLength(findingsOf('V2-IDEM-REPLAY').length)
    for (const finding of findingsOf('V2-IDEM-REPLAY', clauses))
      expect(finding).toMatchObject({ waived: { owner: 'booking team', expires: '2027-01-31' } })
    expect([unneeded, untested]).toEqual([[], []])
  })

  test.each([
    ['a text that does not occur', '    matching: something else\n'],
    ['another kind of product', '    kind: transfers\n'],
  ])('%s waives nothing, and the waiver is unneeded', (_, more) => {
    const { clauses, unneeded } = waived(one(more))
    for (const finding of findingsOf('V2-IDEM-REPLAY', clauses)) expect(finding).not.toHaveProperty('waived')
    expect(unneeded).toHaveLength(1)
  })

  test('a waiver of a beginning covers its clauses, and needs one finding of them', () => {
    const all = { ...about, clauses: rows.map(({ id }) => id) }
    const some = readWaivers(one().replace('V2-IDEM-REPLAY', 'V2-IDEM-*'), all)
    expect(some[0]!.covers).toEqual(['V2-IDEM-REPLAY', 'V2-IDEM-KEY-REUSED'])
    const { clauses, unneeded } = waive(rows, some, () => undefined)
    expect(findingsOf('V2-IDEM-REPLAY', clauses)[0]).toHaveProperty('waived')
    expect(unneeded).toEqual([])
    const kept = rows.map(row => ({ ...row, verdict: 'conforms' as const, findings: [] }))
    expect(waive(kept, some, () => undefined).unneeded).toEqual(some)
  })

  test('reports a waived clause that was not exercised', () => {
    const unseen = rows.map(row => ({ ...row, verdict: 'not exercised' as const, findings: [] }))
    expect(waived(one(), unseen)).toMatchObject({ unneeded: [], untested: [{ owner: 'booking team' }] })
  })
})
