import { hash } from 'node:crypto'
import { placeOf } from '../../fixtures/clauses/places.ts'
import type { Verdict } from '../../fixtures/ground/record.ts'
import { type Judged, sinceOf } from '../history/history.ts'
import type { ClauseFacts } from '../history/summary.ts'
import { html, type Markup } from '../html/markup.ts'
import { areaTitle } from '../judge/areas.ts'
import { count, shorten } from '../render/plain.ts'
import { layout, markOf, type Site, sinceText } from './parts.ts'

/** The maximum numbers of checks and deviants named for a clause. */
const MOST_CHECKS = 2
const MOST_DEVIANTS = 6

/** A clause in the list of its area. */
interface ListedClause {
  facts: ClauseFacts
  /** The deployments with a run that selected it. */
  judged: readonly Judged[]
  /** The ids of the checks that cited it in the newest run that exercised it. */
  checks: readonly string[]
  deviants: readonly string[]
}

/** Returns the page of an area: each clause with its sentence, since when it is kept, its checks and its deviants. */
export function areaPage(area: string, clauses: readonly ListedClause[], site: Site): string {
  return layout({
    title: areaTitle(area),
    site,
    trail: [],
    lead: html`<p class="address">${count(clauses.length, 'clause')} of the document</p>`,
    body: html`<p class="note">As each was last seen; unfold one for its place in the document, its checks, and the faulty deployments that prove them.</p>
<div class="clause-list">${clauses.map(one => row(one, site))}</div>`,
  })
}

function row({ facts, judged, checks, deviants }: ListedClause, site: Site): Markup {
  const { id, level, says } = facts
  const known = judged.map(of => ({ of, since: sinceOf(of, id) }))
  const { mark, name, letter } = markOf(worstOf(known.map(({ since }) => since?.verdict)))
  return html`<details id="${anchorOf(id)}"><summary><span class="marks ${letter}" role="img" aria-label="${name}">${mark}</span> <span class="id">${id}</span> ${says}</summary>
<ul>${known.map(({ of, since }) => html`<li>${judged.length > 1 ? `${of.name}: ` : ''}${since === undefined ? 'no run exercised it' : sinceText(site, since, of)}</li>\n`)}
<li>${level === 'must' ? 'Required' : 'Recommended'}. Document: ${placeOf(facts)}.</li>
${checks.length === 0 ? undefined : html`<li>Checked by ${named(checks)}.</li>\n`}${deviants.length === 0 ? undefined : html`<li>Proven by ${listed(deviants)}.</li>\n`}</ul>${site.actions?.besideClause(id)}</details>
`
}

/** Returns the verdict that counts of those of several deployments. */
const worstOf = (verdicts: readonly (Verdict | undefined)[]): Verdict =>
  (['violates', 'conforms'] as const).find(verdict => verdicts.includes(verdict)) ?? 'not exercised'

/** Returns the anchor of a clause within the page of its area. */
export const anchorOf = (clause: string): string => `clause-${clause}`

/** Returns a part of a path for an area, which may be any text in the record of another version. */
export const areaPath = (area: string): string =>
  /^[a-z0-9-]{1,40}$/.test(area) ? area : hash('sha256', area).slice(0, 16)

function named(checks: readonly string[]): string {
  const titles = checks.slice(0, MOST_CHECKS).map(id => `“${shorten(id.split(' > ').at(-1)!, 160)}”`)
  const rest = checks.length - MOST_CHECKS
  return `${titles.join(', ')}${rest > 0 ? ` and ${count(rest, 'more check')}` : ''}`
}

function listed(deviants: readonly string[]): string {
  const rest = deviants.length - MOST_DEVIANTS
  return `${deviants.slice(0, MOST_DEVIANTS).join(', ')}${rest > 0 ? ` and ${count(rest, 'more deviant')}` : ''}`
}
