import { placeOf } from '../../fixtures/clauses/places.ts'
import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import type { CheckRecord, ClauseRecord, Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { commandToSeeAgain, howToSeeAgain } from '../findings/command-to-see-again.ts'
import { type Cause, type Repeated, type Root, rootsOf, severityOf } from '../findings/roots.ts'
import { isKnown, listed } from '../judge/outcome.ts'
import { broken } from '../render/digest.ts'
import { count, shorten } from '../render/plain.ts'
import { aboutOf, excerpt, exchangeAnchor, exchangePanel, sentExcerpt } from './exchange.ts'
import { html, type Markup } from './head.ts'

/** The maximum numbers of causes, similar answers per cause, and exchanges; record.json has the rest. */
const MOST_CAUSES = 150
const MOST_ALIKE = 12
const MOST_EXCHANGES = 400

/** The maximum length of message, expected and observed, so that no finding is longer than three screens. */
const LONGEST_TEXT = 1_200

/** The exchanges of a report, and the command that sends one again. */
export interface Evidence {
  exchanges: ReadonlyMap<string, StoredExchange>
  curlOf: (exchange: StoredExchange) => string
  /** Returns a script that repeats a finding with its own values, if that is possible. */
  scriptOf?: (clause: ClauseRecord, finding: Finding) => string | undefined
  /** Returns what a site shows beside a finding: further pages and actions. */
  beside?: (clause: ClauseRecord, finding: Finding, at: number) => Markup | undefined
  /** Returns since when a clause is broken, in a few words, if a history knows it. */
  since?: (clause: string) => Markup | string | undefined
}

/** State that the panels of a page share. */
interface Page {
  record: RunRecord
  checks: ReadonlyMap<string, CheckRecord>
  /** The exchanges that the page already shows, with the number of their cause. */
  shown: Map<string, number>
  /** The clauses that already have an anchor. */
  anchored: Set<string>
  evidence: Evidence
}

/** A cause with its number on the page. */
export interface Numbered {
  number: number
  cause: Cause
  /** The root that it probably follows from, and why; absent for a root. */
  from?: { root: Numbered; reason: string }
  /** Those that probably follow from it. */
  followers: Numbered[]
}

/** Returns the roots of a run with what follows from each, numbered from 1 in the order of the page. */
export function numberedRoots(record: RunRecord): Numbered[] {
  let number = 0
  return rootsOf(record).map(({ cause, knockOns }: Root): Numbered => {
    const root: Numbered = { number: ++number, cause, followers: [] }
    for (const one of knockOns)
      root.followers.push({
        number: ++number,
        cause: one.cause,
        followers: [],
        from: { root, reason: one.reason },
      })
    return root
  })
}

/** Returns the anchor of a clause's findings within the page. */
export const findingsAnchor = (clause: string): string => `findings-${clause}`

/** Returns the anchor of a cause within the page; of one that the page leaves out, that of all findings. */
export const causeAnchor = ({ number }: Pick<Numbered, 'number'>): string =>
  number > MOST_CAUSES ? 'findings' : `cause-${number}`

/** Returns the causes of findings, worst first, as a list, with the evidence of one of them at a time. */
export function findingsSection(record: RunRecord, evidence: Evidence): Markup | undefined {
  const rows = broken(record)
  if (rows.length === 0) return undefined
  const roots = numberedRoots(record)
  const causes = roots.flatMap(root => [root, ...root.followers])
  const total = rows.reduce((sum, { findings }) => sum + findings.length, 0)
  const page: Page = {
    record,
    checks: new Map(record.checks.map(check => [check.id, check])),
    shown: new Map(),
    anchored: new Set(),
    evidence,
  }
  const rest = causes.slice(MOST_CAUSES)
  return html`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
<p class="note">${count(rows.length, 'clause is', 'clauses are')} broken: ${count(causes.length, 'cause')} with ${count(roots.length, 'probable root')}, seen ${count(total, 'time')}; worst first, and under each root what probably follows from it.</p>
<div class="findings">
<nav class="found" aria-label="List of findings"><ol>
${roots.filter(({ number }) => number <= MOST_CAUSES).map(listItem)}</ol>
${rest.length === 0 ? undefined : html`<p class="rest">and ${count(rest.length, 'more cause')}, listed in record.json</p>`}
</nav>
<div class="causes">
${causes.slice(0, MOST_CAUSES).map(one => causeArticle(one, causes[one.number], page))}</div>
</div>
${[...new Set(rest.flatMap(({ cause }) => cause.broken.map(({ clause }) => clause.id)))].map(id => anchor(id, page))}
</section>
`
}

/** Returns the ids of the clauses of a cause, for the filters. */
const clausesOf = ({ broken }: Cause): string => broken.map(({ clause }) => clause.id).join(' ')

/** Returns what a cause was seen to do, in a line. */
export function seenText({ broken: [{ finding }] }: Cause): string {
  const { operation, observed, expected, message } = finding
  const what =
    observed === undefined
      ? shorten(message, 120)
      : expected === undefined
        ? shorten(observed, 90)
        : `${shorten(observed, 60)}, expected ${shorten(expected, 60)}`
  return operation === undefined ? what : `${operation}: ${what}`
}

/** Returns the colour of a cause: red only for what counts. */
export const causeTone = ({ broken: [{ clause, finding }] }: Cause): string =>
  finding.waived !== undefined ? 'tone-unseen' : clause.level === 'must' ? 'tone-violates' : 'tone-blocked'

function listItem(root: Numbered): Markup {
  const { cause, followers } = root
  const [{ clause }] = cause.broken
  const shown = followers.filter(({ number }) => number <= MOST_CAUSES)
  return html`<li class="${causeTone(cause)}" data-clauses="${clausesOf(cause)}"><a href="#${causeAnchor(root)}"><b>${shorten(clause.says, 160)}</b> <small>${seenText(cause)}</small></a>${
    followers.length === 0
      ? undefined
      : html`<details><summary>${followers.length} probably ${followers.length === 1 ? 'follows' : 'follow'} from it</summary><ul>
${shown.map(one => html`<li data-clauses="${clausesOf(one.cause)}"><a href="#${causeAnchor(one)}"><span class="id">${one.cause.broken[0].clause.id}</span> <small>${seenText(one.cause)}</small></a></li>\n`)}</ul></details>`
  }</li>
`
}

/** Returns the anchor of a clause's findings, once per page. */
function anchor(id: string, { anchored }: Page): Markup | undefined {
  if (anchored.has(id)) return undefined
  anchored.add(id)
  return html`<span id="${findingsAnchor(id)}"></span>`
}

function causeArticle(one: Numbered, next: Numbered | undefined, page: Page): Markup {
  const { cause, from } = one
  const [lead, ...others] = cause.broken
  const { clause, finding } = lead
  const { id, level, says } = clause
  const { record, evidence } = page
  const since = sinceText(record, evidence, id)
  return html`<article class="cause ${causeTone(cause)}${from === undefined ? '' : ' follows'}" id="${causeAnchor(one)}">
<header>
<p class="meta"><a class="id" href="#clause-${id}">${id}</a><span>${severityOf(clause)}</span><span>${level === 'must' ? 'required' : 'recommended: does not count against the verdict'}</span><span>Document: ${placeOf(clause)}</span>${since === undefined ? undefined : html`<span>${since}</span>`}</p>
<h3>${anchor(id, page)}${says}</h3>
${waivedNote(finding)}${from === undefined ? undefined : html`<p class="meta">Probably follows from <a class="id" href="#${causeAnchor(from.root)}">${from.root.cause.broken[0].clause.id}</a> (${shorten(from.reason, 300)})</p>`}
</header>
<p class="message">${shorten(finding.message, LONGEST_TEXT)}${likeIt(lead)}</p>
<div class="shown">
<div>
${pair(finding)}${guilty(finding, evidence)}
</div>
<div>
${exchangesOf(finding, one.number, page)}${replayPanel(lead, page)}
</div>
</div>
${others.length === 0 ? undefined : html`<p class="origin">The same answer also breaks:</p><ul class="also">${others.map(other => alsoBroken(other, lead, page))}</ul>`}
${originOf(finding, page)}
${evidence.beside?.(clause, finding, lead.at)}
<p class="around">${next === undefined || next.number > MOST_CAUSES ? undefined : html`<a href="#${causeAnchor(next)}">Next finding</a>`}<a href="#findings">All findings</a></p>
</article>
`
}

/** Returns since when a clause is broken: by the history of a site, or by the baseline of the run. */
export function sinceText(record: RunRecord, { since }: Evidence, id: string): Markup | string | undefined {
  const told = since?.(id)
  if (told !== undefined) return told
  const baseline = record.gate?.baseline
  if (baseline === undefined || baseline.unusable !== undefined) return undefined
  if (isKnown(record, { id, verdict: 'violates' })) return `as in the baseline ${baseline.run}`
  return baseline.broken.includes(id) ? `new since the baseline ${baseline.run}` : undefined
}

const waivedNote = ({ waived }: Finding): Markup | undefined =>
  waived &&
  html`<p class="meta">Waived until ${waived.expires} by ${waived.owner}: ${shorten(waived.reason, 500)}</p>`

function pair({ expected, observed }: Finding): Markup | undefined {
  if (expected === undefined && observed === undefined) return undefined
  return html`<dl class="pair">
${expected === undefined ? undefined : html`<div><dt>Expected</dt><dd>${shorten(expected, LONGEST_TEXT)}</dd></div>`}
${observed === undefined ? undefined : html`<div><dt>Observed</dt><dd class="observed">${shorten(observed, LONGEST_TEXT)}</dd></div>`}
</dl>
`
}

/** Returns the fields of the last request that the finding names, and the lines of its answer that it is about. */
function guilty(finding: Finding, { exchanges }: Evidence): Markup | undefined {
  const exchange = exchanges.get(finding.exchanges.at(-1) ?? '')
  return exchange && html`${sentExcerpt(exchange, finding)}${excerpt(exchange, finding)}`
}

/** Returns another clause that the same exchange breaks, with what differs. */
function alsoBroken({ clause, finding, more }: Repeated, lead: Repeated, page: Page): Markup {
  const { id, says } = clause
  const differs = finding.message !== lead.finding.message
  return html`<li>${anchor(id, page)}<a class="id" href="#clause-${id}">${id}</a> ${says}${differs ? html` <small>${shorten(finding.message, LONGEST_TEXT)}</small>` : undefined}${likeIt({ more })}</li>
`
}

function likeIt({ more }: Pick<Repeated, 'more'>): Markup | undefined {
  if (more.length === 0) return undefined
  const ids = more.flatMap(({ exchanges }) => exchanges.slice(-1))
  const which = ids.length === 0 ? '' : `: exchanges ${listed(ids, MOST_ALIKE)} of exchanges.ndjson`
  return html` <small>And ${count(more.length, 'more answer')} like it${which}</small>`
}

/** The number of exchanges up to which they are listed at once. */
const FEW = 8

/** Returns the exchanges of a finding as sent, each folded. One that another finding shows already is linked. */
function exchangesOf(finding: Finding, cause: number, { shown, evidence }: Page): Markup | undefined {
  const { exchanges, arranged = [] } = finding
  if (exchanges.length === 0) return undefined
  const panels = exchanges.map((id, at) => {
    const elsewhere = shown.get(id)
    if (elsewhere !== undefined)
      return html`<p class="elsewhere">${at + 1}: <a href="#${exchangeAnchor(id)}">exchange ${id}</a>, shown ${elsewhere === cause ? 'above' : 'with another finding'}</p>\n`
    const exchange = evidence.exchanges.get(id)
    if (exchange === undefined)
      return html`<p class="elsewhere">Exchange ${id} is not in exchanges.ndjson</p>\n`
    if (shown.size >= MOST_EXCHANGES)
      return html`<p class="elsewhere">Exchange ${id}: see exchanges.ndjson</p>\n`
    shown.set(id, cause)
    // Only the last exchange shows the fault, so only there the named fields are marked.
    const last = at === exchanges.length - 1
    return exchangePanel(exchange, evidence.curlOf(exchange), {
      about: last ? aboutOf(finding) : undefined,
      aside: !last,
    })
  })
  return html`<details class="others"${exchanges.length > FEW ? undefined : html` open`}><summary>${exchanges.length === 1 ? 'The exchange' : `The ${exchanges.length} exchanges, the last with the fault`}</summary>
${panels}</details>
${arranged.map(what => html`<p class="origin">Control: ${shorten(what, 300)}</p>\n`)}`
}

/** Returns the check that found it, with the generated case. */
function originOf({ check, source }: Finding, { checks }: Page): Markup {
  const replay = checks.get(check)?.properties.find(({ counterexample }) => counterexample !== undefined)
  return html`<p class="origin">${source === 'check' ? 'Check' : 'Seen in the traffic of'}: ${check}</p>
${
  replay === undefined || source === 'passive'
    ? undefined
    : html`<p class="origin">Case found by seed ${replay.seed}${replay.path === undefined ? '' : `, path ${replay.path}`}: <code>${shorten(replay.counterexample!, 1_000)}</code></p>`
}`
}

/** Returns how to reproduce a finding with the kit, and in a shell if possible. */
function replayPanel({ clause, finding, at }: Repeated, { record, evidence: { scriptOf } }: Page): Markup {
  const script = scriptOf?.(clause, finding)
  const again = commandToSeeAgain(record, clause.id, finding, at)
  const command = html`<pre class="command" tabindex="0" data-copy>${again}</pre>`
  if (again?.startsWith(commandLine('replay')) === false)
    return html`<p class="origin">Reproduce it:</p>${command}`
  return html`${
    again === undefined
      ? html`<p class="origin">${howToSeeAgain(record, clause, finding, at)}</p>`
      : html`<p class="origin">Reproduce it with new offers, keys and bookings:</p>${command}`
  }
${
  clause.side === 'client'
    ? undefined
    : script === undefined
      ? html`<p class="origin">A shell cannot repeat it: control had arranged something, a request was not stored in full, or values came from answers that were not recorded.</p>`
      : html`<details class="exchange"><summary>The same without the kit: a shell script with curl and jq</summary>
<div class="inside"><pre tabindex="0" data-copy>${script}</pre></div></details>`
}`
}
