import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Finding } from '../../fixtures/ground/record.ts'
import { aboutOf, indented, linesAbout } from './exchange.ts'

test('indenting JSON: equals JSON.stringify with indentation', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), value => {
      expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('indenting JSON: never throws', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => typeof indented(`{${text}`) === 'string'))
})

const RATES = indented(
  '{"booking":{"items":[{"price":3},{"price":9,"rates":[{"price":1},{"room":1,"price":2,"room_quantity":3}]}]}}',
).split('\n')

test.each<[about: string, compare: Finding['compare'], marked: string[]]>([
  ['a field that the message names', undefined, ['"price": 3', '"price": 9,', '"price": 1', '"price": 2,']],
  [
    'a value at a path',
    { of: 'place', at: 'booking.items[1].rates[1].room_quantity' },
    ['"room_quantity": 3'],
  ],
  ['a path of the booking', { of: 'booking', at: 'items[0].price' }, ['"price": 3']],
  [
    'a sum',
    { of: 'place', at: 'booking.items[1].price', beside: ['rates[1].room_quantity', 'rates[].price'] },
    ['"price": 9,', '"price": 1', '"price": 2,', '"room_quantity": 3'],
  ],
  ['a value that is missing', { of: 'json', at: 'booking.items[1].rates[4].a.b' }, ['"rates": [']],
  [
    'a path that is too long',
    { of: 'json', at: '[0]'.repeat(1_000_000) },
    ['"price": 3', '"price": 9,', '"price": 1', '"price": 2,'],
  ],
])('marks %s', (_, compare, marked) => {
  const about = aboutOf({
    message: 'expected items[0].price 2 for a room (exchange a7)',
    ...(compare && { compare }),
  })
  const marks = linesAbout(RATES, about)
  expect(RATES.filter((_line, at) => marks[at]).map(line => line.trim())).toEqual(marked)
})

test('the size of indentation is limited for deep values', () => {
  const levels = 50_000
  const text = `${'['.repeat(levels)}1${']'.repeat(levels)}`
  expect(indented(text).length).toBeLessThan(text.length * 100)
})
