import type { StoredExchange } from '../../fixtures/client/stored.ts'
import type { CheckRecord, ClauseRecord, Finding, RunRecord } from '../../fixtures/record.ts'
import { broken } from '../digest.ts'
import { count, shorten } from '../plain.ts'
import { exchangeAnchor, exchangePanel } from './exchange.ts'
import type { Markup } from './markup.ts'
import { html } from './markup.ts'

/** Findings shown of each clause, and exchanges shown in all; record.json and exchanges.ndjson have the rest. */
const FINDINGS_PER_CLAUSE = 10
const MOST_EXCHANGES = 400

/** Longest message, expected and observed that are shown. */
const LONGEST_TEXT = 4_000

/** Where exchanges come from, and how one is sent again. */
export interface Evidence {
  exchanges: ReadonlyMap<string, StoredExchange>
  curlOf: (exchange: StoredExchange) => string
  /** A script that repeats a finding with values of its own; `undefined` where none can. */
  scriptOf?: (clause: ClauseRecord, finding: Finding) => string | undefined
}

/** Address of a clause's findings within the page. */
export const findingsAnchor = (clause: string): string => `findings-${clause}`

/** Every clause that was seen broken, required ones first, with its evidence. */
export function findingsSection(record: RunRecord, evidence: Evidence): Markup | undefined {
  const rows = broken(record)
  if (rows.length === 0) return undefined
  const checks = new Map(record.checks.map(check => [check.id, check]))
  const shown = new Set<string>()
  const total = rows.reduce((sum, { findings }) => sum + findings.length, 0)
  return html`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
<p class="note">${count(total, 'finding')} on ${count(rows.length, 'clause')}. Each shows what was tried, what had to come, what came, and the exchanges that show it: unfold one for the request and the answer as they travelled, credentials and people’s data removed.</p>
${rows.map(row => brokenClause(row, checks, shown, evidence))}
</section>
`
}

function brokenClause(
  row: ClauseRecord,
  checks: ReadonlyMap<string, CheckRecord>,
  shown: Set<string>,
  evidence: Evidence,
): Markup {
  const rest = row.findings.length - FINDINGS_PER_CLAUSE
  return html`<article class="broken ${row.level === 'must' ? 'tone-violates' : 'tone-blocked'}" id="${findingsAnchor(row.id)}">
<header>
<p class="meta"><span class="id">${row.id}</span><span>${row.level === 'must' ? 'Required' : 'Recommended: does not count against the verdict'}</span><span>Part ${row.part}</span></p>
<h3>${row.says}</h3>
</header>
${row.findings
  .slice(0, FINDINGS_PER_CLAUSE)
  .map((finding, at) => findingBlock(row, finding, at, checks, shown, evidence))}
${rest > 0 ? html`<p class="rest">and ${rest} more, listed in record.json</p>` : undefined}
</article>
`
}

function findingBlock(
  row: ClauseRecord,
  finding: Finding,
  at: number,
  checks: ReadonlyMap<string, CheckRecord>,
  shown: Set<string>,
  evidence: Evidence,
): Markup {
  const { exchanges, curlOf } = evidence
  const { message, expected, observed, check, source } = finding
  const replay = checks.get(check)?.properties.find(({ counterexample }) => counterexample !== undefined)
  return html`<div class="finding">
<p class="message">${shorten(message, LONGEST_TEXT)}</p>
${
  expected === undefined && observed === undefined
    ? undefined
    : html`<dl class="pair">
${expected === undefined ? undefined : html`<dt>Expected</dt><dd>${shorten(expected, LONGEST_TEXT)}</dd>`}
${observed === undefined ? undefined : html`<dt>Observed</dt><dd class="observed">${shorten(observed, LONGEST_TEXT)}</dd>`}
</dl>`
}
<p class="origin">${source === 'check' ? 'Check' : 'Seen in the traffic of'}: ${check}</p>
${
  replay === undefined || source === 'passive'
    ? undefined
    : html`<p class="origin">Case found by seed ${replay.seed}${replay.path === undefined ? '' : `, path ${replay.path}`}: <code>${shorten(replay.counterexample!, 1_000)}</code></p>`
}
${finding.exchanges.map(id => {
  if (shown.has(id))
    return html`<p class="elsewhere"><a href="#${exchangeAnchor(id)}">Exchange ${id}</a>, shown above</p>\n`
  const exchange = exchanges.get(id)
  if (exchange === undefined)
    return html`<p class="elsewhere">Exchange ${id} is not in exchanges.ndjson</p>\n`
  if (shown.size >= MOST_EXCHANGES)
    return html`<p class="elsewhere">Exchange ${id}: see exchanges.ndjson</p>\n`
  shown.add(id)
  return exchangePanel(exchange, curlOf(exchange))
})}
${replayPanel(row, finding, at, evidence)}
</div>
`
}

/** How to see a finding again: with the kit, and in a shell where that can be had. */
function replayPanel(row: ClauseRecord, finding: Finding, at: number, { scriptOf }: Evidence): Markup {
  const script = scriptOf?.(row, finding)
  const name = at === 0 ? row.id : `${row.id}#${at + 1}`
  return html`<p class="origin">See it again with offers, keys and bookings of its own: <code>tss replay ${name}</code></p>
${
  script === undefined
    ? html`<p class="origin">A shell cannot repeat it: requests were sent at once, or values came from answers that were not recorded.</p>`
    : html`<details class="exchange"><summary>The same without the kit: a shell script with curl and jq</summary>
<div class="inside"><pre tabindex="0" data-copy>${script}</pre></div></details>`
}`
}
