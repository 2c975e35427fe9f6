import { type Clause, whyUndecidable } from '../../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { versionOfClause } from '../../../fixtures/clauses/version.ts'
import type { Tested } from '../../../fixtures/deployments/loading/index.ts'
import type { ApiVersion } from '../../../fixtures/ground/exchange.ts'
import type { ProductId } from '../../../fixtures/ground/products.ts'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import { isOfTraffic, passiveClauses } from '../../../fixtures/model/clauses.ts'
import type { JudgedSituation } from '../../../fixtures/recording/traffic.ts'
import { indexedChecks } from '../../../fixtures/run/check-index.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import { assemble } from '../../../reports/judge/assemble.ts'
import { collected } from './examination-record.ts'
import type { Side } from './sides.ts'

/** What was judged of traffic that others sent. */
interface JudgedTraffic {
  run: string
  /** What the record calls the traffic: the names of recordings, or an address. */
  name: string
  /** The address, or what stands for it. */
  baseUrl: string
  side: Side
  products: readonly ProductId[]
  judged: readonly JudgedSituation[]
  /** The requests by version of the API. */
  requests: Record<ApiVersion, number>
  /** Why so little is known that nothing passes, one sentence each. */
  unseen?: readonly string[]
  startedAt: Date
  finishedAt: Date
  halted?: string | undefined
  tested?: Tested
}

/** Makes the record of traffic that others sent. */
export function trafficRecord(traffic: JudgedTraffic): RunRecord {
  const { run, name, baseUrl, products, judged, requests, unseen, startedAt, finishedAt, halted, tested } =
    traffic
  const catalogue = catalogueOf(traffic)
  // What is not known concerns only clauses of what was used.
  const checks = judged.map(({ report, ...one }) =>
    collected({ ...one, report: { ...report, clauses: report.clauses.filter(id => id in catalogue) } }),
  )
  return assemble({
    kit,
    context: { run },
    subject: 'recording',
    deployment: { name: name.slice(0, 200), baseUrl, products: [...products] },
    catalogue,
    passiveClauses,
    collected: { checks, moduleErrors: [], unhandledErrors: [], ended: true },
    ...(checks.some(({ kind }) => kind) && { registered: indexedChecks() }),
    requests,
    leftovers: [],
    ...(unseen && { unseen: [...unseen] }),
    ...(halted !== undefined && { halted }),
    ...(tested && { tested }),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
  })
}

/** The clauses about clients, and those about deployments that traffic can decide, of the versions that were used. */
function catalogueOf({ side, judged, requests }: JudgedTraffic): Record<string, Clause> {
  // What a check of the kit cites concerns it, whatever traffic alone can decide.
  const shown = new Set<string>(
    judged.flatMap(({ check, report: { clauses, exercised } }) =>
      check.startsWith('suites/') ? [...clauses, ...exercised] : exercised,
    ),
  )
  const isUsed = (id: string) => {
    const version = versionOfClause(id)
    return version === undefined ? requests.v1 + requests.v2 > 0 : requests[version] > 0
  }
  return Object.fromEntries(
    Object.entries(CLAUSES).filter(([id, clause]) => {
      if (clause.side === 'client') return side !== 'server'
      if (shown.has(id)) return true
      return side !== 'client' && isOfTraffic(id) && isUsed(id) && whyUndecidable(clause) === undefined
    }),
  )
}
