import { hash } from 'node:crypto'
import type { ClauseRecord, RunRecord, StateDiagram, Verdict } from '../../fixtures/ground/record.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { answerText, factsOf, statusesOf } from '../judge/operations.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { statesLine } from '../judge/profile.ts'
import { harmlessLine, KIND_COLUMNS, kindRows, leftoverLines } from '../render/digest.ts'
import { blocked, byReason, count, milliseconds, type ReasonGroup, shorten } from '../render/plain.ts'
import { behaviour } from './behaviour.ts'
import { areaAnchor, clauseAnchor, clausesSection } from './clauses.ts'
import {
  causeAnchor,
  causeTone,
  type Evidence,
  findingsSection,
  type Numbered,
  numberedRoots,
  seenText,
  sinceText,
} from './findings.ts'
import { callouts, contents, html, type Markup, verbatim, verdictOf } from './head.ts'
import { loadSection } from './load.ts'
import { style } from './style.ts'

/** Returns the anchor of a state machine within the page. */
const statesAnchor = ({ part }: Pick<StateDiagram, 'part'>): string => `states-${part.replace('.', '-')}`

/** Returns the state machines of part 3, with what the run observed of each transition. */
function statesSection({ states = [], clauses }: RunRecord): Markup | undefined {
  if (states.length === 0) return undefined
  const known = new Set(clauses.map(({ id }) => id))
  return html`<section aria-labelledby="states">
<h2 id="states">States and transitions</h2>
<p class="note">${statesLine(states)}: a random walk went this way, or a clause that cannot be decided without it was exercised.</p>
<div class="machines">
${states.map(diagram => section(diagram, known))}</div>
</section>
`
}

function section(diagram: StateDiagram, known: ReadonlySet<string>): Markup {
  const { part, title, transitions } = diagram
  const bySeen = Map.groupBy(transitions, ({ seen }) => seen)
  const list = (seen: Transition['seen']): Markup | undefined => {
    const rows = bySeen.get(seen)
    return rows && html`<ul>${rows.map(row => transition(row, known))}</ul>`
  }
  const named = (seen: Transition['seen'], name: string): Markup | undefined =>
    bySeen.has(seen) ? html`<h4>${name}</h4>${list(seen)}` : undefined
  const visited = bySeen.get('visited')
  return html`<div class="machine">
<h3 id="${statesAnchor(diagram)}">${title} <span class="tally">part ${part}; ${transitions.length - (bySeen.get('not visited') ?? []).length} of ${transitions.length} visited</span></h3>
${named('broken', 'Broken')}${named('not visited', 'Not visited')}${
  visited &&
  html`<details class="others"><summary>Visited: ${visited.length}</summary>${list('visited')}</details>`
}
</div>
`
}

type Transition = StateDiagram['transitions'][number]

function transition({ from, to, on, clauses }: Transition, known: ReadonlySet<string>): Markup {
  const links = clauses.map(
    (id, place) =>
      html`${place === 0 ? '' : ', '}${known.has(id) ? html`<a href="#${clauseAnchor(id)}">${id}</a>` : id}`,
  )
  return html`<li><b>${from}</b> ${from === to ? 'stays' : html`→ <b>${to}</b>`}: ${on} <small>${links}</small></li>
`
}

/** A symbol of its own shape for each verdict, so that no colour is needed. */
export const MARKS: Readonly<Record<Verdict, string>> = {
  violates: '✕',
  error: '!',
  blocked: '▲',
  'not exercised': '□',
  conforms: '■',
  'not applicable': '·',
}

/** The maximum number of roots on the first screen. */
const MOST_ROOTS = 8

/** Returns what a reader wants to know first: what broke, what was not looked at, and both as pictures. */
function overviewSection(record: RunRecord, evidence: Evidence): Markup {
  const roots = numberedRoots(record)
  const broke = roots.length === 0 ? undefined : whatBroke(roots, record, evidence)
  const unseen = notLookedAtTable(record)
  const isShort = broke === undefined && unseen === undefined
  // Without anything to tell, the pictures stand side by side.
  const [left, right] = isShort ? [machines(record)] : [html`${broke}${unseen}`, machines(record)]
  return html`<section class="overview" aria-labelledby="overview">
<h2 id="overview" class="unseen">Overview</h2>
<div class="glance">
${left === undefined ? undefined : html`<div>${left}</div>`}
<div>${areasTable(record)}${right}</div>
</div>
${unseenLink(record)}
${harmless(record)}
</section>
`
}

function whatBroke(roots: readonly Numbered[], record: RunRecord, evidence: Evidence): Markup {
  const rest = roots.length - MOST_ROOTS
  return html`<h3>What broke</h3>
<ol class="roots">
${roots.slice(0, MOST_ROOTS).map(root => rootLine(root, record, evidence))}</ol>
${rest > 0 ? html`<p class="origin"><a href="#findings">${count(rest, 'more root')}</a></p>` : undefined}`
}

function rootLine(root: Numbered, record: RunRecord, evidence: Evidence): Markup {
  const causes = [root.cause, ...root.followers.map(({ cause }) => cause)]
  const ids = new Set(causes.flatMap(({ broken }) => broken.map(({ clause }) => clause.id)))
  const endpoints = [
    ...new Set(causes.map(({ broken }) => broken[0].finding.operation).filter(name => name !== undefined)),
  ]
  const [{ clause, finding }] = root.cause.broken
  const others = endpoints.filter(name => name !== finding.operation)
  const since = sinceText(record, evidence, clause.id)
  const more = [
    ...(others.length === 0 ? [] : [`also ${shorten(others.join(', '), 90)}`]),
    ...(ids.size === 1 ? [] : [count(ids.size, 'clause')]),
  ]
  return html`<li class="${causeTone(root.cause)}"><span class="mark" aria-hidden="true"></span><span><a href="#${causeAnchor(root)}">${shorten(clause.says, 140)}</a> <small>${seenText(root.cause)}${more.map(text => ` · ${text}`)}${since === undefined ? undefined : html` · ${since}`}</small></span></li>
`
}

/** Returns the groups of clauses that nothing showed, and what would show each. */
function notLookedAtTable({ notLookedAt = [] }: RunRecord): Markup | undefined {
  if (notLookedAt.length === 0) return undefined
  return html`<h3>Not looked at</h3>
<table class="unlooked">
<thead><tr><th scope="col">What</th><th scope="col" class="number">Clauses</th><th scope="col">It takes</th></tr></thead>
<tbody>
${notLookedAt.map(({ what, clauses: size, shownBy }) => html`<tr><td>${what}</td><td class="number">${size}</td><td>${shownBy}</td></tr>\n`)}</tbody>
</table>`
}

function unseenLink({ clauses }: RunRecord): Markup | undefined {
  const unseen = clauses.filter(({ verdict }) => verdict === 'not exercised').length
  if (unseen === 0) return undefined
  return html`<p class="origin"><a href="#not-exercised">${count(unseen, 'clause was', 'clauses were')} not exercised</a></p>`
}

/** Returns what came of each area, in numbers. */
function areasTable({ clauses }: RunRecord): Markup {
  const areas = byArea(clauses.filter(({ verdict }) => verdict !== 'not applicable'))
  return html`<h3>Areas</h3>
<table class="strips"><tbody>
${areas.map(
  ([area, rows]) =>
    html`<tr><th scope="row"><a href="#${areaAnchor(area)}">${areaTitle(area)}</a></th><td>${areaText(rows)}</td></tr>
`,
)}</tbody></table>`
}

/** The verdicts that are told of an area beside its clauses that conform, in order. */
const TOLD: readonly Verdict[] = ['violates', 'error', 'blocked', 'not exercised']

function areaText(rows: readonly ClauseRecord[]): Markup {
  const told = TOLD.flatMap(verdict => {
    const size = rows.filter(row => row.verdict === verdict).length
    return size === 0 ? [] : [`${size} ${verdict === 'violates' ? 'broken' : verdict}`]
  })
  const conform = rows.filter(({ verdict }) => verdict === 'conforms').length
  return html`${conform} conform${told.length === 0 ? undefined : html` <small>${told.join(', ')}</small>`}`
}

/** Returns the state machines, those with broken transitions first. */
function machines({ states = [] }: RunRecord): Markup | undefined {
  if (states.length === 0) return undefined
  const shown = states.toSorted((a, b) => brokenIn(b) - brokenIn(a))
  return html`<h3>States</h3>
<ul class="state-list">${shown.map(
    diagram =>
      html`<li><a href="#${statesAnchor(diagram)}">${diagram.title}</a> <small>${visitedText(diagram)}</small></li>\n`,
  )}</ul>`
}

const brokenIn = ({ transitions }: StateDiagram): number =>
  transitions.filter(({ seen }) => seen === 'broken').length

function visitedText(diagram: StateDiagram): string {
  const { transitions } = diagram
  const red = brokenIn(diagram)
  const seen = transitions.filter(one => one.seen !== 'not visited').length
  return `${seen} of ${transitions.length} visited${red === 0 ? '' : `, ${red} broken`}`
}

/** Returns what is left booked and costs nothing, in a line. Anything that may cost money is a callout. */
function harmless({ leftovers }: RunRecord): Markup | undefined {
  const line = harmlessLine({ leftovers })
  if (line === undefined) return undefined
  const legal = leftovers.filter(({ refused }) => refused === true)
  return html`<details class="others"><summary>${line}</summary>
<ul>${leftoverLines({ leftovers: legal }).map(line => html`<li>${line}</li>`)}</ul></details>`
}

/** The number of clauses up to which a reason names them in its line. */
const FEW = 3

/** Returns what was blocked and what was not exercised, by reason. */
function reasonsSection(record: RunRecord): (Markup | undefined)[] {
  const known = new Set(record.clauses.map(({ id }) => id))
  const named = (id: string) =>
    known.has(id)
      ? html`<a class="id" href="#${clauseAnchor(id)}">${id}</a>`
      : html`<span class="id">${id}</span>`
  const section = (id: string, title: string, note: string, groups: readonly ReasonGroup[]) =>
    groups.length === 0
      ? undefined
      : html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="note">${note}</p>
<table>
<thead><tr><th scope="col" class="number">Clauses</th><th scope="col">Reason</th></tr></thead>
<tbody>
${groups.map(({ reason, ids, further }) => {
  const which = ids.map(id => {
    const more = further.get(id)
    return html` ${named(id)}${more === undefined ? undefined : html` <small>also ${more}</small>`}`
  })
  const told =
    ids.length <= FEW
      ? html`${reason}${which}`
      : html`<details><summary>${reason}</summary><ul class="which">${which.map(one => html`<li>${one}</li>`)}</ul></details>`
  return html`<tr><td class="number">${ids.length}</td><td>${told}</td></tr>\n`
})}</tbody>
</table>
</section>
`
  return [
    section(
      'blocked',
      'Blocked',
      'The definition claims what these clauses need, but the deployment did not deliver it.',
      blocked(record),
    ),
    section(
      'not-exercised',
      'Not exercised',
      'These clauses never count as passed; they lower the second number.',
      byReason(record, 'not exercised'),
    ),
  ]
}

/** Returns every operation that was called, with the count of each status. */
function operationsSection({ operations = [] }: RunRecord): Markup | undefined {
  if (operations.length === 0) return undefined
  const statuses = statusesOf(operations)
  return html`<section aria-labelledby="operations">
<h2 id="operations">Answers</h2>
<details class="others"><summary>How often each status was answered by ${count(operations.length, 'operation')}, and how long it took</summary>
<p class="note">How often each status was answered. A dash is a documented status that no check saw; an empty field is a status that the document does not name. p95 is the time within which 95 % of the calls ended, from sending to the end of the answer, at the pace of the checks.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Answers"><table class="by-status">
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">p95</th>${statuses.map(status => html`<th scope="col" class="number">${status}</th>`)}</tr></thead>
<tbody>
${operations.map(
  ({
    operation,
    answers,
    latency,
  }) => html`<tr><th scope="row">${operation}</th><td class="number">${latency === undefined ? '–' : milliseconds(latency.p95)}</td>${statuses.map(
    status => html`<td class="number">${answerText(answers.find(answer => answer.status === status))}</td>`,
  )}</tr>
`,
)}</tbody>
</table></div></details>
</section>
`
}

/** Returns what checks observed where the document leaves the answer open. */
function factsSection(record: RunRecord): Markup | undefined {
  const facts = factsOf(record)
  if (facts.length === 0) return undefined
  return html`<section aria-labelledby="facts">
<h2 id="facts">Facts</h2>
<details class="others"><summary>What was observed in ${facts.length} cases that the document leaves open; it is not judged</summary>
<ul>${facts.map(fact => html`<li>${fact}</li>\n`)}</ul></details>
</section>
`
}

const fingerprint = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Only the page's own style and script are allowed, and nothing is fetched, whatever a deployment sent. */
const POLICY = `default-src 'none'; style-src ${fingerprint(style)}; script-src ${fingerprint(behaviour)}; base-uri 'none'; form-action 'none'`

/** Returns the run as one page that needs no network, no other file and no script. */
export function toHtml(record: RunRecord, evidence: Evidence): string {
  const { deployment } = record
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${outcomeOf(record).word}: ${deployment.name}</title>
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="masthead">
<div class="title"><h1>${deployment.name}</h1><p class="address">${deployment.baseUrl}</p></div>
${verdictOf(record)}
</header>
<div class="page">
${contents(record)}
<main id="main">
${callouts(record)}
${reportBody(record, evidence)}
</main>
</div>
<footer><p>Made by ${record.kit.name} ${record.kit.version} from record.json, which contains all of this and more.</p></footer>
<script>${verbatim(behaviour)}</script>
</body>
</html>
`
  return page.markup
}

/** Returns everything below the verdict and the `callouts`. */
export const reportBody = (record: RunRecord, evidence: Evidence): Markup => html`${overviewSection(
  record,
  evidence,
)}
${findingsSection(record, evidence)}
${loadSection(record)}
${reasonsSection(record)}
${statesSection(record)}
${kindsTable(record)}
${operationsSection(record)}
${factsSection(record)}
${clausesSection(record)}`

/** Returns the table by kind of product. It counts a clause once per kind, unlike the card. */
function kindsTable(record: RunRecord): Markup | undefined {
  const rows = kindRows(record)
  if (rows.length === 0) return undefined
  return html`<div class="scroll"><table class="kinds">
<thead><tr>${KIND_COLUMNS.map((title, at) => html`<th scope="col"${at === 0 ? undefined : html` class="number"`}>${title}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([
    kind,
    ...cells
  ]) => html`<tr><th scope="row">${kind}</th>${cells.map(cell => html`<td class="number">${cell}</td>`)}</tr>
`,
)}</tbody>
</table></div>`
}
