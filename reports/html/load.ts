import type { CheckRecord, RunRecord } from '../../fixtures/ground/record.ts'
import type { CallFigures, Fact, Quantiles, ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import {
  checksOf,
  conclusionOf,
  extent,
  isTelling,
  latencyText,
  limitsOf,
  outcomesOf,
  rateText,
  slowestCall,
  titleOf,
  verdictOf,
} from '../render/load.ts'
import { factValue, milliseconds, number, seconds } from '../render/plain.ts'
import { html, type Markup, tone, wordIn } from './markup.ts'
import { plotFigure } from './plot.ts'

/** Returns the anchor of a scenario within the page. */
const scenarioAnchor = (at: number): string => `load-${at + 1}`

/** Returns the results of a load run's scenarios, with figures and plots; `undefined` for other runs. */
export function loadSection(record: RunRecord): Markup | undefined {
  const { load } = record
  if (load === undefined) return undefined
  return html`<section aria-labelledby="load">
<h2 id="load">Under load</h2>
<p class="note">What each scenario asked, its result, and what it measured. Percentiles are exact, over all answers of a call; of too few for one, the slowest stands alone. Times count from when a request was sent; those from when it was due include its wait for a busy load generator.</p>
${load.scenarios.length > 1 ? overview(record, load.scenarios) : undefined}
${load.scenarios.map((scenario, at) => scenarioArticle(record, scenario, at))}
</section>
`
}

function overview(record: RunRecord, scenarios: readonly ScenarioFigures[]): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Scenarios"><table class="scenarios">
<thead><tr><th scope="col">Scenario</th><th scope="col">Verdict</th><th scope="col" class="question">Question</th><th scope="col" class="figure">Requests</th><th scope="col" class="figure">Took</th><th scope="col" class="figure">Slowest call</th></tr></thead>
<tbody>
${scenarios.map((scenario, at) => {
  const slowest = slowestCall(scenario)
  return html`<tr><td><a class="id" href="#${scenarioAnchor(at)}">${scenario.name}</a></td><td class="state">${concluded(record, scenario)}</td><td class="question">${scenario.question}</td><td class="figure" data-q="requests">${number(scenario.requests.sent)}</td><td class="figure" data-q="took">${seconds(scenario.seconds)}</td><td class="figure" data-q="slowest call">${slowest === undefined ? '–' : latencyText(slowest)}</td></tr>
`
})}</tbody>
</table></div>
`
}

function concluded(record: RunRecord, scenario: ScenarioFigures): Markup {
  const { says, tone: colour } = conclusionOf(record, scenario)
  return wordIn(colour, says)
}

function scenarioArticle(record: RunRecord, scenario: ScenarioFigures, at: number): Markup {
  const { name, question, profile, facts, plots } = scenario
  const checks = checksOf(record, scenario)
  const anchor = scenarioAnchor(at)
  return html`<article class="scenario tone-${conclusionOf(record, scenario).tone}" id="${anchor}" aria-labelledby="${anchor}-name">
<header>
<p class="meta"><span class="id" id="${anchor}-name">${name}</span>${concluded(record, scenario)}<span>Profile ${profile}</span></p>
<h3>${question}</h3>
</header>
<div class="inside">
${answers(record, checks)}${facts.length === 0 ? undefined : html`<dl class="tiles">\n${facts.map(tile)}</dl>\n`}${notes(scenario)}${
  plots.length === 0
    ? undefined
    : html`<div class="plots">
${plots.map((plot, number) => plotFigure(plot, `${anchor}-plot-${number + 1}`))}</div>\n`
}${callsTable(scenario)}<p class="origin">${circumstances(scenario)}</p>
</div>
</article>
`
}

/** The maximum length of a value that is shown as a figure. Longer ones are shown as text. */
const LONGEST_FIGURE = 18

function tile(fact: Fact): Markup {
  const value = factValue(fact)
  const size = value.length > LONGEST_FIGURE ? html` class="words"` : undefined
  return html`<div><dt>${fact.name}</dt><dd${size}>${value}</dd></div>\n`
}

/** The number of answers above which those that all conform are folded. */
const MANY = 3

function answers(record: RunRecord, checks: readonly CheckRecord[]): Markup | undefined {
  if (checks.length === 0) return undefined
  const list = html`<ul class="answers">${checks.map(check => answer(record, check))}</ul>\n`
  const isFine = checks.every(check => verdictOf(record, [check]) === 'conforms')
  return isFine && checks.length > MANY
    ? html`<details class="others"><summary>All ${checks.length} checks conform</summary>${list}</details>\n`
    : list
}

/** Returns the answer to a question of a scenario. Its clauses are listed with those of all checks. */
function answer(record: RunRecord, check: CheckRecord): Markup {
  const verdict = verdictOf(record, [check])
  const why = check.reason === undefined ? '' : `: ${check.reason}`
  return html`<li class="${tone(verdict)}"><span class="mark" aria-hidden="true"></span><span>${titleOf(check)} <small>${verdict}${why}</small></span></li>`
}

/** Returns notes on the limits of the figures. */
function notes(scenario: ScenarioFigures): Markup | undefined {
  const told = limitsOf(scenario)
  if (told.length === 0) return undefined
  return html`<div class="notes">${told.map(text => html`<p class="callout tone-blocked">${text}</p>`)}</div>\n`
}

function callsTable({ calls, refused }: ScenarioFigures): Markup | undefined {
  if (calls.length === 0) return undefined
  const groups: [title: string, of: (call: CallFigures) => Quantiles | null][] = [
    ['from when it was sent', call => call.latency],
    ['from when it was due', call => call.fromSchedule],
  ]
  const told = groups.filter(([, of]) => refused === undefined && calls.some(call => of(call) !== null))
  const titles = told.map(
    ([title]) => html`<th scope="colgroup" colspan="${QUANTILES.length}" class="group">${title}</th>`,
  )
  const heads = told.map(() =>
    QUANTILES.map((name, at) => html`<th scope="col" class="figure${first(at)}">${name}</th>`),
  )
  return html`<details class="others"><summary>${calls.length === 1 ? 'The call' : `The ${calls.length} calls`}, with answers and latency</summary>
<table class="calls">
<thead>${told.length > 1 ? html`<tr><td colspan="3"></td>${titles}</tr>\n` : undefined}<tr><th scope="col">Call</th><th scope="col" class="figure">Sent</th><th scope="col">Answers</th>${heads}</tr></thead>
<tbody>
${calls.map(
  call =>
    html`<tr><th scope="row">${call.op}</th><td class="figure">${number(call.sent)}</td><td class="outcomes">${outcomes(call)}</td>${told.map(([, of]) => figures(call, of(call)))}</tr>\n`,
)}</tbody>
</table></details>
`
}

const QUANTILES = ['p50', 'p95', 'p99', 'max'] as const

const first = (at: number): string => (at === 0 ? ' first' : '')

const figures = (call: CallFigures, quantiles: Quantiles | null): Markup[] =>
  QUANTILES.map(
    (name, at) =>
      html`<td class="figure${first(at)}">${quantiles === null || !isTelling(call, name) ? '–' : milliseconds(quantiles[name])}</td>`,
  )

function outcomes(call: CallFigures): Markup {
  const found = outcomesOf(call)
  if (found.length === 0) return html`–`
  const [only] = found
  if (found.length === 1 && only![1] === call.sent) return html`all <b>${only![0]}</b>`
  return html`${found.map(([outcome, times]) => html`<span><b>${outcome}</b>: ${number(times)}</span> `)}`
}

function circumstances(scenario: ScenarioFigures): string {
  const { startedAt, settings, requests } = scenario
  const sized = Object.entries(settings).map(([name, value]) => `${name} ${number(value)}`)
  const rate = rateText(scenario)
  return [
    `${extent(scenario)} from ${startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')} on${requests.counted === requests.sent ? ', as many as the deployment counted' : ''}`,
    `${number(requests.judged)} answers judged by the rules of every exchange`,
    ...(rate === undefined ? [] : [rate]),
    ...(sized.length === 0 ? [] : [`set: ${sized.join(', ')}`]),
  ].join('; ')
}
