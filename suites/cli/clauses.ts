import { whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { print, printJson } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { select } from '../../fixtures/run/selection.ts'
import { isCovered, type TracedClause, traceClauses } from '../../fixtures/run/tracing.ts'

/** Options of `travel-sales clauses`, as they were given. */
export interface ClausesOptions {
  only?: string
  uncovered?: boolean
  json?: boolean
}

/** Lists the catalogue. */
export async function clauses({ only, uncovered, json }: ClausesOptions): Promise<ExitCode> {
  const selection = only === undefined ? undefined : select(only, CLAUSES)
  const rows = (await traceClauses()).filter(
    row =>
      selection?.matches([row.id]) !== false &&
      (uncovered !== true || (whyUndecidable(row) === undefined && !isCovered(row))),
  )
  if (json) printJson(rows.map(forMachines))
  else print(table(rows))
  return EXIT.conforms
}

function forMachines({ deviants, cited: _cited, ...row }: TracedClause): object {
  return { ...row, deviants: deviants.map(({ id }) => id) }
}

const HEAD = ['CLAUSE', 'LEVEL', 'SIDE', 'PART', 'CHECKS', 'DEVIANTS', 'SAYS']

function table(rows: readonly TracedClause[]): string {
  const cells = rows.map(row => [
    row.id,
    row.level,
    row.side,
    row.part,
    checksOf(row),
    String(row.deviants.length || '-'),
    `${row.says}${row.unobservable === undefined ? '' : ` (cannot be observed: ${row.unobservable})`}${row.unpromised === undefined ? '' : ` (not promised: ${row.unpromised})`}`,
  ])
  const widths = HEAD.map((title, column) => Math.max(title.length, ...cells.map(row => row[column]!.length)))
  const lines = [HEAD, ...cells].map(row =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join('  '),
  )
  const covered = rows.filter(row => whyUndecidable(row) === undefined && isCovered(row)).length
  const unobservable = rows.filter(row => row.unobservable !== undefined).length
  const unpromised = rows.filter(row => row.unpromised !== undefined).length
  const open = rows.length - covered - unobservable - unpromised
  return `${lines.join('\n')}\n\n${rows.length} clauses: ${covered} checked, ${unobservable} cannot be observed, ${unpromised} not promised, ${open} still to be checked\n`
}

function checksOf(row: TracedClause): string {
  const { checks, passive, planned, examined } = row
  if (whyUndecidable(row) !== undefined) return '-'
  if (examined !== undefined) return 'examined'
  if (planned) return 'planned'
  const counted = checks.length === 0 ? '' : String(checks.length)
  return passive ? [counted, 'passive'].filter(Boolean).join('+') : counted || 'none'
}
