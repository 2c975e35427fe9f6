import type { StoredBody, StoredExchange } from '../../fixtures/client/redaction/index.ts'
import type { Finding } from '../../fixtures/ground/record.ts'
import { count, present, shorten, visible } from '../render/plain.ts'
import { html, type Markup } from './head.ts'

/** The maximum length of a text that is indented, in characters. */
const LONGEST = 200_000

/** The maximum indentation, so that the size of the result does not depend on the depth. */
const DEEPEST = 32

/**
 * Indents JSON without parsing its values, so that a number of thirty digits keeps all of them. Other text is
 * returned unchanged.
 */
export function indented(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST || !/^[[{]/.test(trimmed)) return text
  const lines: string[] = []
  let line = ''
  let depth = 0
  const end = (): void => {
    if (line.trim() !== '') lines.push(line.trimEnd())
    line = '  '.repeat(Math.min(depth, DEEPEST))
  }
  // Strings, structural characters, white space, and everything between them.
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|\s+|[^"[\]{},:\s]+|"/gs)) {
    if (/^\s/.test(token)) continue
    if (token === '{' || token === '[') {
      line += token
      depth++
      end()
    } else if (token === '}' || token === ']') {
      depth--
      if (depth < 0) return text
      const opened = lines.at(-1)
      // An empty object or list stays on one line.
      if (line.trim() === '' && opened !== undefined && /[[{]$/.test(opened)) line = lines.pop()! + token
      else {
        end()
        line += token
      }
    } else if (token === ',') {
      line += token
      end()
    } else line += token === ':' ? ': ' : token
  }
  if (depth !== 0) return text
  end()
  return lines.join('\n')
}

const LONGEST_PATH = 200

/** What a finding is about: names of fields and headers in lower case, and if they are known, the paths of values in the answer. */
interface About {
  names: ReadonlySet<string>
  paths?: readonly string[]
}

/** Returns what a finding is about: by the path of the value that it compares, or else by the words of its message. */
export function aboutOf({ message, compare }: Pick<Finding, 'message' | 'compare'>): About {
  const { of = '', at, beside = [] } = compare ?? {}
  // A record of others may hold any text.
  if (at === undefined || at.length > LONGEST_PATH || !['json', 'booking', 'place'].includes(of))
    return { names: namesIn(message) }
  const around = at.slice(0, at.lastIndexOf('.') + 1)
  const others = beside.filter(path => path.length <= LONGEST_PATH)
  const paths = [at, ...others.slice(0, 4).map(path => around + path)]
  return { names: new Set(paths.map(lastOf)), paths }
}

/** Returns which lines of indented JSON a finding is about. Where a value is missing, what was to hold it is marked. */
export function linesAbout(lines: readonly string[], { names, paths }: About): boolean[] {
  if (paths === undefined) {
    return lines.map(line => {
      const [, field] = FIELD.exec(line) ?? []
      return field !== undefined && names.has(field.toLowerCase())
    })
  }
  const places = pathsOf(lines)
  const marked = new Set(paths.flatMap(path => nearest(path, places)))
  return places.map((_, at) => marked.has(at))
}

const FIELD = /^\s*"((?:[^"\\]|\\.)*)": /

/** Returns the lines at a path, or at the nearest one around it. A booking may stand in an object of that name. */
function nearest(path: string, places: readonly (string | undefined)[]): number[] {
  for (let left = path; left !== ''; left = left.replace(/(?:^|\.)[^.[]*$|\[\d*\]$/, '')) {
    const pattern = RegExp(
      `^(?:booking\\.)?${left.replaceAll(/[\\^$*+?.()|{}[\]]/g, '\\$&').replaceAll('\\[\\]', '\\[\\d+\\]')}$`,
    )
    const found = [...places.keys()].filter(at => pattern.test(places[at] ?? ''))
    if (found.length > 0) return found
  }
  return []
}

/** Returns the path of the value that begins in each line of indented JSON. */
function pathsOf(lines: readonly string[]): (string | undefined)[] {
  const around: { path: string; next: number | undefined }[] = []
  return lines.map(line => {
    const text = line.trim()
    if (/^[\]}]/.test(text)) {
      around.pop()
      return undefined
    }
    const here = around.at(-1)
    const [, name] = FIELD.exec(text) ?? []
    const path =
      name !== undefined
        ? here?.path
          ? `${here.path}.${name}`
          : name
        : here?.next === undefined
          ? ''
          : `${here.path}[${here.next++}]`
    if (/[[{]$/.test(text)) around.push({ path, next: text.endsWith('[') ? 0 : undefined })
    return path
  })
}

/** Returns the last name of a path, in lower case. */
const lastOf = (path: string): string =>
  path
    .replaceAll(/\[\d*\]/g, '')
    .split('.')
    .at(-1)!
    .toLowerCase()

/**
 * Returns the names of fields and headers in a message, in lower case; `items[0].travelers[1].name` gives `name`. Where it names
 * such a place in a list, its other words are no names.
 */
function namesIn(message: string): Set<string> {
  const paths = message
    .slice(0, 4_000)
    // An HTTP status is not a field of the body.
    .replaceAll(/\bstatus \d+/g, '')
    .match(/[A-Za-z_][\w-]*(?:\[\d*\])?(?:\.[A-Za-z_][\w-]*(?:\[\d*\])?)*/g)
  const placed = paths?.filter(path => path.includes('].'))
  return new Set((placed?.length ? placed : (paths ?? [])).map(lastOf).filter(({ length }) => length >= 3))
}

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
