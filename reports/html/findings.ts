import { placeOf } from '../../fixtures/clauses/places.ts'
import type { StoredBody, StoredExchange } from '../../fixtures/client/stored.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import type { CheckRecord, ClauseRecord, Finding, RunRecord } from '../../fixtures/record.ts'
import { commandToSeeAgain } from '../findings/command-to-see-again.ts'
import { type Cause, type Repeated, type Root, rootsOf } from '../findings/roots.ts'
import { severityOf } from '../findings/severity.ts'
import { listed } from '../judge/outcome.ts'
import { broken } from '../render/digest.ts'
import { count, present, shorten, visible } from '../render/plain.ts'
import { indented, namedLines, namesIn } from './json-text.ts'
import { html, type Markup } from './markup.ts'

/** The maximum length of a body in characters; exchanges.ndjson has more. */
const LONGEST_BODY = 16_000
const MOST_HEADERS = 60

/** Returns the anchor of an exchange within the page. */
const exchangeAnchor = (id: string): string => `exchange-${id}`

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

/** The maximum numbers of causes, similar answers per cause, and exchanges; record.json has the rest. */
const MOST_CAUSES = 150
const MOST_ALIKE = 12
const MOST_EXCHANGES = 400

/** The maximum length of message, expected and observed. */
const LONGEST_TEXT = 4_000

/** The exchanges of a report, and the command that sends one again. */
export interface Evidence {
  exchanges: ReadonlyMap<string, StoredExchange>
  curlOf: (exchange: StoredExchange) => string
  /** Returns a script that repeats a finding with its own values, if that is possible. */
  scriptOf?: (clause: ClauseRecord, finding: Finding) => string | undefined
  /** The ids of the deviants that prove a clause, by clause. */
  deviants?: ReadonlyMap<string, readonly string[]>
  /** Returns the URL of a check's page, if the report is part of a site. */
  checkPage?: (check: string) => string | undefined
  /** Returns what a site shows beside a finding: further pages and actions. */
  beside?: (clause: ClauseRecord, finding: Finding, at: number) => Markup | undefined
}

/** State that the panels of a page share. */
interface Page {
  record: RunRecord
  checks: ReadonlyMap<string, CheckRecord>
  /** The exchanges that the page already shows. */
  shown: Set<string>
  /** The clauses that already have an anchor. */
  anchored: Set<string>
  evidence: Evidence
}

/** Returns the anchor of a clause's findings within the page. */
export const findingsAnchor = (clause: string): string => `findings-${clause}`

/** Returns every cause of findings, worst first, with its evidence. */
export function findingsSection(record: RunRecord, evidence: Evidence): Markup | undefined {
  const rows = broken(record)
  if (rows.length === 0) return undefined
  const roots = rootsOf(record)
  const causes = roots.flatMap(({ cause, knockOns }) => [cause, ...knockOns.map(one => one.cause)])
  const total = rows.reduce((sum, { findings }) => sum + findings.length, 0)
  const page: Page = {
    record,
    checks: new Map(record.checks.map(check => [check.id, check])),
    shown: new Set(),
    anchored: new Set(),
    evidence,
  }
  const rest = causes.slice(MOST_CAUSES)
  return html`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
<p class="note">${count(rows.length, 'clause is', 'clauses are')} broken: ${count(causes.length, 'cause')} with ${count(roots.length, 'probable root')}, seen ${count(total, 'time')}; worst first, and under each root what probably follows from it. Each shows what was tried, what was expected and what was observed; unfold an exchange for the request and the answer as sent, without credentials and personal data.</p>
${indexOf(roots)}
${causes.slice(0, MOST_CAUSES).map(cause => causeArticle(cause, page))}
${rest.length === 0 ? undefined : html`<p class="rest">and ${count(rest.length, 'more cause')}, listed in record.json</p>`}
${[...new Set(rest.flatMap(cause => cause.broken.map(({ clause }) => clause.id)))].map(id => anchor(id, page))}
</section>
`
}

/** Returns an overview of the roots, with what probably follows from each and why. */
function indexOf(roots: readonly Root[]): Markup {
  const link = ({ broken: [{ clause }] }: Root['cause']) =>
    html`<a class="id" href="#${findingsAnchor(clause.id)}">${clause.id}</a>`
  const seen = ({ broken: [{ finding }] }: Root['cause']) =>
    present([finding.operation, finding.observed])
      .map(part => shorten(part, 200))
      .join(': ')
  return html`<ol class="roots">
${roots.slice(0, MOST_CAUSES).map(
  ({ cause, knockOns }) =>
    html`<li>${link(cause)} ${shorten(cause.broken[0].clause.says, 300)} <span class="note">${seen(cause)}</span>${
      knockOns.length === 0
        ? undefined
        : html`<details><summary>${count(knockOns.length, 'cause')} probably ${knockOns.length === 1 ? 'follows' : 'follow'} from it</summary><ul>
${knockOns.slice(0, MOST_CAUSES).map(one => html`<li>${link(one.cause)} ${seen(one.cause)} (${shorten(one.reason, 300)})</li>\n`)}</ul></details>`
    }</li>\n`,
)}</ol>`
}

/** Returns the anchor of a clause's findings, once per page. */
function anchor(id: string, { anchored }: Page): Markup | undefined {
  if (anchored.has(id)) return undefined
  anchored.add(id)
  return html`<span id="${findingsAnchor(id)}"></span>`
}

function causeArticle({ broken: [lead, ...others] }: Cause, page: Page): Markup {
  const { clause, finding } = lead
  const { id, level, says } = clause
  return html`<article class="broken ${finding.waived !== undefined ? 'tone-unseen' : level === 'must' ? 'tone-violates' : 'tone-blocked'}">
<header>
<p class="meta"><a class="id" href="#clause-${id}">${id}</a><span>${severityOf(clause)}</span><span>${level === 'must' ? 'required' : 'recommended: does not count against the verdict'}</span><span>Document: ${placeOf(clause)}</span></p>
<h3>${anchor(id, page)}${says}</h3>
${waivedNote(finding)}
</header>
<div class="finding">
${findingText(lead)}
${others.map(other => alsoBroken(other, page))}
${evidenceOf(lead, page)}
${replayPanel(lead, page)}
${page.evidence.beside?.(clause, finding, lead.at)}
</div>
</article>
`
}

const waivedNote = ({ waived }: Finding): Markup | undefined =>
  waived &&
  html`<p class="meta">Waived until ${waived.expires} by ${waived.owner}: ${shorten(waived.reason, 500)}</p>`

/** Returns another clause that the same exchange breaks. */
function alsoBroken(other: Repeated, page: Page): Markup {
  const { id, says } = other.clause
  return html`<div class="also">
<p class="meta">${anchor(id, page)}<span>It also breaks:</span><a class="id" href="#clause-${id}">${id}</a></p>
<p class="says">${says}</p>
${findingText(other)}
</div>
`
}

function findingText({ finding, more }: Repeated): Markup {
  const { message, expected, observed } = finding
  return html`<p class="message">${shorten(message, LONGEST_TEXT)}</p>
${
  expected === undefined && observed === undefined
    ? undefined
    : html`<dl class="pair">
${expected === undefined ? undefined : html`<dt>Expected</dt><dd>${shorten(expected, LONGEST_TEXT)}</dd>`}
${observed === undefined ? undefined : html`<dt>Observed</dt><dd class="observed">${shorten(observed, LONGEST_TEXT)}</dd>`}
</dl>`
}
${more.length === 0 ? undefined : html`<p class="origin">And ${count(more.length, 'more answer')} like it${alike(more)}</p>`}`
}

function alike(more: readonly Finding[]): string {
  const ids = more.flatMap(({ exchanges }) => exchanges.slice(-1))
  return ids.length === 0 ? '' : `: exchanges ${listed(ids, MOST_ALIKE)} of exchanges.ndjson`
}

function evidenceOf({ finding }: Repeated, { checks, shown, evidence }: Page): Markup {
  const { check, source, exchanges, message } = finding
  const replay = checks.get(check)?.properties.find(({ counterexample }) => counterexample !== undefined)
  const named = namesIn(message)
  return html`<p class="origin">${source === 'check' ? 'Check' : 'Seen in the traffic of'}: ${check}</p>
${
  replay === undefined || source === 'passive'
    ? undefined
    : html`<p class="origin">Case found by seed ${replay.seed}${replay.path === undefined ? '' : `, path ${replay.path}`}: <code>${shorten(replay.counterexample!, 1_000)}</code></p>`
}
${exchanges.map((id, at) => {
  if (shown.has(id))
    return html`<p class="elsewhere"><a href="#${exchangeAnchor(id)}">Exchange ${id}</a>, shown above</p>\n`
  const exchange = evidence.exchanges.get(id)
  if (exchange === undefined)
    return html`<p class="elsewhere">Exchange ${id} is not in exchanges.ndjson</p>\n`
  if (shown.size >= MOST_EXCHANGES)
    return html`<p class="elsewhere">Exchange ${id}: see exchanges.ndjson</p>\n`
  shown.add(id)
  // Only the last exchange shows the fault, so only there the named fields are marked.
  const last = at === exchanges.length - 1
  return exchangePanel(exchange, evidence.curlOf(exchange), { named: last ? named : undefined })
})}`
}

/** Returns how to reproduce a finding with the kit, and in a shell if possible. */
function replayPanel({ clause, finding, at }: Repeated, { record, evidence: { scriptOf } }: Page): Markup {
  const script = scriptOf?.(clause, finding)
  const again = commandToSeeAgain(record, clause.id, finding, at)
  if (again === undefined) return html``
  if (!again.startsWith(commandLine('replay')))
    return html`<p class="origin">Reproduce it: <code>${again}</code></p>`
  return html`<p class="origin">Reproduce it with new offers, keys and bookings: <code>${again}</code></p>
${
  script === undefined
    ? html`<p class="origin">A shell cannot repeat it: a request was not stored in full, or values came from answers that were not recorded.</p>`
    : html`<details class="exchange"><summary>The same without the kit: a shell script with curl and jq</summary>
<div class="inside"><pre tabindex="0" data-copy>${script}</pre></div></details>`
}`
}
