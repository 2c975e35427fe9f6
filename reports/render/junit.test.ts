import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { areaTitle } from '../judge/areas.ts'
import { assemble } from '../judge/assemble.ts'
import { exampleInput, exampleRecord } from '../testing/example.ts'
import { type Element, readXml } from '../testing/markup.ts'
import { toJUnit, toXml } from './junit.ts'

/** Returns the report of a record, parsed by a strict XML reader. */
const read = (record: RunRecord): Element => readXml(toJUnit(record))

const suites = read(exampleRecord).children
const cases = suites
  .filter(({ attributes }) => attributes.name !== 'The run itself')
  .flatMap(({ children }) => children.filter(({ name }) => name === 'testcase'))
const caseOf = (id: string): Element =>
  cases.find(({ attributes }) => attributes.name!.startsWith(`${id}: `))!

test('is a suite an area and a case a clause that the run could have decided', () => {
  expect(suites.map(({ attributes }) => attributes.name)).toEqual([
    ...['Common to all', 'v2 offers', 'v2 bookings', 'v2 vouchers', 'The run itself'],
  ])
  const decidable = exampleRecord.clauses.filter(
    ({ verdict, reason }) => verdict !== 'not applicable' && reason !== 'its check is still to be written',
  )
  expect(cases.map(({ attributes }) => attributes.name!.split(':')[0])).toEqual(
    suites.flatMap(({ attributes }) =>
      decidable.filter(({ area }) => areaTitle(area) === attributes.name).map(({ id }) => id),
    ),
  )
  expect(caseOf('V2-IDEM-REPLAY').attributes).toMatchObject({ classname: 'v2-bookings' })
})

test('a waived finding is skipped, and says who answers for it', () => {
  const waivers = [
    { clause: 'V2-IDEM-REPLAY', reason: 'fixed in March', owner: 'bookings', expires: '2027-01-31' },
  ]
  const waived = JSON.stringify(read(assemble({ ...exampleInput, waivers })))
  expect(waived).toContain('Waived: POST /api/v2/bookings')
  expect(waived).toContain('waived until 2027-01-31 by bookings: fixed in March')
})

test('a case: that violates is a failure with its evidence', () => {
  const [, failure] = caseOf('V2-IDEM-REPLAY').children
  expect(failure).toMatchObject({ name: 'failure', attributes: { type: 'violates' } })
  expect(failure!.attributes.message).toContain('expected status 200, got 201')
  for (const line of [
    'Document: 4.5 v2, rule 4, Idempotency-Key behavior.',
    'expected: status 200',
    'observed: 201',
    'exchanges: a3, a4',
  ]) {
    expect(failure!.text.split('\n')).toContain(line)
  }
})

test.each([
  ['V2-VOUCHER-READY', 'error', 'no offers for product 118 within 90 days, although v2-transfers is claimed'],
  ['V2-BOOK-ABANDONED', 'skipped', 'not exercised: needs control:clock, which the definition does not offer'],
])('a case: %s is %s, with the reason', (id, name, message) => {
  expect(caseOf(id).children.slice(-1)).toMatchObject([{ name, attributes: { message } }])
})

test('faults of the kit and a halt are errors of their own', () => {
  const moduleErrors = [{ file: 'late\u0000 \u001b[31mthrow\nat x', message: 'no such module' }]
  const collected = { ...exampleInput.collected, moduleErrors }
  const root = read(assemble({ ...exampleInput, collected, halted: 'out of time' }))
  const last = root.children.at(-1)!
  expect(last.attributes).toMatchObject({ name: 'The run itself', tests: '5', errors: '4' })
  expect(JSON.stringify(last)).toContain('"message":"late throw')
  expect(JSON.stringify(last)).toContain('The run was not completed: out of time')
})

const representable = (text: string): string =>
  text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\ufffd',
  )

/** Writes a text as an attribute and between tags, and reads both again. */
function writtenAndRead(value: string): { attribute: string | undefined; text: string } {
  const document = { name: 'a', children: [{ name: 'b', attributes: { value }, text: value }] }
  const { attributes, text } = readXml(toXml(document)).children[0]!
  return { attribute: attributes.value, text }
}

test('any text survives a strict reader, except what XML cannot hold', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.nat(0xffff).map(n => String.fromCharCode(n)) }),
      (a, b) => {
        for (const text of [a, b, a + b]) {
          const expected = representable(text)
          expect(writtenAndRead(text)).toEqual({ attribute: expected, text: expected })
        }
      },
    ),
    { numRuns: 500 },
  )
})

test.each([
  '</b><c/>',
  ']]>',
  '<![CDATA[',
  '<!-- -->',
  '&lt;&#0;&amp',
  `"'`,
  'a\r\nb\rc\td',
  '\u0000\u001b[31m\ufffe\uffff',
  '\ud800',
  '😀',
])('holds %j', text => {
  const expected = representable(text)
  expect(writtenAndRead(text)).toEqual({ attribute: expected, text: expected })
})
