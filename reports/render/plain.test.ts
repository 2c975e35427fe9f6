import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { oneLine, plain, shorten, visible } from './plain.ts'

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
