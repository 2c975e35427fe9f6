import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES, type ClauseId } from '../../fixtures/clauses/index.ts'
import type { Product } from '../../fixtures/control.ts'
import type { Leftover, RunRecord } from '../../fixtures/record.ts'
import type { LoadRecord } from '../../fixtures/record-load.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { isV1Product } from '../../fixtures/service/products.ts'
import { assemble } from '../../reports/judge/assemble.ts'
import { JUDGES } from '../judge/index.ts'
import type { ScenarioName } from '../plan/plan.ts'
import { idOf, type ScenarioResult } from './scenario-result.ts'

/** The input for the record of a load run. */
export interface LoadInput {
  run: string
  /** Absent if unknown: merged runs have no common seed. */
  seed?: number | undefined
  deployment: { name: string; baseUrl: string; products: readonly Product[] }
  /** The requested scenarios. */
  scenarios: readonly ScenarioName[]
  results: readonly ScenarioResult[]
  /** Absent if the run ended before k6 was needed. */
  k6?: LoadRecord['k6'] | undefined
  /** Why the run could not be completed. */
  halted?: string | undefined
  requests: { v1: number; v2: number }
  leftovers: Leftover[]
  startedAt: Date
  finishedAt: Date
}

/** Makes the record of a load run. */
export function loadRecord(input: LoadInput): RunRecord {
  const { run, seed, deployment, results, k6, halted, requests, leftovers } = input
  return assemble({
    kit,
    context: { run, seed },
    deployment,
    catalogue: loadCatalogue(input.scenarios, results, deployment.products),
    passiveClauses: new Map(),
    collected: { checks: results.flatMap(collected), moduleErrors: [], unhandledErrors: [], ended: true },
    halted,
    ...(k6 === undefined ? {} : { load: { k6, scenarios: figuresOf(results) } }),
    requests,
    leftovers,
    startedAt: input.startedAt.toISOString(),
    finishedAt: input.finishedAt.toISOString(),
  })
}

/** Returns the clauses that the scenarios should decide, and the passive rules that the answers could show. */
function loadCatalogue(
  scenarios: readonly ScenarioName[],
  results: readonly ScenarioResult[],
  products: readonly Product[],
): Record<string, Clause> {
  // Promises about v1 products that are not sold are left out.
  const sold = (id: ClauseId): boolean =>
    !isV1Product(CLAUSES[id].area) || products.includes(CLAUSES[id].area)
  const wanted = new Set<string>(scenarios.flatMap(scenario => JUDGES[scenario].clauses.filter(sold)))
  for (const { checks } of results) {
    for (const { report } of checks) {
      for (const id of [...report.clauses, ...report.exercised]) wanted.add(id)
      for (const { clause } of report.findings) wanted.add(clause)
    }
  }
  return Object.fromEntries(Object.entries(CLAUSES).filter(([id]) => wanted.has(id)))
}

/** Returns the number of answered requests by version. */
export function requestsOf(results: readonly ScenarioResult[]): { v1: number; v2: number } {
  const total = { v1: 0, v2: 0 }
  for (const { checks } of results) {
    for (const { report } of checks) {
      total.v1 += report.requests.v1
      total.v2 += report.requests.v2
    }
  }
  return total
}

const figuresOf = (results: readonly ScenarioResult[]): LoadRecord['scenarios'] =>
  results.flatMap(({ figures, file, checks }) =>
    figures === undefined ? [] : [{ ...figures, checks: checks.map(({ title }) => idOf(file, title)) }],
  )

function collected({ file, checks, milliseconds }: ScenarioResult): CollectedCheck[] {
  return checks.map(({ title, report }) => ({
    id: idOf(file, title),
    file,
    title: [title],
    tags: [],
    milliseconds: milliseconds / checks.length,
    state: report.stopped?.verdict === 'error' || report.findings.length > 0 ? 'failed' : 'passed',
    errors: [],
    report,
  }))
}
