import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CLAUSES, type ClauseId } from '../../../fixtures/clauses/index.ts'
import { deviants } from '../../../fixtures/deviants/index.ts'
import { passiveClauses } from '../../../fixtures/model/clauses.ts'
import type { Collected } from '../../../fixtures/run/collected.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import type { FinishedRun } from '../../../fixtures/run/run.ts'
import { type Selection, select } from '../../../fixtures/run/selection.ts'
import { openApi } from '../../../fixtures/service/openapi/index.ts'
import { runWatched } from '../deployments/watched-run.ts'

/** More clauses than these are not asked about one by one. */
const FEW = 6

const SECOND = fileURLToPath(new URL('../../../fixtures/second/deployment.ts', import.meta.url))

/** Returns the clauses that are selected; none if they are too many to be asked about one by one. */
export function fewOf(selection: Selection): ClauseId[] {
  const ids = (Object.keys(CLAUSES) as ClauseId[]).filter(id => selection.matches([id]))
  return ids.length > FEW ? [] : ids
}

/** Returns how checks of the untouched deployment decided a clause. */
function decidedIn({ checks }: Collected, clause: ClauseId): string {
  const own = checks.filter(({ report }) => report !== undefined && report.variant === undefined)
  const citing = checks.filter(({ tags }) => tags.includes(clause))
  const deciding = own.filter(({ report }) => report!.exercised.includes(clause))
  if (own.some(({ report }) => report!.findings.some(finding => finding.clause === clause)))
    return 'BROKEN: this deployment does not keep it'
  if (deciding.length > 0) return `decided by ${new Set(deciding.map(({ id }) => id)).size} checks`
  const [reason] = citing.map(({ report }) => report?.stopped?.reason).filter(one => one !== undefined)
  return citing.length === 0
    ? 'MISSING: no check cites it'
    : `MISSING: not decided${reason ? `: ${reason}` : ''}`
}

/** Runs the checks of some clauses against the second deployment. */
export const runSecond = (
  clauses: readonly ClauseId[],
  { out, seed }: { out: string; seed: number },
): Promise<FinishedRun> =>
  runWatched({
    deployment: SECOND,
    out: join(out, 'second'),
    seed,
    only: select(clauses.join(' or '), CLAUSES),
    isKnown: true,
  })

/** Says of each clause what it has in each place: a row or check, a deviant, the second deployment, OpenAPI. */
export function placesOf(
  clauses: readonly ClauseId[],
  collected: Collected,
  second: Pick<FinishedRun, 'collected'>,
): string {
  const written = JSON.stringify(openApi({ kit: kit.version }))
  const lines = clauses.flatMap(clause => {
    const breaking = deviants.filter(({ breaks }) => breaks.includes(clause)).length
    const isRow = passiveClauses.has(clause)
    return [
      clause,
      `  clause             ${CLAUSES[clause].planned === true ? 'MISSING: it is planned' : 'in the catalogue'}`,
      `  check              ${decidedIn(collected, clause)}${isRow ? ', judged by a row in all traffic' : ''}`,
      `  deviants           ${breaking === 0 ? 'MISSING: none breaks it' : breaking}`,
      `  second deployment  ${decidedIn(second.collected, clause)}`,
      `  OpenAPI            ${written.includes(`"${clause}"`) ? 'names it' : 'says it in types, or not at all if it is behaviour'}`,
    ]
  })
  return `\n${lines.join('\n')}\n`
}
