/** An element. It holds either text or children; names are ours, values are anybody's. */
export interface XmlElement {
  name: string
  attributes?: Readonly<Record<string, string | number>>
  text?: string
  children?: readonly XmlElement[]
}

/** Whatever XML 1.0 does not allow at all, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader would turn these into something else: a carriage return everywhere, the others in attributes.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const escapeText = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>\r]/g, mark => ENTITIES[mark]!)

const escapeAttribute = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>"\r\n\t]/g, mark => ENTITIES[mark]!)

/** Writes a document that every XML 1.0 reader accepts, whatever its texts hold; what XML cannot hold becomes U+FFFD. */
export const toXml = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}`

function write({ name, attributes = {}, text, children = [] }: XmlElement, indent: string): string {
  const listed = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`)
    .join('')
  const open = `${indent}<${name}${listed}`
  if (text !== undefined) return `${open}>${escapeText(text)}</${name}>\n`
  if (children.length === 0) return `${open}/>\n`
  return `${open}>\n${children.map(child => write(child, `${indent}  `)).join('')}${indent}</${name}>\n`
}
