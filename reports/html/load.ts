import type { CheckRecord, RunRecord } from '../../fixtures/ground/record.ts'
import type {
  CallFigures,
  Fact,
  Plot,
  Quantiles,
  ScenarioFigures,
} from '../../fixtures/ground/record-load.ts'
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
import { count, factValue, milliseconds, number, seconds, shorten } from '../render/plain.ts'
import { html, type Markup, tone, wordIn } from './head.ts'

/** The size of a plot in its own units, which are pixels at full size, and where its axes are. */
const WIDTH = 400
const HEIGHT = 236
const LEFT = 62
const RIGHT = WIDTH - 20
const TOP = 26
const BOTTOM = HEIGHT - 40

/** The maximum numbers of steps of an axis, and of labels below bars. */
const STEPS = 5
const MOST_LABELS = 7

const LONGEST_LABEL = 54

/** Values beyond this are left out: a record of others may hold any. */
const LARGEST = 1e300

type LinesPlot = Extract<Plot, { kind: 'lines' }>
type BarsPlot = Extract<Plot, { kind: 'bars' }>

const isNumber = (value: number | null): value is number => value !== null && Math.abs(value) <= LARGEST

const tenth = (value: number): number => Math.round(value * 10) / 10

/** Returns round values around zero and all of these, a step of 1, 2 or 5 times a power of ten apart. */
function ticksOf(values: readonly number[], whole = false): number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const least = (high - low) / STEPS
  const power = 10 ** Math.floor(Math.log10(least))
  const nice = power > 0 ? [1, 2, 5, 10].find(factor => factor * power >= least * (1 - 1e-9))! * power : 1
  const step = whole ? Math.max(1, nice) : nice
  const [first, last] = [Math.floor(low / step), Math.max(1, Math.ceil(high / step - 1e-9))]
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}

/** Returns a function that places values between the ends of an axis. */
const scale = (ticks: readonly number[], from: number, to: number): ((value: number) => number) => {
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  return value => tenth(from + ((value - low) / (high - low)) * (to - from))
}

/** A label below the horizontal axis, and its place. */
type Label = readonly [text: string, x: number]

/** Returns a complete picture: the axes with their labels, and a drawing. */
function picture(plot: Plot, id: string, essence: string, labels: readonly Label[], drawing: Markup): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Plot"><svg role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<title id="${id}-title">${plot.title}</title><desc id="${id}-desc">${essence}</desc>
${drawing}<path class="axis" d="M${LEFT} ${BOTTOM}H${RIGHT}${labels.map(([, x]) => `M${x} ${BOTTOM}v4`).join('')}"/>
<g class="labels" text-anchor="middle">${labels.map(([text, x]) => html`<text x="${x}" y="${BOTTOM + 17}">${text}</text>`)}</g>
<text class="names" x="0" y="11">${shorten(plot.y, LONGEST_LABEL)}</text>
<text class="names" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 5}" text-anchor="middle">${shorten(plot.x, LONGEST_LABEL)}</text>
</svg></div>`
}

/** Returns the lines of the vertical axis with their labels. */
function grid(ticks: readonly number[], y: (value: number) => number): Markup {
  return html`<path class="grid" d="${ticks.map(value => `M${LEFT} ${y(value)}H${RIGHT}`).join('')}"/>
<g class="labels" text-anchor="end">${ticks.map(value => html`<text x="${LEFT - 7}" y="${tenth(y(value) + 4)}">${number(value)}</text>`)}</g>
`
}

/** Draws a histogram, each bar as wide as the others. */
function drawBars(plot: BarsPlot, id: string): Markup | undefined {
  const bars = plot.bars.filter(({ from, to, count }) => [from, to, count].every(isNumber))
  const highest = bars.toSorted((one, other) => other.count - one.count)[0]
  if (highest === undefined || highest.count <= 0) return undefined
  const ticks = ticksOf([highest.count], true)
  const y = scale(ticks, BOTTOM, TOP)
  const width = (RIGHT - LEFT) / bars.length
  const path = bars.map(({ count }, at) => {
    // The smallest bar must be visible.
    const top = count > 0 ? Math.min(y(count), BOTTOM - 1) : BOTTOM
    return `M${tenth(LEFT + at * width)} ${BOTTOM}V${top}h${tenth(Math.max(0.5, width - 1))}V${BOTTOM}z`
  })
  const every = Math.ceil(bars.length / MOST_LABELS)
  const labels = bars.flatMap(({ from }, at): Label[] =>
    at % every === 0 ? [[number(from), tenth(LEFT + at * width)]] : [],
  )
  const total = bars.reduce((sum, bar) => sum + bar.count, 0)
  const essence = `${plot.y} by ${plot.x}. ${number(total)} in ${count(bars.length, 'bar')}, from ${number(bars[0]!.from)}; most (${number(highest.count)}) from ${number(highest.from)} to ${number(highest.to)}.`
  return picture(
    plot,
    id,
    essence,
    labels,
    html`${grid(ticks, y)}<path class="bars" d="${path.join('')}"/>\n`,
  )
}

const COLOURS = 6

/** Returns the CSS classes of a series: a combination of colour and dashes unlike earlier ones, if possible. */
const seriesClass = (at: number): string =>
  `c${(at % COLOURS) + 1} d${((at + Math.floor(at / COLOURS)) % COLOURS) + 1}`

/** Draws lines over axes from zero, with gaps where values are missing. */
function drawLines(plot: LinesPlot, id: string): Markup | undefined {
  const { series, marks = [] } = plot
  const points = series.flatMap(one => one.points).filter(([x, y]) => isNumber(x) && isNumber(y))
  if (points.length === 0) return undefined
  const moments = marks.filter(({ x }) => isNumber(x))
  const ys = points.map(([, y]) => y!)
  const yTicks = ticksOf(ys, ys.every(Number.isInteger))
  const xTicks = ticksOf([...points.map(([x]) => x), ...moments.map(({ x }) => x)])
  const y = scale(yTicks, BOTTOM, TOP)
  const x = scale(xTicks, LEFT, RIGHT)
  const paths = series.map(one => {
    const places = one.points.map(([px, py]) =>
      isNumber(px) && isNumber(py) ? `${x(px)} ${y(py)}` : undefined,
    )
    // A line of no length shows a value between two gaps.
    return places.map((place, at) => place && (places[at - 1] ? `L${place}` : `M${place}h0`)).join('')
  })
  return picture(
    plot,
    id,
    [`${plot.y} by ${plot.x}.`, ...series.map(inWords), ...moments.map(momentText)].join(' '),
    xTicks.map(value => [number(value), x(value)]),
    html`${grid(yTicks, y)}${moments.map(mark => html`<path class="moment" d="M${x(mark.x)} ${TOP}V${BOTTOM}"/>\n`)}${paths.map((path, at) => html`<path class="line ${seriesClass(at)}" d="${path}"/>\n`)}`,
  )
}

/** Returns the lowest, highest and last value of a line. */
function inWords({ name, points }: LinesPlot['series'][number]): string {
  const values = points.map(([, value]) => value).filter(isNumber)
  if (values.length === 0) return `${name}: no values.`
  return `${name}: lowest ${number(Math.min(...values))}, highest ${number(Math.max(...values))}, last ${number(values.at(-1)!)}.`
}

const momentText = ({ x, label }: { x: number; label: string }): string => `${label} (${number(x)}).`

/** Returns a plot with its title and legend. `id` is unique within the page. */
export function plotFigure(plot: Plot, id: string): Markup {
  const drawing = plot.kind === 'lines' ? drawLines(plot, id) : drawBars(plot, id)
  return html`<figure class="plot"><figcaption>${plot.title}${plot.kind === 'lines' ? legend(plot) : undefined}</figcaption>
${drawing ?? html`<p class="nothing">There is nothing to draw: no value was measured.</p>`}</figure>
`
}

/** Returns the names of the lines, unless a single line has the name of the axis, and the moments that are marked. */
function legend({ series, y, marks = [] }: LinesPlot): Markup | undefined {
  const isNamed = series.length > 1 || (series.length === 1 && series[0]!.name !== y)
  if (!isNamed && marks.length === 0) return undefined
  const names = isNamed ? series.map(({ name }, at) => key(`line ${seriesClass(at)}`, name)) : []
  const moments = marks.map(({ x, label }) => key('moment', `${label} (${number(x)})`))
  return html`<ul class="keys">${[...names, ...moments]}</ul>`
}

const key = (line: string, name: string): Markup =>
  html`<li><svg viewBox="0 0 24 8" aria-hidden="true"><path class="${line}" d="M0 4h24"/></svg>${name}</li>`

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
