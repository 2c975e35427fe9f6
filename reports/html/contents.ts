import type { RunRecord } from '../../fixtures/record.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { factsOf } from '../judge/operations.ts'
import { broken } from '../render/digest.ts'
import { blocked } from '../render/reasons.ts'
import { areaAnchor } from './clauses.ts'
import { html, type Markup } from './markup.ts'

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
