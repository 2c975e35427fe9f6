/** An element with either text or children. Names come from the kit, values from anywhere. */
export interface XmlElement {
  name: string
  attributes?: Readonly<Record<string, string | number>>
  text?: string
  children?: readonly XmlElement[]
}

/** Characters that XML 1.0 forbids even if escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader would normalise these: a carriage return everywhere, the others in attributes.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const escapeText = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>\r]/g, mark => ENTITIES[mark]!)

const escapeAttribute = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>"\r\n\t]/g, mark => ENTITIES[mark]!)

/** Returns a document that every XML 1.0 reader accepts. Characters that XML cannot contain become U+FFFD. */
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
