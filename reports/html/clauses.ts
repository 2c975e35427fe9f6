import { KIND_NAMES, KINDS } from '../../fixtures/ground/products.ts'
import type { ClauseRecord, RunRecord, Verdict } from '../../fixtures/ground/record.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { findingsAnchor } from './findings.ts'
import { html, type Markup } from './head.ts'

/** Returns the anchor of a clause within the page. */
export const clauseAnchor = (id: string): string => `clause-${id}`
/** Returns the anchor of an area within the page. */
export const areaAnchor = (area: string): string => `area-${area}`

/** Returns a table of every clause by area. */
export function clausesSection({ clauses }: RunRecord): Markup {
  const areas = byArea(clauses)
  return html`<section aria-labelledby="clauses">
<h2 id="clauses">All clauses</h2>
<p class="note">Every verifiable statement of the document, with its result in this run. ${commandLine('explain')}, with the id of a clause, says how it is checked, and what proves that a fault is found.</p>
<div class="clauses">
${areas.map(([area, rows]) => areaTable(area, rows))}
</div>
</section>
`
}

function areaTable(area: string, rows: readonly ClauseRecord[]): Markup {
  const applicable = rows.filter(({ verdict }) => verdict !== 'not applicable')
  const others = rows.filter(({ verdict }) => verdict === 'not applicable')
  // The most common reason is stated once for all.
  const byReason = [...Map.groupBy(others, ({ reason }) => reason)]
  const [said] = byReason.sort(([, one], [, other]) => other.length - one.length)[0] ?? []
  const table = (shown: readonly ClauseRecord[]): Markup => html`<table>
<thead><tr><th scope="col">Clause</th><th scope="col" class="part">Part</th><th scope="col">Verdict</th></tr></thead>
<tbody>
${shown.map(clauseRow)}</tbody>
</table>
`
  // Conforming clauses are folded, so that 1,100 rows do not hide those that need action.
  const red = applicable.filter(isRed)
  const rest = applicable.filter(row => !isRed(row))
  const kind = rows.find(saysAreasKind)?.kinds?.[0]?.kind
  return html`<details class="area" data-area="${area}"${kind === undefined ? undefined : html` data-kinds="${kind}"`}>
<summary><h3 id="${areaAnchor(area)}">${areaTitle(area)}<span class="tally">${tallyOf(rows)}</span></h3></summary>
${red.length === 0 ? undefined : table(red)}
${rest.length === 0 ? undefined : red.length === 0 ? table(rest) : html`<details class="others"><summary>The other ${rest.length}, no action needed</summary>\n${table(rest)}</details>`}
${others.length === 0 ? undefined : html`<details class="others"><summary>${others.length} not applicable${said === undefined ? undefined : html`; where no reason is given: ${said}`}</summary>\n${table(others.map(({ reason, ...row }) => (reason === undefined || reason === said ? row : { ...row, reason })))}</details>`}
</details>
`
}

/** Returns whether a clause needs action. */
const isRed = ({ verdict, findings }: ClauseRecord): boolean =>
  verdict === 'violates' || verdict === 'blocked' || verdict === 'error' || findings.length > 0

/** Returns both numbers of an area in words. */
function tallyOf(rows: readonly ClauseRecord[]): string {
  const number = (...wanted: Verdict[]): number =>
    rows.filter(({ verdict }) => wanted.includes(verdict)).length
  const applicable = rows.length - number('not applicable')
  const exercised = number('conforms', 'violates')
  return applicable === 0
    ? 'not applicable here'
    : `${number('conforms')} of ${exercised} exercised conform; ${exercised} of ${applicable} applicable exercised`
}

/** Returns whether a row adds nothing about kinds, because its area is about one v1 product. */
const saysAreasKind = ({ kinds = [], area, verdict: whole }: ClauseRecord): boolean =>
  kinds.length === 1 && area.startsWith('v1-') && kinds[0]!.verdict === whole

/** Returns the kinds of product of a clause for the filter, with their verdicts if they differ. */
function kindsData(row: ClauseRecord): Markup | undefined {
  const { kinds = [], verdict: whole } = row
  if (kinds.length === 0 || saysAreasKind(row)) return undefined
  const differing = kinds.some(({ verdict }) => verdict !== whole)
  const told = kinds.map(({ kind, verdict }) => (verdict === whole ? kind : `${kind}=${verdict}`))
  return html` data-kinds="${kinds.length === KINDS.length && !differing ? 'all' : told.join()}"`
}

/** Returns the verdict of a clause for each kind of product, in few bytes since there are many. */
function kindsList(row: ClauseRecord): Markup | undefined {
  const { kinds = [] } = row
  if (kinds.length === 0 || saysAreasKind(row)) return undefined
  // That it conforms for every kind goes without saying.
  if (kinds.length === KINDS.length && kinds.every(({ verdict }) => verdict === 'conforms')) return undefined
  const told = kinds.map(({ kind, verdict }) =>
    verdict === 'conforms' ? KIND_NAMES[kind] : `${KIND_NAMES[kind]}: ${verdict}`,
  )
  return html`<small>${told.join(', ')}</small>`
}

function clauseRow(row: ClauseRecord): Markup {
  const { id, level, side, part, says, verdict, reason, findings } = row
  const evidence =
    findings.length === 0
      ? undefined
      : html` <a href="#${findingsAnchor(id)}">${findings.length === 1 ? 'seen once' : `seen ${findings.length} times`}</a>`
  return html`<tr id="${clauseAnchor(id)}"${verdict === 'conforms' ? undefined : html` data-verdict="${verdict}"`}${level === 'must' ? undefined : html` data-level="${level}"`}${kindsData(row)}><td><b>${id}</b> ${says}</td><td>${part}${side === 'client' ? ' (client)' : ''}</td><td>${verdict}${evidence}${reason === undefined ? undefined : html`<small>${reason}</small>`}${kindsList(row)}</td></tr>
`
}
