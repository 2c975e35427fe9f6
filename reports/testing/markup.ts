import { SaxesParser } from 'saxes'
import { expect } from 'vitest'

/** An element of an XML document. */
export interface Element {
  name: string
  attributes: Record<string, string>
  text: string
  children: Element[]
}

/** Returns the root of a document. @throws on the first thing that XML 1.0 does not allow */
export function readXml(document: string): Element {
  const top: Element = { name: '', attributes: {}, text: '', children: [] }
  const open = [top]
  const parser = new SaxesParser()
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '', children: [] }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('text', text => {
    open.at(-1)!.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(document).close()
  return top.children[0]!
}

/** Asserts that every element of a page is closed where it has to be. */
export function expectWellNested(page: string): void {
  const open: string[] = []
  const tags = page
    .replace(/<style>.*?<\/style>|<script>.*?<\/script>/gs, '')
    .matchAll(/<(\/?)([a-z]\w*)[^>]*?(\/?)>/g)
  for (const [, closing, name, selfClosing] of tags) {
    if (selfClosing || ['meta', 'input'].includes(name!)) continue
    if (closing) expect(open.pop()).toBe(name)
    else open.push(name!)
  }
  expect(open).toEqual([])
}
