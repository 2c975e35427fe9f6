import type { RunRecord } from '../../fixtures/record.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { factsOf } from '../judge/operations.ts'
import { blocked, broken } from '../render/digest.ts'
import { areaAnchor } from './clauses.ts'
import { html, type Markup } from './markup.ts'

/** Links to the sections of the page, with how much each holds. */
export function contents(record: RunRecord): Markup {
  const { clauses, load, checks, operations = [], states = [] } = record
  const told = factsOf(record).length
  const red = broken(record).length
  const stopped = blocked(record).reduce((sum, { ids }) => sum + ids.length, 0)
  const unseen = clauses.filter(({ verdict }) => verdict === 'not exercised').length
  const sections: [anchor: string, title: string, size: number | undefined][] = [
    ...(red === 0 ? [] : [['findings', 'Findings', red] satisfies [string, string, number]]),
    ...(load === undefined ? [] : [['load', 'Under load', undefined] satisfies [string, string, undefined]]),
    ['overview', 'Overview', undefined],
    ...(stopped === 0 ? [] : [['blocked', 'Blocked', stopped] satisfies [string, string, number]]),
    ...(unseen === 0 ? [] : [['not-exercised', 'Not exercised', unseen] satisfies [string, string, number]]),
    ...(states.length === 0 ? [] : [['states', 'States', states.length] satisfies [string, string, number]]),
    ...(operations.length === 0
      ? []
      : [['operations', 'Answers', operations.length] satisfies [string, string, number]]),
    ...(told === 0 ? [] : [['facts', 'Facts', told] satisfies [string, string, number]]),
    ['clauses', 'All clauses', clauses.length],
  ]
  const link = (anchor: string, title: string, size?: number): Markup =>
    html`<li><a href="#${anchor}">${title}</a>${size === undefined ? undefined : html` <small>${size.toLocaleString('en')}</small>`}`
  return html`<nav class="contents" aria-label="Contents">
<ul>
${sections.map(([anchor, title, size]) => html`${link(anchor, title, size)}${anchor === 'clauses' ? html`<ul>${byArea(clauses).map(([area]) => html`${link(areaAnchor(area), areaTitle(area))}</li>`)}</ul>` : undefined}</li>\n`)}
${checks.length === 0 ? undefined : html`${link('checks', 'Checks', checks.length)}</li>`}
</ul>
</nav>
`
}
