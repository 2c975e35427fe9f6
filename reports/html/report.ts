import { hash } from 'node:crypto'
import { isEndedFirst } from '../../fixtures/client/ending.ts'
import type { RunRecord, Verdict } from '../../fixtures/record.ts'
import { gateLines } from '../gate/gate.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { answerText, factsOf, statusesOf } from '../judge/operations.ts'
import { missingLines, outcomeOf, type Tone } from '../judge/outcome.ts'
import { broken, duration, FEW, headline, KIND_COLUMNS, kindRows } from '../render/digest.ts'
import {
  deploymentLine,
  leftoverLines,
  notLookedAtLine,
  profileLine,
  transitionsVisited,
  undecidedLine,
} from '../render/digest-lines.ts'
import { count, milliseconds } from '../render/plain.ts'
import { blocked } from '../render/reasons.ts'
import { behaviour } from './behaviour.ts'
import { checksSection } from './checks.ts'
import { areaAnchor, clausesSection } from './clauses.ts'
import { type Evidence, findingsSection } from './findings.ts'
import { loadSection } from './load.ts'
import { html, type Markup, tone, verbatim } from './markup.ts'
import { overviewSection, reasonsSection } from './overview.ts'
import { statesSection } from './states.ts'
import { style } from './style.ts'

/** Returns every operation that was called, with the count of each status. */
export function operationsSection({ operations = [] }: RunRecord): Markup | undefined {
  if (operations.length === 0) return undefined
  const statuses = statusesOf(operations)
  return html`<section aria-labelledby="operations">
<h2 id="operations">Answers</h2>
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
</table></div>
</section>
`
}

/** Returns what checks observed where the document leaves the answer open. */
export function factsSection(record: RunRecord): Markup | undefined {
  const facts = factsOf(record)
  if (facts.length === 0) return undefined
  return html`<section aria-labelledby="facts">
<h2 id="facts">Facts</h2>
<details class="others"><summary>What was observed in ${facts.length} cases that the document leaves open; it is not judged</summary>
<ul>${facts.map(fact => html`<li>${fact}</li>\n`)}</ul></details>
</section>
`
}

/** Returns links to the sections of the page, with the number of their entries. */
export function contents(record: RunRecord): Markup {
  const { clauses, load, checks, operations = [], states = [] } = record
  const told = factsOf(record).length
  const red = broken(record).length
  const stopped = blocked(record).reduce((sum, { ids }) => sum + ids.length, 0)
  const unseen = clauses.filter(({ verdict }) => verdict === 'not exercised').length
  const sections: [anchor: string, title: string, size?: number][] = [
    ['findings', 'Findings', red],
    load === undefined ? ['load', 'Under load', 0] : ['load', 'Under load'],
    ['overview', 'Overview'],
    ['blocked', 'Blocked', stopped],
    ['not-exercised', 'Not exercised', unseen],
    ['states', 'States', states.length],
    ['operations', 'Answers', operations.length],
    ['facts', 'Facts', told],
  ]
  const held = sections.filter(([, , size]) => size !== 0)
  const link = (anchor: string, title: string, size?: number): Markup =>
    html`<li><a href="#${anchor}">${title}</a>${size === undefined ? undefined : html` <small>${size.toLocaleString('en')}</small>`}`
  return html`<nav class="contents" aria-label="Contents">
<ul>
${held.map(([anchor, title, size]) => html`${link(anchor, title, size)}</li>\n`)}
${link('clauses', 'All clauses', clauses.length)}<ul>${byArea(clauses).map(([area]) => html`${link(areaAnchor(area), areaTitle(area))}</li>`)}</ul></li>
${checks.length === 0 ? undefined : html`${link('checks', 'Checks', checks.length)}</li>`}
</ul>
</nav>
`
}

/** The order of verdicts in the bar. */
const BAR: readonly Verdict[] = [
  'conforms',
  'violates',
  'blocked',
  'error',
  'not exercised',
  'not applicable',
]

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
<p class="kit">Conformance of a travel sales service</p>
<h1>${deployment.name}</h1>
<p class="address">${deployment.baseUrl}</p>
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

/** Returns the verdict with its numbers, and the share of each verdict. */
export const verdictOf = (record: RunRecord): Markup => html`${verdictPanel(record)}
${bar(record)}`

/** Returns everything below the verdict and the `callouts`. */
export const reportBody = (
  record: RunRecord,
  evidence: Evidence,
): Markup => html`${findingsSection(record, evidence)}
${loadSection(record)}
${overviewSection(record)}
${kindsTable(record)}
${facts(record)}
${reasonsSection(record)}
${statesSection(record)}
${operationsSection(record)}
${factsSection(record)}
${clausesSection(record, evidence.deviants)}
${checksSection(record, evidence.checkPage)}`

function verdictPanel(record: RunRecord): Markup {
  const { applicable, exercised, conforming, open } = record.coverage
  const number = (part: number, whole: number): Markup =>
    html`${part.toLocaleString('en')} <small>of ${whole.toLocaleString('en')}</small>`
  const missing = open === 0 ? '' : `; ${count(open, 'check is', 'checks are')} still to be written`
  const measures = [
    deploymentLine(record.deployment),
    profileLine(record),
    notLookedAtLine(record),
    undecidedLine(record),
  ].map(line => (line === undefined ? undefined : html`<p class="measure">${line}.</p>`))
  const outcome = outcomeOf(record)
  return html`<section class="verdict tone-${outcome.tone}" aria-label="Verdict">
<div><p class="word">${outcome.word}</p><p class="sentence">${headline(record)}</p></div>
<dl class="numbers">
<div><dt>exercised clauses conform</dt><dd>${number(conforming, exercised)}</dd></div>
<div><dt>applicable clauses were exercised${record.load === undefined ? missing : `; ${FEW}`}</dt><dd>${number(exercised, applicable)}</dd></div>
</dl>
<div class="measures">${measures}</div>
</section>`
}

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

/** Returns the share of every verdict as a bar and in words. */
function bar({ totals, clauses }: RunRecord): Markup {
  // Red is only for what counts.
  const mild = clauses.filter(
    row => row.verdict === 'violates' && (row.level === 'should' || !hasUnwaived(row)),
  ).length
  const present = BAR.flatMap((verdict): [name: string, tone: string, size: number][] =>
    verdict === 'violates'
      ? [
          ['violates', tone(verdict), totals.violates - mild],
          ['only recommended, or waived, and not kept', tone('blocked'), mild],
        ]
      : [[verdict, tone(verdict), totals[verdict]]],
  ).filter(([, , size]) => size > 0)
  let x = 0
  const parts = present.map(([, colour, size]) => {
    const part = html`<rect class="${colour}" x="${x}" y="0" width="${size}" height="1"/>`
    x += size
    return part
  })
  return html`<svg class="bar" viewBox="0 0 ${Math.max(1, clauses.length)} 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
<ul class="legend" aria-label="Clauses by verdict">
${present.map(([name, colour, size]) => html`<li class="${colour}"><span class="mark" aria-hidden="true"></span><b>${size}</b> ${name}</li>\n`)}</ul>`
}

function facts(record: RunRecord): Markup {
  const { requests } = record
  const walked = transitionsVisited(record)
  const rows: [name: string, value: string][] = [
    ['Run', record.run],
    ['Started', record.startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['Took', duration(record)],
    ['Requests', `${requests.v1.toLocaleString('en')} on v1, ${requests.v2.toLocaleString('en')} on v2`],
    ['Checks', record.checks.length.toLocaleString('en')],
    ...(walked === undefined
      ? []
      : [['State transitions', walked.replace(/;.*/s, '')] satisfies [string, string]]),
    ...(record.seed === undefined ? [] : [['Seed', String(record.seed)] satisfies [string, string]]),
    ...(record.only === undefined ? [] : [['Only', record.only] satisfies [string, string]]),
    ['Kit', `${record.kit.name} ${record.kit.version}, Node ${record.kit.node}`],
    ...(record.load === undefined ? [] : [['k6', record.load.k6.version] satisfies [string, string]]),
  ]
  return html`<dl class="facts">
${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

/** Returns how much a run that ended early left out. */
function leftOut({ checks, clauses }: RunRecord): string {
  const cut = checks.filter(({ reason }) => isEndedFirst(reason)).length
  if (cut === 0) return 'All of its checks had ended by then.'
  const unseen = clauses.filter(row => row.verdict === 'not exercised' && isEndedFirst(row.reason)).length
  return `${cut.toLocaleString('en')} of ${count(checks.length, 'check')} were cut off or never begun; ${count(unseen, 'clause was', 'clauses were')} not exercised because of that.`
}

/** Returns what a reader must know first. */
export function callouts(record: RunRecord): Markup[] {
  const { halted, errors } = record
  const faults = errors.slice(0, MOST_FAULTS)
  if (errors.length > MOST_FAULTS) faults.push(`and ${errors.length - MOST_FAULTS} more`)
  return [
    ...(halted === undefined
      ? []
      : [
          html`<section class="callout tone-blocked"><h2>The run was not completed</h2><p>${halted}</p><p>${leftOut(record)}</p></section>\n`,
        ]),
    ...callout('The gate', outcomeOf(record).passes ? 'conforms' : 'violates', gateLines(record)),
    ...callout('The run is incomplete', 'blocked', missingLines(record)),
    ...callout('Faults of the kit', 'error', faults),
    ...callout('May still be booked', 'blocked', leftoverLines(record)),
  ]
}

/** The maximum number of faults of the kit on a page. */
const MOST_FAULTS = 50

/** Returns lines with a title, or nothing without lines. */
const callout = (title: string, tone: Tone, lines: readonly string[]): Markup[] =>
  lines.length === 0
    ? []
    : [
        html`<section class="callout tone-${tone}"><h2>${title}</h2>
<ul>${lines.map(line => html`<li>${line}</li>`)}</ul></section>\n`,
      ]
