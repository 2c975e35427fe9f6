import { placeOf } from '../../fixtures/clauses/places.ts'
import { toCurl } from '../../fixtures/client/recording/index.ts'
import type { StoredExchange } from '../../fixtures/client/redaction/index.ts'
import type { ClauseRecord, Finding, RunRecord } from '../../fixtures/ground/record.ts'
import type { ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import { commandToSeeAgain, howToSeeAgain } from '../findings/command-to-see-again.ts'
import { causesOf } from '../findings/roots.ts'
import { listed, outcomeOf, type Tone } from '../judge/outcome.ts'
import { statesLine } from '../judge/profile.ts'
import {
  bothNumbers,
  duration,
  headLines,
  headline,
  KIND_COLUMNS,
  kindRows,
  leftoverSummary,
} from './digest.ts'
import { conclusionOf, extent, limitsOf } from './load.ts'
import {
  blocked,
  byReason,
  count,
  factValue,
  oneLine,
  plain,
  present,
  type ReasonGroup,
  shorten,
} from './plain.ts'

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
    ...(command === undefined
      ? ['', howToSeeAgain(record, clause, finding, at)]
      : ['', 'To reproduce it with the kit:', '', fenced(command)]),
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

/** The maximum size of a summary in bytes. GitHub accepts 1 MiB for all steps together. */
const LONGEST_SUMMARY = 512 * 1024

const MARK: Record<Tone, string> = {
  conforms: '✅',
  violates: '❌',
  blocked: '⚠️',
  error: '💥',
  unseen: '⚪',
  measured: '📏',
  none: '⚪',
}

/** Characters that GitHub interprets in text: markup, maths, mentions, emoji names, bare URLs. */
const SPECIAL = /[\\`*[\]|~$<>&@]|(?<!\w)_|_(?!\w)|:(?=\/\/|[a-z+-][\w+-]*:)|(?<=\bwww)\./gi

/** Escapes text for any place in Markdown, including table cells. */
export function escapeMarkdown(text: string, longest = 600): string {
  return shorten(oneLine(text), longest).replaceAll(SPECIAL, mark =>
    /[<>&@:.]/.test(mark) ? `&#${mark.charCodeAt(0)};` : `\\${mark}`,
  )
}

/** Returns the summary of a run as GitHub-flavoured Markdown, at most `LONGEST_SUMMARY` bytes. */
export function toMarkdown(record: RunRecord, longest = LONGEST_SUMMARY): string {
  const { deployment, requests, seed } = record
  const { word, tone } = outcomeOf(record)
  const [conforming, exercised] = bothNumbers(record)
  const states = statesLine(record.states)
  const head = [
    `## ${MARK[tone]} ${escapeMarkdown(deployment.name)}: ${word}`,
    '',
    `${escapeMarkdown(headline(record), 2000)} **${conforming}**; **${exercised}**.`,
    ...headLines(record).flatMap(({ line }) => ['', escapeMarkdown(line, 4000)]),
    '',
    '| | |',
    '| --- | --- |',
    `| Base address | ${escapeMarkdown(deployment.baseUrl)} |`,
    `| Run | ${escapeMarkdown(record.run)}, ${duration(record)}${seed === undefined ? '' : `, seed ${seed}`} |`,
    `| Requests | ${requests.v1} on v1, ${requests.v2} on v2 |`,
    ...(states === undefined ? [] : [`| States | ${states} |`]),
  ]
  const rows = [
    ...rowsBelow(KIND_COLUMNS, kindRows(record)),
    ...table('Findings', ['Clause', 'What must hold', 'What was seen', 'Exchanges'], findingRows(record)),
    ...underLoad(record),
    ...table('Faults of the kit', ['Fault'], record.errors.map(lineRow)),
    ...table('Blocked', GROUPS, blocked(record).map(groupRow)),
    ...table('Not exercised', GROUPS, byReason(record, 'not exercised').map(groupRow)),
    ...table('May still be booked', ['Booking'], leftoverSummary(record).map(lineRow)),
  ]
  return cut([...head, ...rows], longest)
}

/** Returns a row for each cause. Equal findings about several answers are one row. */
function findingRows(record: RunRecord): string[][] {
  const told = new Set<string>()
  return causesOf(record).flatMap(({ broken }) =>
    broken.map(({ clause: { id, level, says }, finding: { message, exchanges, waived }, more }, at) => {
      const first = !told.has(id)
      told.add(id)
      const alike = more.length === 0 ? '' : `; and ${count(more.length, 'more answer')} like it`
      const until = waived === undefined ? '' : ` (waived until ${escapeMarkdown(waived.expires)})`
      return [
        `${at === 0 ? '' : '↳ '}${escapeMarkdown(id)}${level === 'should' ? ' (should)' : ''}${until}`,
        first ? escapeMarkdown(says) : '〃',
        `${escapeMarkdown(message)}${alike}`,
        escapeMarkdown(exchanges.slice(-6).join(', ')),
      ]
    }),
  )
}

/** Returns the result of each scenario of a load run. */
function underLoad(record: RunRecord): string[] {
  const { load } = record
  if (load === undefined) return []
  return ['', '### Under load', ...load.scenarios.flatMap(scenario => scenarioLines(record, scenario))]
}

function scenarioLines(record: RunRecord, scenario: ScenarioFigures): string[] {
  const { name, question, facts } = scenario
  const { says, tone } = conclusionOf(record, scenario)
  const told = facts.map(fact => `${escapeMarkdown(fact.name)}: **${escapeMarkdown(factValue(fact))}**`)
  return [
    ...['', `#### ${MARK[tone]} ${escapeMarkdown(name)}: ${says}`],
    ...['', `${escapeMarkdown(question)} ${extent(scenario)}.`],
    ...(told.length === 0 ? [] : ['', told.join('; ')]),
    ...limitsOf(scenario).flatMap(text => ['', `> ${escapeMarkdown(text)}`]),
  ]
}

const lineRow = (line: string): string[] => [escapeMarkdown(line)]

const GROUPS = ['Clauses', 'Reason', 'Which']

const groupRow = ({ reason, ids }: ReasonGroup): string[] => [
  String(ids.length),
  escapeMarkdown(reason),
  listed(ids.map(id => escapeMarkdown(id, 120))),
]

function table(title: string, columns: readonly string[], rows: readonly string[][]): string[] {
  return rows.length === 0 ? [] : ['', `### ${title}`, ...rowsBelow(columns, rows)]
}

function rowsBelow(columns: readonly string[], rows: readonly string[][], most = 500): string[] {
  if (rows.length === 0) return []
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    '',
    line(columns),
    line(columns.map(() => '---')),
    ...rows.slice(0, most).map(line),
    ...(rows.length > most ? ['', `and ${count(rows.length - most, 'more row')} in the full report`] : []),
  ]
}

/** Truncates between lines, since a partial table row would break what follows. */
function cut(lines: readonly string[], longest: number): string {
  const note = '\nThis summary was cut; the full report has the rest.\n'
  const kept: string[] = []
  let bytes = Buffer.byteLength(note)
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > longest) return `${kept.join('\n')}\n${note}`
    kept.push(line)
  }
  return `${kept.join('\n')}\n`
}

/** The maximum number of lines of a step's summary. Longer ones are not read to their end. */
const LONGEST_STEP_SUMMARY = 200

/** Returns the beginning of a Markdown summary, in whole lines, for the summary of a step. */
export function stepSummaryOf(markdown: string): string {
  const lines = markdown.trimEnd().split('\n')
  if (lines.length < LONGEST_STEP_SUMMARY) return `${lines.join('\n')}\n`
  const kept = lines.slice(0, LONGEST_STEP_SUMMARY - 3)
  return `${kept.join('\n')}\n\nAnd ${count(lines.length - kept.length, 'more line')} in summary.md.\n`
}
