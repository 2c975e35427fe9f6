import { placeOf } from '../../fixtures/clauses/places.ts'
import { toCurl } from '../../fixtures/client/curl.ts'
import type { StoredExchange } from '../../fixtures/client/stored.ts'
import type { ClauseRecord, Finding, RunRecord } from '../../fixtures/record.ts'
import { commandToSeeAgain } from '../findings/command-to-see-again.ts'
import { escapeMarkdown } from './markdown.ts'
import { plain, present } from './plain.ts'

/** A finding with all its data. */
export interface FindingInFull {
  record: RunRecord
  clause: ClauseRecord
  finding: Finding
  /** Its index among the findings of its clause. */
  at: number
  /** The exchange that shows it; absent if it was not stored. */
  exchange?: StoredExchange | undefined
}

/** Returns a finding as Markdown for a bug tracker: what must hold, what was observed, and how to reproduce it. */
export function findingMarkdown({ record, clause, finding, at, exchange }: FindingInFull): string {
  const { expected, observed, message, check } = finding
  const command = commandToSeeAgain(record, clause.id, finding, at)
  const answered = exchange?.response
  return present([
    `## ${clause.id}: ${escapeMarkdown(clause.says)}`,
    '',
    `${clause.level === 'must' ? 'Required' : 'Recommended'} by ${escapeMarkdown(placeOf(clause))}. Seen at ${escapeMarkdown(record.deployment.name)} (${escapeMarkdown(record.deployment.baseUrl)}) in run ${escapeMarkdown(record.run)} of ${record.startedAt.slice(0, 10)}.`,
    '',
    expected === undefined ? undefined : `- **Expected:** ${escapeMarkdown(expected)}`,
    `- **Observed:** ${escapeMarkdown(observed ?? message)}`,
    `- **Check:** ${escapeMarkdown(check)}`,
    answered &&
      `- **Answer:** ${answered.status} to ${escapeMarkdown(`${exchange.request.method} ${exchange.request.url}`)}`,
    ...(exchange === undefined ? [] : ['', 'The request that shows it:', '', fenced(toCurl(exchange))]),
    ...(command === undefined ? [] : ['', 'To reproduce it with the kit:', '', fenced(command)]),
    '',
  ]).join('\n')
}

/** Returns a fenced code block that its content cannot end. */
function fenced(text: string): string {
  const shown = plain(text)
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sh\n${shown}\n${fence}`
}
