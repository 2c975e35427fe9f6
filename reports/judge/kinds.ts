import type { Product } from '../../fixtures/ground/control.ts'
import { isV1Product, KINDS, type Kind, kindOf, v2ProductOf } from '../../fixtures/ground/products.ts'
import { type ClauseRecord, isExercised, type RunRecord } from '../../fixtures/ground/record.ts'
import { type Judgement, type Opinion, summed } from './judge-check.ts'

type Coverage = RunRecord['coverage']

/**
 * Returns the verdict of each clause for each kind of product. A clause applies to the kinds that its checks are
 * registered for, and to those in whose traffic it was judged, if they are on sale. A clause about one v1 product
 * applies to that only, although checks of others may have ordered it.
 */
export function kindsOf(
  judgements: readonly Judgement[],
  products: readonly Product[],
  catalogue: Readonly<Record<string, { area: string }>>,
): Map<string, NonNullable<ClauseRecord['kinds']>[number][]> {
  const opinions = new Map<string, Map<Kind, Opinion[]>>()
  for (const { check, cited, opinions: own } of judgements) {
    const kind = check.kind ?? check.report?.kind
    const product = check.product ?? check.report?.product
    if (kind === undefined || !products.includes(product ?? v2ProductOf(kind))) continue
    for (const [clause, opinion] of own) {
      if (!isExercised(opinion) && (check.kind === undefined || !cited.includes(clause))) continue
      const { area = '' } = catalogue[clause] ?? {}
      const about = isV1Product(area) ? kindOf(area) : kind
      const perKind = opinions.get(clause) ?? new Map<Kind, Opinion[]>()
      opinions.set(clause, perKind)
      perKind.set(about, [...(perKind.get(about) ?? []), opinion])
    }
  }
  return new Map(
    [...opinions].map(([clause, perKind]) => [
      clause,
      KINDS.flatMap(kind => {
        const seen = perKind.get(kind)
        if (seen === undefined) return []
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
