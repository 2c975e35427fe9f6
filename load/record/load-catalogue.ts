import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES, type ClauseId } from '../../fixtures/clauses/index.ts'
import type { Product } from '../../fixtures/control.ts'
import { isV1Product } from '../../fixtures/service/products.ts'
import { JUDGES } from '../judge/index.ts'
import type { ScenarioName } from '../plan/plan.ts'
import type { ScenarioResult } from './scenario-result.ts'

/**
 * The clauses that a load run is about: those that its scenarios set out to decide, and of the rules of every exchange
 * those that its answers could show. The rest of the document is not load's to judge.
 */
export function loadCatalogue(
  scenarios: readonly ScenarioName[],
  results: readonly ScenarioResult[],
  products: readonly Product[],
): Record<string, Clause> {
  // What is promised of a product of v1 is no matter where that is not sold.
  const sold = (id: ClauseId): boolean =>
    !isV1Product(CLAUSES[id].area) || products.includes(CLAUSES[id].area)
  const wanted = new Set<string>(scenarios.flatMap(scenario => JUDGES[scenario].clauses.filter(sold)))
  for (const { checks } of results) {
    for (const { report } of checks) {
      for (const id of [...report.clauses, ...report.exercised]) wanted.add(id)
      for (const { clause } of report.findings) wanted.add(clause)
    }
  }
  return Object.fromEntries(Object.entries(CLAUSES).filter(([id]) => wanted.has(id))) as Record<
    ClauseId,
    Clause
  >
}
