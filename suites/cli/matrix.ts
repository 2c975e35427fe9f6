import type { Clause } from '../../fixtures/clauses/clause.ts'
import type { Collected } from '../../reports/assemble.ts'
import type { CollectedCheck } from '../../reports/judge-check.ts'

/** What `tss prove` needs to know of a deviant. */
export interface ProvenDeviant {
  id: string
  /** Clauses that it breaks. */
  breaks: readonly string[]
  because: string
}

/** What became of one deviant. */
export interface DeviantRow extends ProvenDeviant {
  caught: boolean
  /** Its own clauses that were found broken. */
  under: string[]
  /** Further clauses that were found broken on it. */
  also: string[]
  /** Checks that ran against it. */
  checks: number
  /** First finding under one of its own clauses; for a missed one, why its checks ended early, if they did. */
  evidence?: string
}

/** Every deviant, and the untouched deployment beside them. */
export interface Matrix {
  deviants: DeviantRow[]
  control: {
    checks: number
    /** What was found on the untouched deployment: false alarms. */
    findings: { clause: string; check: string; message: string }[]
    /** Checks that could not run on it, and faults of the kit. */
    errors: string[]
  }
  /** Binding clauses that were exercised and that no deviant breaks: nothing shows that their checks can fail. */
  unproven: string[]
}

/** What is known beside the deviants that ran. */
export interface Known {
  catalogue: Readonly<Record<string, Pick<Clause, 'level'>>>
  /** Clauses that any deviant breaks, whether it ran or not. */
  breakable: ReadonlySet<string>
}

/** Folds what the checks reported, on the untouched deployment and on each deviant, into the matrix. */
export function matrixOf(
  collected: Collected,
  deviants: readonly ProvenDeviant[],
  { catalogue, breakable }: Known,
): Matrix {
  const byVariant = Map.groupBy(collected.checks.filter(ran), ({ report }) => report?.variant)
  const untouched = byVariant.get(undefined) ?? []
  const exercised = new Set(untouched.flatMap(({ report }) => report?.exercised ?? []))
  return {
    deviants: deviants.map(deviant => rowOf(deviant, byVariant.get(deviant.id) ?? [])),
    control: {
      checks: untouched.length,
      findings: untouched.flatMap(({ id, report }) =>
        (report?.findings ?? []).map(({ clause, message }) => ({ clause, check: id, message })),
      ),
      errors: [
        ...collected.moduleErrors.map(({ file, message }) => `${file}: ${message}`),
        ...collected.unhandledErrors,
        ...untouched.flatMap(troubles),
      ],
    },
    unproven: [...exercised].filter(id => catalogue[id]?.level === 'must' && !breakable.has(id)).sort(),
  }
}

function rowOf(deviant: ProvenDeviant, checks: readonly CollectedCheck[]): DeviantRow {
  const findings = checks.flatMap(({ report }) => report?.findings ?? [])
  const own = findings.filter(({ clause }) => deviant.breaks.includes(clause))
  const found = [...new Set(findings.map(({ clause }) => clause))]
  const evidence = own[0]?.message ?? checks.flatMap(troubles)[0]
  return {
    id: deviant.id,
    breaks: deviant.breaks,
    because: deviant.because,
    caught: own.length > 0,
    under: found.filter(clause => deviant.breaks.includes(clause)),
    also: found.filter(clause => !deviant.breaks.includes(clause)),
    checks: checks.length,
    ...(evidence === undefined ? {} : { evidence }),
  }
}

/** Left out by `--only`: says nothing. */
const ran = ({ state, report }: CollectedCheck): boolean => state !== 'skipped' || report !== undefined

/** Why a check did not come to its end. */
function troubles({ id, errors, report }: CollectedCheck): string[] {
  const { stopped } = report ?? {}
  const reasons =
    stopped === undefined || stopped.verdict === 'not exercised' ? errors : [stopped.reason, ...errors]
  return reasons.map(reason => `${id}: ${reason}`)
}

/** Whether the matrix is what it should be. */
export const isProven = ({ deviants, control }: Matrix): boolean =>
  deviants.every(({ caught }) => caught) && control.findings.length === 0 && control.errors.length === 0

/** The matrix as a page of Markdown. */
export function matrixMarkdown(matrix: Matrix, run: string): string {
  const { deviants, control, unproven } = matrix
  const missed = deviants.filter(({ caught }) => !caught)
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
  return `# Deviant matrix ${run}

${sentence(matrix)}

${section(
  'Missed',
  missed.map(
    ({ id, breaks, because, evidence }) =>
      `\`${id}\` (breaks ${breaks.join(', ')}): ${because}${evidence === undefined ? '' : `; ${evidence}`}`,
  ),
)}${section(
  'False alarms on the untouched deployment',
  control.findings.map(({ clause, check, message }) => `${clause}: ${message} (${check})`),
)}${section('Could not run on the untouched deployment', control.errors)}${section('Binding clauses without a deviant', unproven)}## All deviants

| | deviant | breaks | found under | also found | checks |
| --- | --- | --- | --- | --- | --- |
${deviants
  .map(
    ({ id, caught, breaks, under, also, checks, because }) =>
      `| ${caught ? 'caught' : '**missed**'} | \`${id}\`: ${cell(because)} | ${breaks.join(' ')} | ${under.join(' ')} | ${also.join(' ')} | ${checks} |`,
  )
  .join('\n')}
`
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : `## ${title}\n\n${lines.map(line => `- ${line.replaceAll(/\s+/g, ' ')}`).join('\n')}\n\n`
}

/** The counts, in one sentence. */
export function sentence({ deviants, control, unproven }: Matrix): string {
  const caught = deviants.filter(row => row.caught).length
  return `${caught} of ${deviants.length} deviants caught under their own clause, ${deviants.length - caught} missed; ${control.checks} checks on the untouched deployment with ${control.findings.length} findings; ${unproven.length} binding clauses exercised without a deviant.`
}
