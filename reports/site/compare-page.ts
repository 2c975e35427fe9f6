import type { RunRecord } from '../../fixtures/ground/record.ts'
import { type Changed, changesIn, compare, nothingDiffers } from '../gate/compare.ts'
import type { RunInTime } from '../history/history.ts'
import { html, type Markup } from '../html/markup.ts'
import { count, milliseconds, shorten } from '../render/plain.ts'
import { clauseLink, layout, runLink, runsTable, type Site, when } from './parts.ts'

/** The maximum number of rows of each part. */
const MOST = 200

/** Returns the page with the differences of two runs, as in `travel-sales compare`. */
export function comparePage(
  before: { run: RunInTime; record: RunRecord },
  after: { run: RunInTime; record: RunRecord },
  site: Site,
): string {
  const told = compare(before.record, after.record)
  const parts = [
    ...changesIn(told).map(([title, rows]) =>
      list(
        title,
        rows.map(row => changeOf(row, site)),
      ),
    ),
    list('Checks that disappeared', told.checksGone.map(text)),
    list('New checks', told.checksNew.map(text)),
    list(
      'Slower calls (95th percentile)',
      told.slower.map(
        ({ call, before: was, after: is }) =>
          html`${shorten(call, 200)}: ${milliseconds(was)} before, ${milliseconds(is)} now`,
      ),
    ),
  ].filter(one => one !== undefined)
  return layout({
    title: `${when(after.run.startedAt)} against ${when(before.run.startedAt)}`,
    site,
    trail: [runLink(site, after.run)],
    lead: html`<p>${runLink(site, after.run)} compared with ${runLink(site, before.run)}, the earlier one.</p>${told.caveats.map(said => html`<p class="note">${said}</p>`)}`,
    body: html`${runsTable([after.run, before.run], site)}
${parts.length === 0 ? html`<p>${nothingDiffers(told)}</p>` : parts}`,
  })
}

const text = (value: string): Markup => html`${shorten(value, 400)}`

const changeOf = ({ id, level, says, detail }: Changed, site: Site): Markup =>
  html`${clauseLink(site, id)}${level === 'should' ? ' (recommended)' : ''} ${says}<small>${shorten(detail, 600)}</small>`

function list(title: string, rows: readonly Markup[]): Markup | undefined {
  if (rows.length === 0) return undefined
  const rest = rows.length - MOST
  return html`<section><h2>${title} (${rows.length})</h2>
<ul class="changes">${rows.slice(0, MOST).map(row => html`<li>${row}</li>\n`)}</ul>
${rest > 0 ? html`<p class="note">and ${count(rest, 'more', 'more')}</p>` : undefined}</section>`
}
