import type { ClauseRecord, RunRecord } from '../../fixtures/ground/record.ts'
import { count } from '../render/plain.ts'
import { blocked, heartOf, type ReasonGroup } from '../render/reasons.ts'
import { clauseAnchor } from './clauses.ts'
import { html, type Markup } from './markup.ts'

/** Something that clauses need and a run did not have. */
interface Need {
  /** What it is, in words. */
  what: string
  /** How to give it; absent if nothing but another run does. */
  give?: string
  /** The clauses for which it is all that is missing. */
  alone: string[]
  /** Those for which something else is missing, too. */
  together: string[]
}

/** What provides a need that a check names, by its text after "needs ". */
const PROVIDED: readonly [text: RegExp, give: string][] = [
  [/^control that makes tenants/, 'control.mint'],
  [/^control that moves a clock/, 'control.advanceClock'],
  [/^control that sets what a supplier answers/, 'control.setOutcome'],
  [/^control that releases a held request/, 'control.release'],
  [/^control that changes prices/, 'control.changePrice'],
  [/^control that changes stock/, 'control.setStock'],
  [/^control that makes offers expire/, 'control.expireOffers'],
  [/^control that publishes vouchers/, 'control.publishVouchers'],
  [/^control that (?:reports its own counters|counts)/, 'control.counters'],
  [/^control that delays answers/, 'control.delay'],
  [/^control that reports memory/, 'control.vitals'],
  [/^a credential of the role otherCompany/, 'credentials.otherCompany, TSS_TOKEN_OTHER'],
  [/^a credential of the role live/, 'credentials.live, TSS_TOKEN_LIVE, with allowLiveBookings for bookings'],
  [/^a credential of the role expendable/, 'credentials.expendable, TSS_TOKEN_EXPENDABLE'],
  [
    /^a credential of the role (?:resort|restricted|noVouchers|sellsVouchers)/,
    'a credential of that role in credentials',
  ],
  [/^a deployment on which .* (?:free|stay for good)/, 'disposable: true, for a deployment that nobody uses'],
  [
    /^a credential (?:that is still )?below its/,
    'traffic.perMinute below the limit, and nobody else with the credential',
  ],
  [/^\d+ seconds to pass/, 'control.advanceClock, or a longer traffic.patience'],
]

/** Splits a reason that names several needs; the sentences of some hold semicolons of their own. */
const BETWEEN = /; (?=needs |No |no )/

/** Returns what clauses needed that were not exercised, the most wanted first. */
export function needsOf(rows: readonly ClauseRecord[]): Need[] {
  const needs = new Map<string, Need>()
  for (const row of rows) {
    const parts = [...new Set(heartOf(row).split(BETWEEN))]
    for (const part of parts) {
      const { what, give } = told(part)
      const need = needs.get(what) ?? {
        what,
        ...(give === undefined ? {} : { give }),
        alone: [],
        together: [],
      }
      ;(parts.length === 1 ? need.alone : need.together).push(row.id)
      needs.set(what, need)
    }
  }
  return [...needs.values()].sort((a, b) => sizeOf(b) - sizeOf(a) || b.alone.length - a.alone.length)
}

const sizeOf = ({ alone, together }: Need): number => alone.length + together.length

/** Returns a need and how to give it: by the table above, or as its own sentence says. */
function told(part: string): { what: string; give?: string } {
  const [, text] = /^needs (.*)$/s.exec(part) ?? []
  const [, give] = PROVIDED.find(([pattern]) => text !== undefined && pattern.test(text)) ?? []
  const [, sentence, advice] = /^(.*?); (say .*)$/s.exec(part) ?? []
  if (sentence !== undefined && advice !== undefined) return { what: sentence, give: advice }
  const what = text ?? part
  return give === undefined ? { what } : { what, give }
}

/** Returns what was blocked, by reason, and what was not exercised, by need. */
export const reasonsSection = (record: RunRecord): Markup[] => [
  blockedTable(blocked(record), record),
  needsTable(record),
]

const linker = ({ clauses }: RunRecord): ((id: string) => Markup) => {
  const known = new Set(clauses.map(({ id }) => id))
  return id =>
    known.has(id)
      ? html`<a class="id" href="#${clauseAnchor(id)}">${id}</a>`
      : html`<span class="id">${id}</span>`
}

const which = (ids: readonly string[], link: (id: string) => Markup, title = 'Which'): Markup | undefined =>
  ids.length === 0
    ? undefined
    : html`<details class="which"><summary>${title}</summary><ul>${ids.map(id => html`<li>${link(id)}</li>`)}</ul></details>`

function blockedTable(groups: readonly ReasonGroup[], record: RunRecord): Markup {
  if (groups.length === 0) return html``
  const link = linker(record)
  return html`<section aria-labelledby="blocked">
<h2 id="blocked">Blocked</h2>
<p class="note">The definition claims what these clauses need, but the deployment did not deliver it.</p>
<table>
<thead><tr><th scope="col" class="number">Clauses</th><th scope="col">Reason</th></tr></thead>
<tbody>
${groups.map(({ reason, ids }) => html`<tr><td class="number">${ids.length}</td><td>${reason}\n${which(ids, link)}</td></tr>\n`)}</tbody>
</table>
</section>
`
}

function needsTable(record: RunRecord): Markup {
  const rows = record.clauses.filter(({ verdict }) => verdict === 'not exercised')
  if (rows.length === 0) return html``
  const needs = needsOf(rows)
  const link = linker(record)
  const most = Math.max(...needs.map(sizeOf))
  const table = (shown: readonly Need[]): Markup => html`<table class="needs">
<thead><tr><th scope="col">It takes</th><th scope="col">Clauses that it unlocks</th><th scope="col">How to give it</th></tr></thead>
<tbody>
${shown.map(need => needRow(need, most, link))}</tbody>
</table>
`
  const rest = needs.slice(MOST_NEEDS)
  return html`<section aria-labelledby="not-exercised">
<h2 id="not-exercised">Not exercised</h2>
<p class="note">What clauses needed that this run did not have, each need once. They never count as passed; they lower the second number. Dark: the clauses for which nothing else is missing; light: those that need something else, too.</p>
${table(needs.slice(0, MOST_NEEDS))}${rest.length === 0 ? undefined : html`<details class="others"><summary>${count(rest.length, 'more need')} of few clauses</summary>${table(rest)}</details>`}
</section>
`
}

/** The number of needs that are shown at once: further ones are of few clauses. */
const MOST_NEEDS = 12

function needRow(need: Need, most: number, link: (id: string) => Markup): Markup {
  const { what, give, alone, together } = need
  const part = (size: number): number => Math.round((1000 * size) / most) / 10
  const numbers =
    together.length === 0
      ? String(alone.length)
      : alone.length === 0
        ? `${together.length} with others`
        : `${alone.length}, and ${together.length} with others`
  return html`<tr><td>${capital(what)}${which([...alone, ...together], link)}</td><td><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="alone" x="0" y="0" width="${part(alone.length)}" height="8"/><rect class="together" x="${part(alone.length)}" y="2" width="${part(together.length)}" height="4"/></svg><small>${numbers}</small></td><td>${give === undefined ? '–' : capital(give)}</td></tr>
`
}

/** Returns a text that begins with a capital, unless it begins with a name of the definition. */
const capital = (text: string): string =>
  /^[a-z]+[.:A-Z]/.test(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
