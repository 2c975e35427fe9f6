import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { toXml, type XmlElement } from './xml.ts'

/** Reads `document(value)` strictly, throwing on the first thing that XML 1.0 does not allow. */
function read(written: string): { attribute: string | undefined; text: string } {
  const seen: ReturnType<typeof read> = { attribute: undefined, text: '' }
  let inside = false
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    inside = name === 'b'
    if (inside) seen.attribute = attributes.value as string
  })
  parser.on('text', text => {
    if (inside) seen.text += text
  })
  parser.on('closetag', () => {
    inside = false
  })
  parser.write(written).close()
  return seen
}

const representable = (text: string): string =>
  text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no place for them
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\ufffd',
  )

const document = (value: string): XmlElement => ({
  name: 'a',
  children: [{ name: 'b', attributes: { value }, text: value }],
})

test('any text survives a strict reader, except what XML cannot hold', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.nat(0xffff).map(n => String.fromCharCode(n)) }),
      (a, b) => {
        for (const text of [a, b, a + b]) {
          const expected = representable(text)
          expect(read(toXml(document(text)))).toEqual({ attribute: expected, text: expected })
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
  expect(read(toXml(document(text)))).toEqual({ attribute: expected, text: expected })
})
