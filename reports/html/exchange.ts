import type { StoredBody, StoredExchange } from '../../fixtures/client/redaction/index.ts'
import type { Finding } from '../../fixtures/ground/record.ts'
import { count, present, shorten, visible } from '../render/plain.ts'
import { type About, aboutOf, indented, linesAbout } from './json-text.ts'
import { html, type Markup } from './markup.ts'

/** The maximum length of a body in characters, and of one that is not about the fault; exchanges.ndjson has more. */
const LONGEST_BODY = 16_000
const LONGEST_ASIDE = 6_000
const MOST_HEADERS = 60

/** Returns the anchor of an exchange within the page. */
export const exchangeAnchor = (id: string): string => `exchange-${id}`

/**
 * Returns a stored exchange, folded, with the curl command that sends it again. What it is `about` is marked; less of the bodies is shown if it is `aside`, not the
 * exchange with the fault.
 */
export function exchangePanel(
  exchange: StoredExchange,
  curl: string,
  { about = NOTHING, aside = false }: { about?: About | undefined; aside?: boolean } = {},
): Markup {
  const { id, request, response, error, sender } = exchange
  const longest = aside ? LONGEST_ASIDE : LONGEST_BODY
  return html`<details class="exchange" id="${exchangeAnchor(id)}">
<summary><span class="id">${id}</span> ${request.method} ${shorten(request.path, 300)}${sender.role === 'standard' ? '' : ` as ${sender.role}`} <span class="status">→ ${
    response === undefined ? (error?.kind ?? 'no answer') : response.status
  }</span></summary>
<div class="inside">
<h4>Request</h4>
<pre tabindex="0">${request.method} ${request.url}
${headerLines(request.headers, NOTHING)}${bodyText(request.body, NOTHING, longest)}</pre>
<h4>${response === undefined ? 'Instead of an answer' : 'Answer'}</h4>
<pre tabindex="0">${
    response === undefined
      ? html`${error === undefined ? 'Nothing was recorded.' : `${error.kind}: ${error.message}`}`
      : html`Status ${response.status}
${headerLines(response.headers, about)}${bodyText(response.body, about, longest)}`
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

function headerLines(headers: StoredExchange['request']['headers'], { names }: About): Markup {
  const lines = headers.slice(0, MOST_HEADERS).map(([name, value]) => {
    const line = html`<span class="field">${shorten(name, 200)}:</span> ${shorten(value, 2_000)}`
    return html`${names.has(name.toLowerCase()) ? marked(line) : line}\n`
  })
  const rest = headers.length - MOST_HEADERS
  return html`${lines}${rest > 0 ? `and ${count(rest, 'more header field')}\n` : ''}`
}

function bodyText(body: StoredBody | null, about: About, longest = LONGEST_BODY): Markup {
  if (body === null) return html``
  if (body.kind === 'binary')
    return html`\n<span class="field">${count(body.bytes, 'byte')} that are not text, starting ${body.firstBytes}, SHA-256 ${body.sha256}</span>`
  const cut = body.cut === undefined ? '' : `\n${body.cut}`
  const text = shorten(indented(body.text), longest)
  if (about.names.size === 0) return html`\n${text}${cut}`
  const lines = text.split('\n')
  const marks = linesAbout(lines, about)
  return html`\n${lines.map((line, at) => html`${marks[at] ? marked(line) : line}${at === lines.length - 1 ? '' : '\n'}`)}${cut}`
}

const marked = (line: Markup | string): Markup => html`<mark>${line}</mark>`

const NOTHING: About = { names: new Set() }

/** The maximum number of lines of an excerpt, and of letters in each. */
const MOST_LINES = 8
const LONGEST_LINE = 240

/** Returns the part of an answer that a finding is about: its status, and the lines of the fields that the finding names. */
export function excerpt(exchange: StoredExchange, finding: Finding): Markup {
  const { response, error } = exchange
  if (response === undefined)
    return html`<pre class="excerpt" tabindex="0">${marked(error === undefined ? 'no answer' : shorten(`${error.kind}: ${error.message}`, 500))}</pre>`
  const { compare, observed = '' } = finding
  const about = aboutOf(finding)
  const isStatus = compare === undefined ? /^(?:status )?\d{3}\b/.test(observed) : STATUSES.has(compare.of)
  const status = `Status ${response.status}`
  const headers = response.headers.filter(([name]) => about.names.has(name.toLowerCase()))
  const missing = compare?.of === 'header' && headers.length === 0 ? compare.at : undefined
  return html`<pre class="excerpt" tabindex="0">${isStatus ? marked(status) : status}
${headers.slice(0, 4).map(([name, value]) => html`${marked(`${name}: ${shorten(value, LONGEST_LINE)}`)}\n`)}${missing === undefined ? undefined : html`${marked(`no ${missing}`)}\n`}${bodyExcerpt(response.body, about)}</pre>`
}

const STATUSES: ReadonlySet<string> = new Set(['status', 'error', 'alike'])

/** Returns the lines of a request whose fields the finding names; `undefined` if it names none. */
export function sentExcerpt({ request }: StoredExchange, finding: Finding): Markup | undefined {
  // Paths are those of the answer.
  const { names } = aboutOf(finding)
  if (
    request.body?.kind !== 'text' ||
    !linesAbout(indented(request.body.text).split('\n'), { names }).includes(true)
  )
    return undefined
  return html`<p class="origin">Sent:</p>
<pre class="excerpt" tabindex="0">${bodyExcerpt(request.body, { names })}</pre>`
}

/** Returns the lines of a body that hold a named field, each with its neighbours; without any, the first lines. */
function bodyExcerpt(body: StoredBody | null, about: About): Markup | undefined {
  if (body === null) return undefined
  if (body.kind === 'binary') return bodyText(body, about)
  const text = indented(body.text)
  const lines = (about.paths === undefined ? text.slice(0, LONGEST_BODY) : text).split('\n')
  const marks = linesAbout(lines, about)
  const wanted = marks.includes(true)
    ? lines.map((_, at) => marks[at - 1] === true || marks[at] === true || marks[at + 1] === true)
    : lines.map((_, at) => at < 6)
  const kept = [...lines.keys()].filter(at => wanted[at]).slice(0, MOST_LINES)
  const parts = kept.map((at, place) => {
    const line = shorten(lines[at]!, LONGEST_LINE)
    const gap = at > (kept[place - 1] ?? -1) + 1 ? '…\n' : ''
    return html`${gap}${marks[at] === true ? marked(line) : line}\n`
  })
  return html`${parts}${kept.length === 0 || kept.at(-1)! < lines.length - 1 ? '…' : ''}`
}
