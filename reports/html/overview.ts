import type { ClauseRecord, RunRecord, StateDiagram, Verdict } from '../../fixtures/ground/record.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { harmlessLine, leftoverLines } from '../render/digest-lines.ts'
import { count, shorten } from '../render/plain.ts'
import { areaAnchor } from './clauses.ts'
import {
  causeAnchor,
  causeTone,
  type Evidence,
  type Numbered,
  numberedRoots,
  seenText,
  sinceText,
} from './findings.ts'
import { html, type Markup } from './markup.ts'
import { statesAnchor } from './states.ts'

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
export function overviewSection(record: RunRecord, evidence: Evidence): Markup {
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
