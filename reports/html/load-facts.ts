import type { Fact } from '../../fixtures/ground/record-load.ts'
import { factValue, milliseconds } from '../render/plain.ts'
import { html, type Markup } from './markup.ts'

/** The maximum length of a value that is shown as a figure. Longer ones are shown as text. */
const LONGEST_FIGURE = 18

/** Returns the facts of a scenario: those about time limits and those that repeat for several subjects as tables. */
export function factsOf(facts: readonly Fact[]): Markup {
  const limits = limitsIn(facts)
  const others =
    limits.length === 0 ? facts : facts.filter(({ name }) => !limits.some(({ own }) => own.has(name)))
  const { columns, rows, single } = pivoted(others)
  return html`${single.length === 0 ? undefined : html`<dl class="tiles">\n${single.map(tile)}</dl>\n`}${columns.length === 0 ? undefined : pivotTable(columns, rows)}${limits.length === 0 ? undefined : limitsTable(limits)}`
}

function tile(fact: Fact): Markup {
  const value = factValue(fact)
  const size = value.length > LONGEST_FIGURE ? html` class="words"` : undefined
  return html`<div><dt>${fact.name}</dt><dd${size}>${value}</dd></div>\n`
}

/** The time that a call may take, and what it took. */
interface Limit {
  call: string
  seconds: number
  /** The share of answers within it, in percent. */
  within: number
  /** The slowest answer in milliseconds; absent if there was none. */
  slowest?: number
  /** The number of requests without an answer. */
  unanswered: number
  /** The names of the facts that it is made of. */
  own: Set<string>
}

/** Returns the time limits among facts, as the scenario `timeouts` names them. */
function limitsIn(facts: readonly Fact[]): Limit[] {
  const values = new Map(facts.map(({ name, value }) => [name, Number(value)]))
  return facts.flatMap(({ name, value }) => {
    const [, call, limit] = /^(.+): within ([\d.]+) seconds$/.exec(name) ?? []
    if (call === undefined) return []
    const slowest = values.get(`${call}: slowest`)
    return [
      {
        call,
        seconds: Number(limit),
        within: Number(value),
        ...(slowest === undefined ? {} : { slowest }),
        unanswered: values.get(`${call}: no answer`) ?? 0,
        own: new Set([name, `${call}: slowest`, `${call}: no answer`]),
      },
    ]
  })
}

function limitsTable(limits: readonly Limit[]): Markup {
  return html`<table class="limits">
<thead><tr><th scope="col">Call</th><th scope="col">Share of the documented time that the slowest answer took</th><th scope="col" class="figure">Slowest</th><th scope="col" class="figure">May take</th><th scope="col" class="figure">In time</th></tr></thead>
<tbody>
${limits.map(({ call, seconds: limit, within, slowest, unanswered }) => {
  const share = slowest === undefined ? undefined : slowest / (10 * limit)
  const late = within < 100
  return html`<tr${late ? html` class="late"` : undefined}><th scope="row">${call}</th><td><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="100" height="8"/><rect class="used" width="${Math.max(0.6, Math.min(100, share ?? 100)).toFixed(1)}" height="8"/></svg></td><td class="figure" data-q="slowest">${slowest === undefined ? '–' : milliseconds(slowest)}${share === undefined ? undefined : html` <small>${share < 0.1 ? 'below 0.1' : share.toFixed(share < 10 ? 1 : 0)} %</small>`}</td><td class="figure" data-q="may take">${limit} s</td><td class="figure" data-q="in time">${within} %${unanswered === 0 ? undefined : html` <small>${unanswered} without an answer</small>`}</td></tr>
`
})}</tbody>
</table>
`
}

/** Facts that repeat for several subjects. */
interface Pivoted {
  columns: string[]
  rows: { name: string; values: (Fact | undefined)[] }[]
  single: Fact[]
}

/**
 * Arranges facts named `subject: what` with the same things of two subjects or more. Facts without a subject are those of v2
 * if the only subject is v1.
 */
function pivoted(facts: readonly Fact[]): Pivoted {
  const bySubject = Map.groupBy(facts, ({ name }) => /^(.+?): /.exec(name)?.[1] ?? '')
  const whats = new Map(
    [...bySubject].map(([subject, own]) => [subject, own.map(({ name }) => whatOf(name))]),
  )
  const likeOthers = [...whats].filter(
    ([subject, names]) =>
      names.length > 1 &&
      [...whats].some(([other, theirs]) => other !== subject && names.some(name => theirs.includes(name))),
  )
  if (likeOthers.length < 2) return { columns: [], rows: [], single: [...facts] }
  const subjects = likeOthers.map(([subject]) => subject)
  const things = [...new Set(likeOthers.flatMap(([, names]) => names))]
  const fact = (subject: string, what: string) =>
    bySubject.get(subject)!.find(({ name }) => whatOf(name) === what)
  const title = (subject: string) => (subject === '' ? (subjects.includes('v1') ? 'v2' : 'all') : subject)
  const single = facts.filter(({ name }) => !subjects.includes(/^(.+?): /.exec(name)?.[1] ?? ''))
  return things.length > subjects.length
    ? {
        columns: subjects.map(title),
        rows: things.map(what => ({ name: what, values: subjects.map(subject => fact(subject, what)) })),
        single,
      }
    : {
        columns: things,
        rows: subjects.map(subject => ({
          name: title(subject),
          values: things.map(what => fact(subject, what)),
        })),
        single,
      }
}

const whatOf = (name: string): string => name.replace(/^.+?: /, '')

const pivotTable = (columns: readonly string[], rows: Pivoted['rows']): Markup => html`<table class="pivot">
<thead><tr><td></td>${columns.map(name => html`<th scope="col" class="figure">${name}</th>`)}</tr></thead>
<tbody>
${rows.map(({ name, values }) => html`<tr><th scope="row">${name}</th>${values.map((one, at) => html`<td class="figure" data-q="${columns[at]}">${one === undefined ? '–' : factValue(one)}</td>`)}</tr>\n`)}</tbody>
</table>
`
