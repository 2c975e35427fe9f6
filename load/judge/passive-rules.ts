import { observe, observeTestMode, sentenceOf } from '../../fixtures/checkers/observe.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { LoadExchange } from '../read/evidence.ts'
import type { LoadFinding } from './judge.ts'

/** More of the same tells a reader nothing new. */
const FINDINGS_PER_CLAUSE = 3

/** Holds every answer of a scenario against the rules that every exchange must keep. */
export interface PassiveRules {
  observe(exchange: LoadExchange): void
  /** Answers observed. */
  judged(): number
  /** The same, by API version. */
  requests(): { v1: number; v2: number }
  exercised(): ClauseId[]
  /** The first few of each clause; the last of them says how many more there were. */
  findings(): LoadFinding[]
}

export function createPassiveRules(): PassiveRules {
  const exercised = new Set<ClauseId>()
  const findings = new Map<ClauseId, { told: LoadFinding[]; count: number }>()
  let judged = 0
  const requests = { v1: 0, v2: 0 }
  return {
    observe(exchange) {
      judged++
      if (exchange.version !== null) requests[exchange.version]++
      // Load uses test credentials only, but where the deployment is made for the run.
      const testMode = exchange.sender.role === 'live' ? undefined : observeTestMode(exchange)
      for (const { clause, violation } of testMode === undefined
        ? observe(exchange)
        : [testMode, ...observe(exchange)]) {
        exercised.add(clause)
        if (violation === null) continue
        const known = findings.get(clause) ?? { told: [], count: 0 }
        findings.set(clause, known)
        known.count++
        if (known.told.length >= FINDINGS_PER_CLAUSE) continue
        known.told.push({
          clause,
          message: sentenceOf(violation, exchange),
          ...violation,
          exchanges: [exchange.id],
        })
      }
    },
    judged: () => judged,
    requests: () => ({ ...requests }),
    exercised: () => [...exercised],
    findings: () =>
      [...findings.values()].flatMap(({ told, count }) =>
        told.map((finding, index) =>
          index === told.length - 1 && count > told.length
            ? { ...finding, message: `${finding.message}; ${count - told.length} more answers like it` }
            : finding,
        ),
      ),
  }
}
