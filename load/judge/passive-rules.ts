import { isSentAfter } from '../../fixtures/checkers/endpoint.ts'
import { OwnIds } from '../../fixtures/checkers/http/own-ids.ts'
import { historyRules } from '../../fixtures/checkers/index.ts'
import { observe, observeTestMode, sentenceOf } from '../../fixtures/checkers/observe.ts'
import { HISTORIC, remnantOf } from '../../fixtures/checkers/remnant.ts'
import type { Violation } from '../../fixtures/checkers/rule.ts'
import { V1Carried } from '../../fixtures/checkers/v1-hotels/carried.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { errorCode } from '../../fixtures/contracts/reading.ts'
import { type Exchange, header } from '../../fixtures/ground/exchange.ts'
import { OfferModel, transfersIn } from '../../fixtures/model/offers.ts'
import { SalesModel } from '../../fixtures/model/sales.ts'
import type { LoadExchange } from '../read/evidence.ts'
import type { LoadFinding } from './judge.ts'
import { isServed } from './outcomes.ts'

/** The maximum number of findings per clause. More tell nothing new. */
const FINDINGS_PER_CLAUSE = 3

/** The number of offers that are remembered per credential. */
const OFFERS = 1000

/** Earlier answers to a credential, which later ones are compared with. */
class Told {
  readonly offers = new OfferModel({ most: OFFERS, areStrangers: () => false })
  readonly rates = new V1Carried()
  readonly history: Exchange[] = []
  isServed = false
  /** Refusals with 401 after it was served. */
  turnedAway: Exchange[] = []
}

/** Judges every answer of a scenario by the passive rules, alone and with earlier answers to its credential. */
export class PassiveRules {
  readonly #exercised = new Set<ClauseId>()
  readonly #findings = new Map<ClauseId, { told: LoadFinding[]; count: number }>()
  readonly #told = new Map<string, Told>()
  readonly #sales = new SalesModel({
    companyOf: ({ sender }) => sender.tenant ?? sender.role,
    areStrangers: () => false,
  })
  /** Request ids of all credentials. */
  readonly #ids = new OwnIds()
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
    for (const result of told.offers.judge(exchange)) this.#opine(result, result.exchanges)
    for (const rules of [told.rates, this.#ids])
      for (const result of rules.judge(exchange)) this.#opine(result, [...result.before, exchange])
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
    for (const offer of transfersIn(exchange)) told.offers.offered(offer)
    this.#sales.see(exchange)
    if (HISTORIC.has(exchange.op)) told.history.push(remnantOf(exchange))
  }

  #toldTo({ sender: { role, tenant } }: Exchange): Told {
    const name = tenant ?? role
    let told = this.#told.get(name)
    if (told === undefined) {
      told = new Told()
      this.#told.set(name, told)
    }
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
    for (const { clause, violation, exchanges } of this.#sales.settle())
      this.#opine({ clause, violation }, exchanges)
    for (const { history } of this.#told.values()) {
      for (const { clause, applies, violation } of historyRules) {
        if (!applies(history)) continue
        const { exchanges = [], ...broken } = violation(history) ?? {}
        this.#opine({ clause, violation: exchanges.length === 0 ? null : (broken as Violation) }, exchanges)
      }
    }
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
