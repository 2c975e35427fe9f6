import { kindsAt } from '../../fixtures/ground/endpoints.ts'
import { isV1Product, KINDS, type Kind, kindOf, v2ProductOf } from '../../fixtures/ground/products.ts'
import { type ClauseRecord, isExercised, type RunRecord } from '../../fixtures/ground/record.ts'
import { type Judgement, type Opinion, summed } from './judge-check.ts'
import type { RunInput } from './run-input.ts'

type Coverage = RunRecord['coverage']

/** Returns what a check says of a clause for a kind of product: a finding in calls of another kind breaks nothing for it. */
function opinionFor(kind: Kind, { check }: Judgement, opinion: Opinion): Opinion {
  const caller = check.kind ?? check.report?.kind
  const isOther = ({ operation }: Opinion['findings'][number]) =>
    operation !== undefined && !kindsAt(operation, caller).includes(kind)
  return opinion.verdict === 'violates' && opinion.findings.every(isOther)
    ? { verdict: 'conforms', findings: [] }
    : opinion
}

/**
 * Returns the verdict of each clause for each kind of product. A clause applies to the kinds on sale that any check which
 * cites it is registered for, chosen or not; it is exercised by calls about them, whichever check sent these. A clause
 * about one v1 product applies to that only.
 */
export function kindsOf(
  judgements: readonly Judgement[],
  {
    catalogue,
    collected,
    registered = collected.checks,
    deployment: { products },
  }: Pick<RunInput, 'catalogue' | 'collected' | 'registered' | 'deployment'>,
  whyUnseen: (clause: string) => string,
): Map<string, NonNullable<ClauseRecord['kinds']>[number][]> {
  const opinions = new Map<string, Map<Kind, Opinion[]>>()
  for (const [clause, { area }] of Object.entries(catalogue))
    if (isV1Product(area) && products.includes(area)) opinions.set(clause, new Map([[kindOf(area), []]]))
  const aboutOne = (clause: string): Kind | undefined => {
    const { area = '' } = catalogue[clause] ?? {}
    return isV1Product(area) ? kindOf(area) : undefined
  }
  for (const { tags, kind, product } of registered) {
    if (kind === undefined || !products.includes(product ?? v2ProductOf(kind))) continue
    for (const clause of tags) {
      const perKind = opinions.get(clause) ?? new Map<Kind, Opinion[]>()
      opinions.set(clause, perKind.set(aboutOne(clause) ?? kind, []))
    }
  }
  for (const judgement of judgements) {
    const { check, cited, opinions: own } = judgement
    const kind = check.kind ?? check.report?.kind
    for (const [clause, opinion] of own) {
      const isSeen = isExercised(opinion)
      const one = aboutOne(clause) ?? kind
      const about = (isSeen && check.report?.kinds?.[clause]) || (one === undefined ? [] : [one])
      if (!isSeen && (check.kind === undefined || !cited.includes(clause))) continue
      for (const kind of about)
        opinions
          .get(clause)
          ?.get(kind)
          ?.push(about.length > 1 ? opinionFor(kind, judgement, opinion) : opinion)
    }
  }
  return new Map(
    [...opinions].map(([clause, perKind]) => [
      clause,
      KINDS.flatMap(kind => {
        const seen = perKind.get(kind)
        if (seen === undefined) return []
        if (seen.length === 0) return [{ kind, verdict: 'not exercised', reason: whyUnseen(clause) }]
        const { verdict, reason } = summed(seen)
        return verdict === 'not applicable' ? [] : [{ kind, verdict, reason }]
      }),
    ]),
  )
}

/** A clause, or its part for one kind of product. */
export interface Share {
  clause: ClauseRecord
  kind?: Kind
  verdict: ClauseRecord['verdict']
  reason?: string | undefined
}

/** Returns every applicable clause, once for each of its kinds of product. */
export const sharesOf = (clauses: readonly ClauseRecord[]): Share[] =>
  clauses
    .filter(({ verdict }) => verdict !== 'not applicable')
    .flatMap((clause): Share[] =>
      clause.kinds === undefined
        ? [{ clause, verdict: clause.verdict, reason: clause.reason }]
        : clause.kinds.map(row => ({ clause, ...row })),
    )

/** Counts clauses, or their parts for each kind of product. */
export const countsOf = (rows: readonly Pick<Share, 'verdict'>[]) => ({
  applicable: rows.filter(({ verdict }) => verdict !== 'not applicable').length,
  exercised: rows.filter(isExercised).length,
  conforming: rows.filter(({ verdict }) => verdict === 'conforms').length,
})

/** Counts clauses for each kind of product. */
export function coverageOf(clauses: readonly ClauseRecord[]): Required<Pick<Coverage, 'perKind' | 'kinds'>> {
  const shares = sharesOf(clauses)
  const kinds = KINDS.flatMap(kind => {
    const own = shares.filter(share => share.kind === kind)
    return own.length === 0 ? [] : [{ kind, ...countsOf(own) }]
  })
  return { perKind: countsOf(shares), kinds }
}
