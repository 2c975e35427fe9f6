import { isSentAfter } from '../../fixtures/checkers/endpoint.ts'
import { observe, observeTestMode, sentenceOf } from '../../fixtures/checkers/observe.ts'
import type { Violation } from '../../fixtures/checkers/rule.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { errorCode } from '../../fixtures/contracts/reading.ts'
import { type Exchange, header } from '../../fixtures/ground/exchange.ts'
import type { Decision } from '../../fixtures/model/decision.ts'
import { Model } from '../../fixtures/model/model.ts'
import { offersIn } from '../../fixtures/model/offers.ts'
import type { LoadExchange } from '../read/evidence.ts'
import type { LoadFinding } from './judge.ts'
import { isServed } from './timeouts.ts'

/** The maximum number of findings per clause. More tell nothing new. */
const FINDINGS_PER_CLAUSE = 3

/** The number of offers that are remembered. */
const OFFERS = 10_000

/** What is known of a credential. */
interface Told {
  isServed: boolean
  /** Refusals with 401 after it was served. */
  turnedAway: Exchange[]
}

const nameOf = ({ sender: { role, tenant } }: Exchange): string => tenant ?? role

/** Judges every answer of a scenario by the passive rules, alone and with earlier answers to its credential. */
export class PassiveRules {
  readonly #exercised = new Set<ClauseId>()
  readonly #findings = new Map<ClauseId, { told: LoadFinding[]; count: number }>()
  readonly #told = new Map<string, Told>()
  readonly #model = new Model({
    companyOf: nameOf,
    ownerOf: nameOf,
    areStrangers: () => false,
    mostOffers: OFFERS,
    isAnsweredOnly: true,
  })
  /** The number of judged answers. */
  judged = 0
  /** The same by version. */
  readonly requests = { v1: 0, v2: 0 }

  readonly #changes: (role: string) => boolean

  /** @param changes returns whether the tokens of a role change, so that one of them may be over. Default: none does */
  constructor(changes: (role: string) => boolean = () => false) {
    this.#changes = changes
  }

  observe(exchange: LoadExchange): void {
    // k6 does not unpack what has this older name of gzip, so what it holds is not known.
    if (/\bx-gzip\b/i.test(header(exchange.response.headers, 'content-encoding') ?? '')) return
    this.judged++
    if (exchange.version !== null) this.requests[exchange.version]++
    const told = this.#toldTo(exchange)
    // Load uses test credentials only, unless the deployment was created for the run.
    const testMode = exchange.sender.role === 'live' ? undefined : observeTestMode(exchange)
    if (testMode !== undefined) this.#opine(testMode, [exchange])
    for (const result of observe(exchange)) this.#opine(result, [exchange])
    for (const result of this.#model.see(exchange)) this.#opine(result, result.exchanges)
    if (isTakenForForeign(exchange)) this.#opine(TAKEN_FOR_FOREIGN, [exchange])
    if (isServed(exchange.response)) {
      told.isServed = true
      const isOver = (one: Exchange) => isSentAfter(exchange, one)
      for (const one of told.turnedAway.filter(isOver)) this.#opine(TURNED_AWAY, [one])
      told.turnedAway = told.turnedAway.filter(one => !isOver(one))
    } else if (
      told.isServed &&
      exchange.response.status === 401 &&
      !this.#changes(exchange.sender.role) &&
      told.turnedAway.length < FINDINGS_PER_CLAUSE
    )
      told.turnedAway.push(exchange)
    for (const offer of offersIn(exchange)) this.#model.offers.offered(offer)
  }

  #toldTo(exchange: Exchange): Told {
    const told = this.#told.get(nameOf(exchange)) ?? { isServed: false, turnedAway: [] }
    this.#told.set(nameOf(exchange), told)
    return told
  }

  #opine(
    { clause, violation }: { clause: ClauseId; violation: Violation | null },
    exchanges: readonly Exchange[],
  ): void {
    this.#exercised.add(clause)
    if (violation === null) return
    const known = this.#findings.get(clause) ?? { told: [], count: 0 }
    this.#findings.set(clause, known)
    known.count++
    if (known.told.length >= FINDINGS_PER_CLAUSE) return
    const message = sentenceOf(violation, exchanges.at(-1)!)
    known.told.push({ clause, message, ...violation, exchanges: exchanges.map(({ id }) => id) })
  }

  /** Judges the history of each credential, after the last answer. */
  close(): void {
    for (const decision of this.#model.settle())
      if (!mayBeOverload(decision)) this.#opine(decision, decision.exchanges)
    this.#told.clear()
  }

  exercised(): ClauseId[] {
    return [...this.#exercised]
  }

  /** Returns the first findings of each clause. The last one states how many more there are. */
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

/** Returns whether a repeat failed as any request may under load: `booking-contention` counts which do. */
const mayBeOverload = ({ clause, exchanges }: Decision): boolean =>
  clause === 'V2-IDEM-RACE-ANSWERS' && exchanges.at(-1)!.response.status >= 500

/** Scenarios check only offers that the same credential just received, unaltered. */
const isTakenForForeign = (exchange: LoadExchange): boolean =>
  exchange.op === 'v2 offer check' && errorCode(exchange) === 'OFFER_INVALID'

/** A credential may expire during a run, so a refusal counts only if the credential is served again. */
const TURNED_AWAY = {
  clause: 'AUTH-BOTH-VERSIONS',
  violation: { expected: 'a credential that is served before and after to be accepted', observed: '401' },
} as const

const TAKEN_FOR_FOREIGN = {
  clause: 'V2-OFFER-CHECK-OK',
  violation: { expected: 'an offer that was just found to be checked', observed: 'OFFER_INVALID' },
} as const
