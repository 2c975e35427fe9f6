import { relative } from 'node:path'
import type { Examined } from '../../fixtures/clauses/clause.ts'
import { CLAUSES, type ClauseId } from '../../fixtures/clauses/index.ts'
import { placeOf } from '../../fixtures/clauses/places.ts'
import { missingOf, RANGES } from '../../fixtures/clauses/ranges.ts'
import { toCurl } from '../../fixtures/client/curl.ts'
import { situationNamed } from '../../fixtures/examine/situations/index.ts'
import { isOfTraffic, lackingInTraffic } from '../../fixtures/model/of-traffic.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { print } from '../../fixtures/output/console.ts'
import type { ClauseRecord } from '../../fixtures/record.ts'
import { type FindSource, sourcesOfChecks } from '../../fixtures/run/check-sources.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { clausesNamed } from '../../fixtures/run/selection.ts'
import {
  type Place,
  placeOfClause,
  placeOfDeviant,
  placesOf,
  placesOfName,
  readSources,
  type Sources,
  shown,
} from '../../fixtures/run/sources.ts'
import { howToSupply } from '../../fixtures/run/supply.ts'
import { type CitingCheck, type TracedClause, traceClauses } from '../../fixtures/run/tracing.ts'
import { openRun, type StoredRun } from '../../reports/folder/read.ts'
import { oneLine, plain } from '../../reports/render/plain.ts'
import { situationList } from './situation-list.ts'

/** The sources in which positions are looked up. */
interface Wings {
  clauses: Sources
  service: Sources
  rules: Sources
  sourceOf: FindSource
  deviants: Sources
}

/**
 * Prints what clauses ask, where they are stated, how they are checked, what they need, and what a run found. The steps of
 * checks are printed only for a single clause.
 *
 * @param wanted id of a clause, an area, a prefix (`V2-IDEM-*`), an expression, or a situation of clients
 */
export async function explain(wanted: string, { run }: { run?: string }): Promise<ExitCode> {
  const situation = situationNamed(wanted)
  if (situation !== undefined) {
    print(situationList([situation]))
    return EXIT.conforms
  }
  const ids = clausesNamed(wanted, CLAUSES)
  const stored = await openRun(run)
  const rows = new Map((await traceClauses()).map(row => [row.id, row]))
  const wings: Wings = {
    clauses: readSources('fixtures/clauses'),
    service: readSources('fixtures/service'),
    rules: readSources('fixtures/checkers', 'fixtures/service'),
    sourceOf: sourcesOfChecks(),
    deviants: readSources('fixtures/deviants', 'fixtures/examine'),
  }
  const told: string[] = []
  for (const id of ids) {
    const row = rows.get(id)!
    const parts = [
      statement(row, wings),
      needed(row),
      howChecked(row, wings),
      provenBy(row, wings),
      ...(stored === undefined ? [] : [await inRun(id, stored)]),
      ...(ids.length === 1 ? [steps(row, wings)] : []),
    ]
    told.push(parts.filter(part => part !== '').join('\n\n'))
  }
  print(`${told.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
  return EXIT.conforms
}

const behind = (place: Place | undefined): string => (place === undefined ? '' : `  ${shown(place)}`)

function statement(
  { id, level, side, part, area, says, unobservable, unpromised, planned, examined }: TracedClause,
  wings: Wings,
): string {
  return [
    `${id}  (${level}, ${side} side, ${area})`,
    says,
    `Document: ${placeOf({ id, part })}`,
    `Stated in${behind(placeOfClause(id, wings.clauses, wings.service))}`,
    ...(unobservable === undefined ? [] : [`Cannot be observed from outside: ${unobservable}`]),
    ...(unpromised === undefined ? [] : [`Not promised by the document: ${unpromised}`]),
    ...(planned === true ? ['Its check is still to be written.'] : []),
    ...(examined === undefined ? [] : howExamined(examined)),
  ].join('\n')
}

function howExamined({ trigger, measures, bound, tolerance, ruledOutBy, situations }: Examined): string[] {
  return [
    `Seen in the traffic of a client by ${commandLine('examine')} and ${commandLine('audit')}`,
    `  Trigger: ${trigger}`,
    `  Measured: ${measures}`,
    `  Bound: ${bound}`,
    ...(tolerance === undefined ? [] : [`  Tolerance: ${tolerance}`]),
    ...(ruledOutBy === undefined ? [] : [`  Not applicable to clients that keep ${ruledOutBy}`]),
    `  Provoked by: ${situations.join(', ')}`,
  ]
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

function howChecked({ id, side, cited, passive }: TracedClause, { sourceOf, rules }: Wings): string {
  const lines = oneEach(cited).flatMap(({ check, runs }) => {
    const name = runs.length === 0 ? check.fullName : withoutEnd(check.fullName)
    const place = sourceOf(check)
    return [
      `  ${place === undefined ? check.file : shown(place)} > ${name}`,
      ...(runs.length === 0 ? [] : [`    ${runs.length === 1 ? 'and' : 'for'} ${runs.join(', ')}`]),
    ]
  })
  if (passive) {
    const stated = placesOfName(rules, id).map(shown)
    lines.push(
      `  every exchange of every check, in passing${stated.length === 0 ? '' : `  ${stated.join(', ')}`}`,
    )
  }
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

/** The lists of derived deviants, by the first word of their operator; all others are of endpoints. */
const FAMILIES: Readonly<Record<string, string>> = {
  field: 'carelessFields',
  status: 'carelessRefusals',
  word: 'carelessRefusals',
  request: 'carelessRequests',
  rule: 'carelessRules',
  value: 'carelessValues',
}

/** Returns the name of the list with the derived deviants of an operator. */
const familyOf = (operator: string): string => FAMILIES[operator.split(' ')[0]!] ?? 'carelessEndpoints'

function provenBy({ deviants }: TracedClause, wings: Wings): string {
  if (deviants.length === 0) return ''
  const lines = deviants
    .filter(({ operator }) => operator === undefined)
    .map(({ id, because }) => `  ${id}: ${because}${behind(placeOfDeviant(id, wings.deviants))}`)
  const derived = deviants.flatMap(({ operator }) => operator ?? [])
  for (const [family, operators] of Map.groupBy(derived, operator => familyOf(operator))) {
    const [place] = placesOf(wings.deviants, new RegExp(`export const ${family}\\b`))
    lines.push(`  ${operators.length} derived (${[...new Set(operators)].join(', ')})${behind(place)}`)
  }
  return ['Deviants that break it', ...lines].join('\n')
}

function steps({ cited }: TracedClause, { sourceOf }: Wings): string {
  const sources = oneEach(cited)
    .map(({ check }) => sourceOf(check))
    .filter(source => source !== undefined)
  const told = sources.map(source => [shown(source), ...source.lines.map(line => `  ${line}`)].join('\n'))
  return told.length === 0 ? '' : ['Steps', ...told].join('\n\n')
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
