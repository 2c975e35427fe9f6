import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readXml } from '../testing/markup.ts'
import { toXml } from './junit.ts'

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
