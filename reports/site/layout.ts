import { html } from '../html/markup.ts'
import type { Layout } from './site.ts'

/** Returns a whole page. Style and script are files of the site: none stands in the page itself. */
export function layout({ title, body }: Layout): string {
  return html`<!doctype html><title>${title}</title>${body}`.markup
}

/** The style of every page: `{ page: 'style' }`. */
export const siteStyle = ''

/** The script of every page, which only filters, copies, and opens what a link points to: `{ page: 'script' }`. */
export const siteScript = ''
