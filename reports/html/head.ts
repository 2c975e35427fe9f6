import { isEndedFirst } from '../../fixtures/client/pace/index.ts'
import { KIND_NAMES, KINDS } from '../../fixtures/ground/products.ts'
import { type RunRecord, type Verdict, verdictSchema } from '../../fixtures/ground/record.ts'
import { gateLines } from '../gate/gate.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { missingLines, outcomeOf, type Tone, toneOf } from '../judge/outcome.ts'
import {
  broken,
  chosenLine,
  debtsLine,
  deploymentLine,
  duration,
  FEW,
  headline,
  leftoverLines,
  profileLine,
  undecidedLine,
} from '../render/digest.ts'
import { blocked, count, visible } from '../render/plain.ts'

/** A piece of HTML that is safe to insert. Only `html` and `verbatim` make it. */
export interface Markup {
  readonly markup: string
}

type Value = Markup | string | number | undefined | readonly Value[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => visible(text).replaceAll(/[&<>"']/g, mark => ENTITIES[mark]!)

function insert(value: Value): string {
  if (value === undefined) return ''
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(insert).join('')
}

/** Makes HTML from a template. Every value is escaped for text and quoted attributes, unless it is markup. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: String.raw({ raw: strings }, ...values.map(insert)) }
}

/** Returns the kit's own script or style unchanged. */
export const verbatim = (text: string): Markup => ({ markup: text })

/** Returns the class for a verdict's colour. The word is always shown too. */
export const tone = (verdict: Parameters<typeof toneOf>[0]): string => `tone-${toneOf(verdict)}`

/** Returns a word in the colour of a tone. */
export const wordIn = (shown: Tone, said: string): Markup =>
  html`<span class="word tone-${shown}"><span class="mark" aria-hidden="true"></span>${said}</span>`

/** Returns the verdict with its reason and numbers, when and how the run was made, and the share of each verdict. */
export const verdictOf = (record: RunRecord): Markup => html`${verdictPanel(record)}
${facts(record)}
${bar(record)}`

function verdictPanel(record: RunRecord): Markup {
  const { applicable, exercised, conforming, open } = record.coverage
  const number = (part: number, whole: number): Markup =>
    html`${part.toLocaleString('en')} <small>of ${whole.toLocaleString('en')}</small>`
  const missing = open === 0 ? '' : `; ${count(open, 'check is', 'checks are')} still to be written`
  const measures = [
    deploymentLine(record.deployment),
    profileLine(record),
    chosenLine(record),
    debtsLine(record),
    undecidedLine(record),
  ].map(line => (line === undefined ? undefined : html`<p class="measure">${line}.</p>`))
  const outcome = outcomeOf(record)
  return html`<section class="verdict tone-${outcome.tone}" aria-label="Verdict">
<div><p class="word">${outcome.word}</p><p class="sentence">${headline(record)}</p>${measures}</div>
<dl class="numbers">
<div><dt>exercised clauses conform</dt><dd>${number(conforming, exercised)}</dd></div>
<div><dt>applicable clauses were exercised${record.load === undefined ? missing : `; ${FEW}`}</dt><dd>${number(exercised, applicable)}</dd></div>
</dl>
</section>`
}

function facts(record: RunRecord): Markup {
  const { requests, profile, seed, only, load, kit, run } = record
  const rows: [name: string, value: string | undefined][] = [
    ['Date', record.startedAt.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, ' UTC')],
    ['Took', duration(record)],
    ['Profile', profile?.name],
    ['Seed', seed === undefined ? undefined : String(seed)],
    ['Kit', `${kit.version}, Node ${kit.node.replace(/^v/, '')}`],
    ['k6', load?.k6.version],
    ['Requests', `${requests.v1.toLocaleString('en')} on v1, ${requests.v2.toLocaleString('en')} on v2`],
    ['Run', run],
    ['Only', only],
  ]
  return html`<dl class="facts">
${rows.map(([name, value]) => (value === undefined ? undefined : html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`))}</dl>`
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
${present.map(([name, colour, size]) => html`<li class="${colour}"><span class="mark" aria-hidden="true"></span><b>${size.toLocaleString('en')}</b> ${name}</li>\n`)}</ul>`
}

/** Returns the head that stays in sight: the verdict, links to the sections of the page, and the filters. */
export function contents(record: RunRecord): Markup {
  const { clauses, load, operations = [], states = [] } = record
  const stopped = blocked(record).reduce((sum, { ids }) => sum + ids.length, 0)
  const unseen = clauses.filter(({ verdict }) => verdict === 'not exercised').length
  const sections: [anchor: string, title: string, size?: number][] = [
    ['findings', 'Findings', broken(record).length],
    ...present('load', 'Load', load?.scenarios ?? []),
    ['blocked', 'Blocked', stopped],
    ['not-exercised', 'Not exercised', unseen],
    ...present('states', 'States', states),
    ...present('operations', 'Answers', operations),
    ['clauses', 'Clauses'],
  ]
  const { word, tone: colour } = outcomeOf(record)
  return html`<div class="head">
<nav class="contents" aria-label="Contents"><a class="word tone-${colour}" href="#main"><span class="mark" aria-hidden="true"></span>${word}</a><ul>
${sections.flatMap(([anchor, title, size]) => (size === 0 ? [] : [html`<li><a href="#${anchor}">${title}</a>${size === undefined ? undefined : html` <small>${size.toLocaleString('en')}</small>`}</li>\n`]))}</ul></nav>
${filters(record)}
</div>
`
}

/** Returns a link to a section if it has anything; its size says nothing about the run. */
const present = (
  anchor: string,
  title: string,
  rows: readonly unknown[],
): [anchor: string, title: string][] => (rows.length === 0 ? [] : [[anchor, title]])

/** Returns the form that filters findings and clauses, which the script shows. */
function filters({ clauses }: RunRecord): Markup {
  const select = (name: string, any: string, values: readonly (readonly [value: string, title: string])[]) =>
    html`<select name="${name}" aria-label="${name.charAt(0).toUpperCase()}${name.slice(1)}"><option value="">${any}</option>${values.map(([value, title]) => html`<option value="${value}">${title}</option>`)}</select>\n`
  const plain = (value: string) => [value, value] as const
  return html`<form class="filters" hidden role="search" aria-label="Findings and clauses">
<input type="search" name="words" placeholder="Filter by id or words" aria-label="Id, words, part, reason" autocomplete="off">
${select('verdict', 'any verdict', verdictSchema.options.map(plain))}${select(
  'area',
  'any area',
  byArea(clauses).map(([area]) => [area, areaTitle(area)] as const),
)}${select(
  'kind',
  'any product',
  KINDS.map(kind => [kind, KIND_NAMES[kind]] as const),
)}${select('level', 'any level', ['must', 'should'].map(plain))}<a class="count" href="#clauses"><output aria-live="polite"></output></a>
</form>`
}

/** Returns how much a run that ended early left out. */
function leftOut({ checks, clauses }: RunRecord): string {
  const cut = checks.filter(({ reason }) => isEndedFirst(reason)).length
  if (cut === 0) return 'All of its checks had ended by then.'
  const unseen = clauses.filter(row => row.verdict === 'not exercised' && isEndedFirst(row.reason)).length
  return `${cut.toLocaleString('en')} of ${count(checks.length, 'check')} were cut off or never begun; ${count(unseen, 'clause was', 'clauses were')} not exercised because of that.`
}

/** Returns what a reader must know first: what may cost money, and what keeps the run from proving anything. */
export function callouts(record: RunRecord): Markup[] {
  const { halted, errors, leftovers } = record
  const faults = errors.slice(0, MOST_FAULTS)
  if (errors.length > MOST_FAULTS) faults.push(`and ${errors.length - MOST_FAULTS} more`)
  const dear = leftovers.filter(({ refused }) => refused !== true)
  return [
    ...callout('May still be booked', 'violates', leftoverLines({ leftovers: dear })),
    ...(halted === undefined
      ? []
      : [
          html`<section class="callout tone-blocked"><h2>The run was not completed</h2><p>${halted}</p><p>${leftOut(record)}</p></section>\n`,
        ]),
    ...callout('The gate', outcomeOf(record).passes ? 'conforms' : 'violates', gateLines(record)),
    ...callout('The run is incomplete', 'blocked', missingLines(record)),
    ...callout('Faults of the kit', 'error', faults),
  ]
}

/** The maximum number of faults of the kit on a page. */
const MOST_FAULTS = 50

/** The length above which the rest of a callout is folded. */
const LONG = 400

/** Returns lines with a title, or nothing without lines. */
function callout(title: string, colour: Tone, lines: readonly string[]): Markup[] {
  if (lines.length === 0) return []
  const list = html`<ul>${lines.map(line => html`<li>${line}</li>`)}</ul>`
  const isLong = lines.join().length > LONG
  return [
    isLong
      ? html`<section class="callout tone-${colour}"><h2>${title}</h2>
<p>${firstSentence(lines[0]!)}</p><details><summary>${lines.length === 1 ? 'In full' : `All ${lines.length}, in full`}</summary>${list}</details></section>\n`
      : html`<section class="callout tone-${colour}"><h2>${title}</h2>
${list}</section>\n`,
  ]
}

/** Returns the beginning of a long line, up to its first colon or full stop. */
const firstSentence = (line: string): string =>
  /^.{1,240}?[.:](?=\s)|^.{1,240}/s.exec(line)![0].replace(/:$/, '.')
