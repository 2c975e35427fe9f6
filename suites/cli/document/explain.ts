import { relative } from 'node:path'
import type { Examined } from '../../../fixtures/clauses/clause.ts'
import { CLAUSES, type ClauseId, clauseIds } from '../../../fixtures/clauses/index.ts'
import { placeOf } from '../../../fixtures/clauses/places.ts'
import { missingOf, RANGES } from '../../../fixtures/clauses/ranges.ts'
import { toCurl } from '../../../fixtures/client/recording/index.ts'
import { situationNamed } from '../../../fixtures/examine/situations/index.ts'
import type { ClauseRecord } from '../../../fixtures/ground/record.ts'
import { isOfTraffic, lackingInTraffic } from '../../../fixtures/model/clauses.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { print } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../../fixtures/run/failure.ts'
import { clausesNamed } from '../../../fixtures/run/selection.ts'
import { howToSupply } from '../../../fixtures/run/supply.ts'
import { type CitingCheck, type TracedClause, traceClauses } from '../../../fixtures/run/tracing.ts'
import { openRun, type StoredRun } from '../../../reports/folder/write.ts'
import { oneLine, plain, present } from '../../../reports/render/plain.ts'
import { situationList } from '../clients/situation-list.ts'

/**
 * Prints what clauses ask, how they are checked, what they need, and what a run found.
 *
 * @param wanted id of a clause, an area, a prefix (`V2-IDEM-*`), an expression, or a situation of clients. Default: a line for
 * each clause
 */
export async function explain(wanted: string | undefined, { run }: { run?: string }): Promise<ExitCode> {
  if (wanted === undefined) {
    for (const id of clauseIds) print(`${id}  ${CLAUSES[id].level}  ${CLAUSES[id].says}\n`)
    return EXIT.conforms
  }
  const situation = situationNamed(wanted)
  if (situation !== undefined) {
    print(situationList([situation]))
    return EXIT.conforms
  }
  const ids = clausesNamed(wanted, CLAUSES)
  const stored = await openRun(run)
  const rows = new Map((await traceClauses()).map(row => [row.id, row]))
  const told: string[] = []
  for (const id of ids) {
    const row = rows.get(id)!
    const parts = [
      statement(row),
      needed(row),
      howChecked(row),
      provenBy(row),
      stored === undefined ? '' : await inRun(id, stored),
    ]
    told.push(parts.filter(part => part !== '').join('\n\n'))
  }
  print(`${told.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  return EXIT.conforms
}

function statement(row: TracedClause): string {
  const { id, level, side, part, area, says, unobservable, unpromised, planned, examined } = row
  return present([
    `${id}  (${level}, ${side} side, ${area})`,
    says,
    `Document: ${placeOf({ id, part })}`,
    unobservable && `Cannot be observed from outside: ${unobservable}`,
    unpromised && `Not promised by the document: ${unpromised}`,
    planned === true ? 'Its check is still to be written.' : undefined,
    ...(examined === undefined ? [] : howExamined(examined)),
  ]).join('\n')
}

function howExamined({ trigger, measures, bound, tolerance, ruledOutBy, situations }: Examined): string[] {
  return present([
    `Seen in the traffic of a client by ${commandLine('examine')} and ${commandLine('audit')}`,
    `  Trigger: ${trigger}`,
    `  Measured: ${measures}`,
    `  Bound: ${bound}`,
    tolerance && `  Tolerance: ${tolerance}`,
    ruledOutBy && `  Not applicable to clients that keep ${ruledOutBy}`,
    `  Provoked by: ${situations.join(', ')}`,
  ])
}

function needed({ needs }: TracedClause): string {
  if (needs === undefined) return ''
  return ['Needs', ...needs.map(need => `  ${howToSupply(need)}`)].join('\n')
}

/** Groups the runs of a check for several kinds of product. */
function oneEach(cited: readonly CitingCheck[]): { check: CitingCheck; runs: string[] }[] {
  const groups = Map.groupBy(cited, ({ file, fullName }) => `${file} > ${withoutEnd(fullName)}`)
  return [...groups.values()].map(checks => ({
    check: checks[0]!,
    runs: checks.length === 1 ? [] : checks.flatMap(({ title }) => / \(([^()]*)\)$/.exec(title)?.[1] ?? []),
  }))
}

/** Returns the name of a check without the product in brackets at its end. */
const withoutEnd = (name: string): string => name.replace(/ \([^()]*\)$/, '')

function howChecked({ id, side, cited, passive }: TracedClause): string {
  const lines = oneEach(cited).flatMap(({ check, runs }) => {
    const name = runs.length === 0 ? check.fullName : withoutEnd(check.fullName)
    return [
      `  ${check.file} > ${name}`,
      ...(runs.length === 0 ? [] : [`    ${runs.length === 1 ? 'and' : 'for'} ${runs.join(', ')}`]),
    ]
  })
  if (passive) lines.push('  every exchange of every check, in passing')
  return lines.length === 0
    ? ''
    : ['Checked by', ...lines, ...(side === 'client' ? [] : [byTraffic(id)])].join('\n')
}

/** Says whether traffic that others send can decide a clause. */
function byTraffic(id: string): string {
  if (isOfTraffic(id))
    return `Traffic that others send decides it, too: ${commandLine('audit')}, ${commandLine('watch')}`
  const lacking = lackingInTraffic(id) ?? 'requests of its checks'
  return `Traffic that others send cannot decide it: it needs ${lacking}`
}

function provenBy({ deviants }: TracedClause): string {
  if (deviants.length === 0) return ''
  const written = deviants.filter(({ operator }) => operator === undefined)
  const operators = deviants.flatMap(({ operator }) => operator ?? [])
  const derived = `  ${operators.length} derived (${[...new Set(operators)].join(', ')})`
  return [
    'Deviants that break it',
    ...written.map(({ id, because }) => `  ${id}: ${because}`),
    ...(operators.length === 0 ? [] : [derived]),
  ].join('\n')
}

async function inRun(id: string, { dir, record, exchanges }: StoredRun): Promise<string> {
  const row = record.clauses.find(clause => clause.id === id)
  const where = `In run ${record.run} of ${oneLine(record.deployment.name)} (${relative(process.cwd(), dir) || '.'})`
  if (row === undefined) return `${where} it was not in the catalogue.`
  const finding = row.findings.at(-1)
  const lines = [
    `${where}: ${row.verdict}${row.reason === undefined ? '' : `, ${oneLine(row.reason)}`}`,
    ...lookedAt(row),
  ]
  if (finding === undefined) return lines.join('\n')

  const { message, expected, observed, check } = finding
  lines.push(`  ${oneLine(message)}`, `  Check: ${oneLine(check)}`)
  if (expected !== undefined) lines.push(`  Expected: ${oneLine(expected)}`)
  if (observed !== undefined) lines.push(`  Observed: ${oneLine(observed)}`)
  const last = finding.exchanges.at(-1)
  const exchange = last === undefined ? undefined : (await exchanges([last])).get(last)
  if (exchange !== undefined) lines.push('', `Replay exchange ${exchange.id}:`, plain(toCurl(exchange)))
  return lines.join('\n')
}

/** Returns where a run exercised a clause that has a range, and where it did not. */
function lookedAt({ id, cells = [] }: ClauseRecord): string[] {
  const range = RANGES.get(id as ClauseId)
  if (range === undefined) return []
  const seen = cells.flatMap(row => row.cells)
  const missing = missingOf(range, new Set(seen))
  return [
    ...(seen.length === 0 ? [] : [`  Looked at: ${oneLine(seen.join(', '))}`]),
    ...(missing.length === 0 ? [] : [`  Not looked at: ${missing.join(', ')}`]),
  ]
}
