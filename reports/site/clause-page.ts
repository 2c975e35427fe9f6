import { placeOf } from '../../fixtures/clauses/places.ts'
import type { ClauseRecord } from '../../fixtures/record.ts'
import { comparableRuns, type Judged, type RunInTime, sinceOf } from '../history/history.ts'
import type { ClauseFacts } from '../history/summary.ts'
import { html, type Markup } from '../html/markup.ts'
import { areaTitle } from '../judge/areas.ts'
import { count, shorten } from '../render/plain.ts'
import {
  deploymentLink,
  hollow,
  layout,
  linkTo,
  markOf,
  partOf,
  runLink,
  type Site,
  sinceText,
  when,
} from './parts.ts'

/** The maximum numbers of runs in a row, and of changes, checks and deviants listed. */
const MOST_RUNS = 300
const MOST_CHANGES = 50
const MOST_LISTED = 30

/** The result of a clause in the newest run that exercised it. */
export interface LastSeen {
  run: RunInTime
  row: ClauseRecord
}

/** A clause over all runs of every deployment. */
interface ShownClause {
  facts: ClauseFacts
  /** The deployments with a run that exercised or tried it. */
  judged: readonly { of: Judged; last?: LastSeen | undefined }[]
  deviants: readonly { id: string; because: string }[]
}

/** Returns the page of a clause: its sentence, its verdicts over time, its checks, and the deviants that prove them. */
export function clausePage({ facts, judged, deviants }: ShownClause, site: Site): string {
  const { id, level, side, area, says } = facts
  return layout({
    title: id,
    site,
    trail: [],
    lead: html`<p class="sentence">${says}</p>
<p class="address">${level === 'must' ? 'Required' : 'Recommended'}${side === 'client' ? ' of clients' : ''}. Document: ${placeOf(facts)}. ${areaTitle(area)}.</p>
${site.actions?.besideClause(id)}`,
    body: html`${judged.map(one => overTime(id, one, site))}
${proof(deviants)}`,
  })
}

function overTime(id: string, { of, last }: ShownClause['judged'][number], site: Site): Markup {
  const whole = new Set(comparableRuns(of))
  const since = sinceOf(of, id)
  const tone = since?.verdict === 'violates' ? 'violates' : since === undefined ? 'unseen' : 'conforms'
  const shown = of.runs.slice(0, MOST_RUNS).toReversed()
  return html`<section class="deployment tone-${tone}" aria-labelledby="${of.id}">
<h2 id="${of.id}">${deploymentLink(site, of)}</h2>
<p>${since === undefined ? 'No run exercised it.' : html`<span class="word">${since.verdict}</span>: ${sinceText(site, since, of)}.`}</p>
<h3>Over the runs, the newest on the right</h3>
<p class="marks over-time">${shown.map(run => mark(run, id, hollow(run, whole), site))}</p>
<p class="note">${shown.length > 1 ? `${when(shown[0]!.startedAt)} to ${when(shown.at(-1)!.startedAt)}` : when(shown[0]!.startedAt)}${shown.some(run => !whole.has(run)) ? '. A dashed frame is a run of a part' : ''}</p>
${changesOf(shown, id, site)}
${last === undefined ? undefined : lastSeen(last, site)}
</section>`
}

function mark(run: RunInTime, id: string, frame: string, site: Site): Markup {
  const { mark: sign, name, letter } = markOf(run.verdicts.get(id))
  const told = [`${when(run.startedAt)}: ${name}`, ...partOf(run)].join(', ')
  return html`<span class="${letter}${frame}">${linkTo(site, { page: 'run', run: run.id }, html`<span role="img" aria-label="${told}" title="${told}">${sign}</span>`, `#clause-${id}`)}</span>`
}

/** Returns the runs at which its verdict changed, newest first. Runs that did not select it are left out. */
function changesOf(oldestFirst: readonly RunInTime[], id: string, site: Site): Markup {
  const told = oldestFirst.flatMap(run => {
    const verdict = run.verdicts.get(id)
    return verdict === undefined ? [] : [{ run, verdict }]
  })
  const changes = told.filter(({ verdict }, at) => at === 0 || told[at - 1]!.verdict !== verdict).toReversed()
  return html`<ul class="changes">${changes
    .slice(0, MOST_CHANGES)
    .map(({ run, verdict }) => html`<li>${verdict} from ${runLink(site, run)} on</li>\n`)}</ul>`
}

/** Returns the findings of the newest run, and the checks. */
function lastSeen({ run, row }: LastSeen, site: Site): Markup {
  const { findings, checks } = row
  const seenIn = new Set(findings.map(({ check }) => check))
  const listed = [...seenIn, ...checks.filter(check => !seenIn.has(check))]
  return html`${
    findings.length === 0
      ? undefined
      : html`<h3>What ${runLink(site, run)} found</h3>
<ul class="changes">${findings.slice(0, MOST_LISTED).map(
          (finding, at) => html`<li>${shorten(finding.message, 2_000)}
${whatWasSent(run, finding.check, site)}${site.actions?.besideFinding({ run: run.id, clause: row.id, at, finding })}</li>
`,
        )}</ul>`
  }
<details class="others"><summary>How it is checked${listed.length === 0 ? undefined : ` (${count(listed.length, 'check')})`}</summary>
${listed.length === 0 ? html`<p>By a rule that judges the exchanges of every check.</p>` : html`<ul class="changes">${listed.slice(0, MOST_LISTED).map(check => html`<li>${linkTo(site, { page: 'check', run: run.id, check }, shorten(check, 400))}</li>\n`)}</ul>`}
${listed.length > MOST_LISTED ? html`<p class="note">and ${count(listed.length - MOST_LISTED, 'more check')}</p>` : undefined}</details>`
}

/** Returns the link to the page of a check, if it has one. */
function whatWasSent(run: RunInTime, check: string, site: Site): Markup | undefined {
  const target = { page: 'check', run: run.id, check } as const
  return site.link(target) === undefined
    ? undefined
    : html`<small>${linkTo(site, target, 'What was sent')}</small>`
}

function proof(deviants: ShownClause['deviants']): Markup | undefined {
  if (deviants.length === 0) return undefined
  return html`<section aria-labelledby="proof"><h2 id="proof">What proves the check</h2>
<p class="note">Deployments of the kit that break this clause on purpose, to prove that its checks find it.</p>
<ul class="changes">${deviants.slice(0, MOST_LISTED).map(({ id, because }) => html`<li><span class="id">${id}</span><small>${because}</small></li>\n`)}</ul>
${deviants.length > MOST_LISTED ? html`<p class="note">and ${count(deviants.length - MOST_LISTED, 'more')}</p>` : undefined}</section>`
}
