import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indented, namedLines, namesIn } from './json-text.ts'

describe('indenting JSON', () => {
  test('equals JSON.stringify with indentation', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), value => {
        expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
      }),
    )
  })

  test('keeps every digit of a number and the order of fields', () => {
    expect(indented('{"b":12345678901234567890.10,"a":1e400}')).toBe(
      '{\n  "b": 12345678901234567890.10,\n  "a": 1e400\n}',
    )
  })

  test.each(['', 'plain', '"text"', '{"a":', '[1]]', '<html>'])('leaves %j as it is', text => {
    expect(indented(text)).toBe(text)
  })

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => typeof indented(`{${text}`) === 'string'))
  })

  test('a long text is indented to its end', () => {
    const long = `[${'"\\\\",'.repeat(30_000)}1]`
    expect(indented(long).split('\n')).toHaveLength(30_003)
  })
})

test('marks the fields that a message names', () => {
  const names = namesIn('POST /api/v2/bookings: items[0].travelers[1].birth_date is no date (exchange a7)')
  const lines = ['{', '  "birth_date": "x",', '  "first_name": "birth_date"', '}']
  expect(namedLines(lines, names)).toEqual([false, true, false, false])
})

test('the size of indentation is limited for deep values', () => {
  const levels = 50_000
  const text = `${'['.repeat(levels)}1${']'.repeat(levels)}`
  expect(indented(text).length).toBeLessThan(text.length * 100)
})
