import { observe, observeTestMode, sentenceOf } from '../../fixtures/checkers/observe.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { LoadExchange } from '../read/evidence.ts'
import type { LoadFinding } from './judge.ts'

/** More of the same tells a reader nothing new. */
const FINDINGS_PER_CLAUSE = 3

/** Holds every answer of a scenario against the rules that every exchange must keep. */
export class PassiveRules {
  readonly #exercised = new Set<ClauseId>()
  readonly #findings = new Map<ClauseId, { told: LoadFinding[]; count: number }>()
  /** Answers observed. */
  judged = 0
  /** The same, by API version. */
  readonly requests = { v1: 0, v2: 0 }

  observe(exchange: LoadExchange): void {
    this.judged++
    if (exchange.version !== null) this.requests[exchange.version]++
    // Load uses test credentials only, but where the deployment is made for the run.
    const testMode = exchange.sender.role === 'live' ? undefined : observeTestMode(exchange)
    for (const { clause, violation } of [
      ...(testMode === undefined ? [] : [testMode]),
      ...observe(exchange),
    ]) {
      this.#exercised.add(clause)
      if (violation === null) continue
      const known = this.#findings.get(clause) ?? { told: [], count: 0 }
      this.#findings.set(clause, known)
      known.count++
      if (known.told.length >= FINDINGS_PER_CLAUSE) continue
      const message = sentenceOf(violation, exchange)
      known.told.push({ clause, message, ...violation, exchanges: [exchange.id] })
    }
  }

  exercised(): ClauseId[] {
    return [...this.#exercised]
  }

  /** Returns the first few of each clause; the last of them says how many more there were. */
  findings(): LoadFinding[] {
    return [...this.#findings.values()].flatMap(({ told, count }) =>
      told.map((finding, index) =>
        index === told.length - 1 && count > told.length
          ? { ...finding, message: `${finding.message}; ${count - told.length} more answers like it` }
          : finding,
      ),
    )
  }
}
