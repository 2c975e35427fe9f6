import { relative } from 'node:path'
import { clauseIds } from '../../fixtures/clauses/index.ts'
import { toCurl } from '../../fixtures/client/curl.ts'
import { print } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { clauseNamed } from '../../fixtures/run/selection.ts'
import { type TracedClause, traceClauses } from '../../fixtures/run/tracing.ts'
import { oneLine, plain } from '../../reports/plain.ts'
import type { StoredRun } from '../../reports/read.ts'
import { openRun } from '../../reports/stored-run.ts'

/** Options of `tss explain`, as they were given. */
export interface ExplainOptions {
  run?: string
}

/** Says what a clause asks, how it is checked, and what a run found. */
export async function explain(wanted: string, { run }: ExplainOptions): Promise<ExitCode> {
  const id = clauseNamed(wanted, clauseIds)
  const stored = await openRun(run)
  const row = (await traceClauses()).find(traced => traced.id === id)!
  const parts = [statement(row), howChecked(row), provenBy(row)]
  if (stored !== undefined) parts.push(await inRun(id, stored))
  print(`${parts.filter(part => part !== '').join('\n\n')}\n`)
  return EXIT.conforms
}

function statement({ id, level, side, part, area, says, needs, unobservable, open }: TracedClause): string {
  return [
    `${id}  (${level}, ${side} side, part ${part}, ${area})`,
    says,
    ...(needs === undefined ? [] : [`Needs ${needs.join(', ')}.`]),
    ...(unobservable === undefined ? [] : [`Cannot be observed from outside: ${unobservable}`]),
    ...(open === true ? ['Its check is still to be written.'] : []),
  ].join('\n')
}

function howChecked({ checks, passive }: TracedClause): string {
  const lines = checks.map(name => `  ${name}`)
  if (passive) lines.push('  every exchange of every check, in passing')
  return lines.length === 0 ? '' : ['Checked by', ...lines].join('\n')
}

function provenBy({ deviants }: TracedClause): string {
  if (deviants.length === 0) return ''
  return ['Deviants that break it', ...deviants.map(({ id, because }) => `  ${id}: ${because}`)].join('\n')
}

async function inRun(id: string, { dir, record, exchanges }: StoredRun): Promise<string> {
  const row = record.clauses.find(clause => clause.id === id)
  const where = `In run ${record.run} of ${oneLine(record.deployment.name)} (${relative(process.cwd(), dir) || '.'})`
  if (row === undefined) return `${where} it was not in the catalogue.`
  const finding = row.findings.at(-1)
  const lines = [`${where}: ${row.verdict}${row.reason === undefined ? '' : `, ${oneLine(row.reason)}`}`]
  if (finding === undefined) return lines.join('\n')

  const { message, expected, observed, check } = finding
  lines.push(`  ${oneLine(message)}`, `  Check: ${oneLine(check)}`)
  if (expected !== undefined) lines.push(`  Expected: ${oneLine(expected)}`)
  if (observed !== undefined) lines.push(`  Observed: ${oneLine(observed)}`)
  const shown = finding.exchanges.at(-1)
  const exchange = shown === undefined ? undefined : (await exchanges([shown])).get(shown)
  if (exchange !== undefined) lines.push('', `Replay exchange ${exchange.id}:`, plain(toCurl(exchange)))
  return lines.join('\n')
}
