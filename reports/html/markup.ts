import { type Tone, toneOf } from '../judge/outcome.ts'
import { visible } from '../render/plain.ts'

/** A piece of HTML that is safe to insert. Only `html` and `verbatim` make it. */
export interface Markup {
  readonly markup: string
}

type Value = Markup | string | number | undefined | readonly Value[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => visible(text).replaceAll(/[&<>"']/g, mark => ENTITIES[mark]!)

function insert(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(insert).join('')
}

/** Makes HTML from a template. Every value is escaped for text and quoted attributes, unless it is markup. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: String.raw({ raw: strings }, ...values.map(insert)) }
}

/** Returns the kit's own script or style unchanged. */
export const verbatim = (text: string): Markup => ({ markup: text })

/** Returns the class for a verdict's colour. The word is always shown too. */
export const tone = (verdict: Parameters<typeof toneOf>[0]): string => `tone-${toneOf(verdict)}`

/** Returns a verdict in its colour. */
export const word = (verdict: Parameters<typeof toneOf>[0]): Markup => wordIn(toneOf(verdict), verdict)

/** Returns a word in the colour of a tone. */
export const wordIn = (shown: Tone, said: string): Markup =>
  html`<span class="word tone-${shown}"><span class="mark" aria-hidden="true"></span>${said}</span>`
