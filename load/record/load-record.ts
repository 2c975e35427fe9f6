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

/** Everything that the record of a load run is made from. */
export interface LoadInput {
  run: string
  /** Absent where it is not known: the inputs of a merge have none in common. */
  seed?: number | undefined
  deployment: { name: string; baseUrl: string; products: readonly Product[] }
  /** Those that were asked for. */
  scenarios: readonly ScenarioName[]
  results: readonly ScenarioResult[]
  /** Absent when the run ended before it was needed. */
  k6?: LoadRecord['k6'] | undefined
  /** The reason why the run could not be completed. */
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

/**
 * The clauses that a load run is about: those that its scenarios set out to decide, and of the rules of every exchange
 * those that its answers could show. The rest of the document is not load's to judge.
 */
function loadCatalogue(
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
  return Object.fromEntries(Object.entries(CLAUSES).filter(([id]) => wanted.has(id)))
}

/** Returns how many requests were answered, by version. */
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
