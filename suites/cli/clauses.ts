import { whyUndecidable } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { cellsOf, RANGES } from '../../fixtures/clauses/ranges.ts'
import { print, printJson } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode, wrongCall } from '../../fixtures/run/failure.ts'
import { type Selection, select } from '../../fixtures/run/selection.ts'
import { isCovered, type TracedClause, traceClauses } from '../../fixtures/run/tracing.ts'
import { howToArrange } from '../../fixtures/service/axes.ts'
import { openRun, type StoredRun } from '../../reports/folder/read.ts'
import { count, number } from '../../reports/render/plain.ts'

interface ClausesOptions {
  only?: string
  uncovered?: boolean
  /** Whether to list the range of each clause, and where a run exercised it. */
  cells?: boolean
  /** The folder of that run. Default: the newest one. */
  run?: string
  json?: boolean
}

/** Prints the list of clauses. */
export async function clauses({ only, uncovered, cells, run, json }: ClausesOptions): Promise<ExitCode> {
  const selection = only === undefined ? undefined : select(only, CLAUSES)
  if (cells) {
    const rows = cellRows(selection, await openRun(run))
    if (json) printJson(rows)
    else print(cellTable(rows))
    return EXIT.conforms
  }
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
  const decidable = rows.filter(row => whyUndecidable(row) === undefined)
  const covered = decidable.filter(isCovered)
  const ofClients = covered.filter(({ side }) => side === 'client').length
  const unobservable = rows.filter(row => row.unobservable !== undefined).length
  const told = [
    `${number(covered.length - ofClients)} about deployments and ${ofClients} about clients are checked`,
    `${unobservable} cannot be observed`,
    `${rows.length - decidable.length - unobservable} not promised`,
    `${decidable.length - covered.length} still to be checked`,
  ]
  return `${columns([HEAD, ...cells])}\n\n${count(rows.length, 'clause')}: ${told.join(', ')}\n`
}

function checksOf(row: TracedClause): string {
  const { checks, passive, planned, examined } = row
  if (whyUndecidable(row) !== undefined) return '-'
  if (examined !== undefined) return 'examined'
  if (planned) return 'planned'
  const counted = checks.length === 0 ? '' : String(checks.length)
  return passive ? [counted, 'passive'].filter(Boolean).join('+') : counted || 'none'
}

/** A cell of the range of a clause, with the check that exercised the clause there. */
interface CellRow {
  clause: string
  cell: string
  /** The first such check of the run. */
  check?: string
  /** Why no check can. */
  never?: string
  /** What a check needs to get there, if none did. */
  needs?: string
}

function cellRows(selection: Selection | undefined, stored: StoredRun | undefined): CellRow[] {
  if (stored === undefined) throw wrongCall('No run says where checks looked: run certify first.')
  const byId = new Map(stored.record.clauses.map(row => [row.id, row]))
  return [...RANGES]
    .filter(([clause]) => selection?.matches([clause]) !== false)
    .flatMap(([clause, range]) => {
      const checks = new Map(
        (byId.get(clause)?.cells ?? []).flatMap(({ check, cells }) => cells.map(cell => [cell, check])),
      )
      return cellsOf(range).map((cell): CellRow => {
        const check = checks.get(cell)
        const never = range.never?.[cell]
        if (check !== undefined) return { clause, cell, check }
        return { clause, cell, ...(never === undefined ? { needs: howToArrange(cell) } : { never }) }
      })
    })
}

function cellTable(rows: readonly CellRow[]): string {
  const told = rows.map(({ clause, cell, check, never, needs }) => [
    clause,
    cell,
    check ?? (never === undefined ? `not looked at: needs an exchange that ${needs}` : `none can: ${never}`),
  ])
  const having = (has: (row: CellRow) => unknown) => rows.filter(row => has(row) !== undefined).length
  return `${columns([['CLAUSE', 'CELL', 'LOOKED AT BY'], ...told])}\n\n${count(rows.length, 'cell')} of ${count(new Set(rows.map(({ clause }) => clause)).size, 'clause')}: ${having(row => row.check)} looked at, ${having(row => row.needs)} not looked at, ${having(row => row.never)} at which nobody can\n`
}

/** Aligns the columns of these rows, except the last one. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows
    .map(row =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join('  '),
    )
    .join('\n')
}
