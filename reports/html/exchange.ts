import type { StoredBody, StoredExchange } from '../../fixtures/client/stored.ts'
import { count, present, shorten, visible } from '../render/plain.ts'
import { indented, namedLines } from './json-text.ts'
import { html, type Markup } from './markup.ts'

/** The maximum length of a body in characters; exchanges.ndjson has more. */
const LONGEST_BODY = 16_000
const MOST_HEADERS = 60

/** Returns the anchor of an exchange within the page. */
export const exchangeAnchor = (id: string): string => `exchange-${id}`

/**
 * Returns a stored exchange, folded, with the curl command that sends it again. Lines about the `named` fields and
 * headers (in lower case) are marked; `timing` follows the request.
 */
export function exchangePanel(
  exchange: StoredExchange,
  curl: string,
  { named = NOTHING, timing }: { named?: ReadonlySet<string> | undefined; timing?: Markup } = {},
): Markup {
  const { id, request, response, error } = exchange
  return html`<details class="exchange" id="${exchangeAnchor(id)}">
<summary><span class="id">${id}</span> ${request.method} ${shorten(request.path, 300)} <span class="status">→ ${
    response === undefined ? (error?.kind ?? 'no answer') : response.status
  }</span>${timing}</summary>
<div class="inside">
<h4>Request</h4>
<pre tabindex="0">${request.method} ${request.url}
${headerLines(request.headers, NOTHING)}${bodyText(request.body, NOTHING)}</pre>
<h4>${response === undefined ? 'Instead of an answer' : 'Answer'}</h4>
<pre tabindex="0">${
    response === undefined
      ? html`${error === undefined ? 'Nothing was recorded.' : `${error.kind}: ${error.message}`}`
      : html`Status ${response.status}
${headerLines(response.headers, named)}${bodyText(response.body, named)}`
  }</pre>
${[response?.jsonError, response?.decodeError].map(note => (note === undefined ? undefined : html`<p>${shorten(note, 500)}</p>`))}
<h4>Send it again</h4>
<pre tabindex="0" data-copy>${curl}</pre>
<p>${howToSend(exchange, curl)}</p>
</div>
</details>
`
}

function howToSend({ sender, startedAt, milliseconds }: StoredExchange, curl: string): string {
  const tenant = sender.tenant === undefined ? '' : ` (tenant ${sender.tenant})`
  return present([
    `Sent as ${sender.role}${tenant} at ${startedAt}; it took ${Math.round(milliseconds)} ms.`,
    curl.includes('$')
      ? 'Set the variables first: credentials and offers never stand in a report.'
      : undefined,
    visible(curl) === curl
      ? undefined
      : 'Characters that cannot be shown are replaced by marks: exchanges.ndjson has them.',
  ]).join(' ')
}

function headerLines(headers: StoredExchange['request']['headers'], named: ReadonlySet<string>): Markup {
  const lines = headers.slice(0, MOST_HEADERS).map(([name, value]) => {
    const line = html`<span class="field">${shorten(name, 200)}:</span> ${shorten(value, 2_000)}`
    return html`${named.has(name.toLowerCase()) ? marked(line) : line}\n`
  })
  const rest = headers.length - MOST_HEADERS
  return html`${lines}${rest > 0 ? `and ${count(rest, 'more header field')}\n` : ''}`
}

function bodyText(body: StoredBody | null, named: ReadonlySet<string>): Markup {
  if (body === null) return html``
  if (body.kind === 'binary')
    return html`\n<span class="field">${count(body.bytes, 'byte')} that are not text, starting ${body.firstBytes}, SHA-256 ${body.sha256}</span>`
  const cut = body.cut === undefined ? '' : `\n${body.cut}`
  const text = shorten(indented(body.text), LONGEST_BODY)
  if (named.size === 0) return html`\n${text}${cut}`
  const lines = text.split('\n')
  const marks = namedLines(lines, named)
  return html`\n${lines.map((line, at) => html`${marks[at] ? marked(line) : line}${at === lines.length - 1 ? '' : '\n'}`)}${cut}`
}

const marked = (line: Markup | string): Markup => html`<mark>${line}</mark>`

const NOTHING: ReadonlySet<string> = new Set()
