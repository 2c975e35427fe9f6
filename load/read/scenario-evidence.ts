import { keepsLimit } from '../../fixtures/check/buying/probes.ts'
import { isSentAfter } from '../../fixtures/checkers/endpoint.ts'
import { sentenceOf } from '../../fixtures/checkers/observe.ts'
import { light } from '../../fixtures/checkers/remember.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { isVersionSold } from '../../fixtures/clauses/version.ts'
import type { Recorder } from '../../fixtures/client/recording/index.ts'
import type { Deployment, Role } from '../../fixtures/deployments/definition/index.ts'
import type { CheckReport } from '../../fixtures/ground/check-report.ts'
import type { Exchange } from '../../fixtures/ground/exchange.ts'
import type { Use } from '../../fixtures/model/limits/limits.ts'
import { CheckEvidence } from '../../fixtures/recording/check-evidence.ts'
import { FACTS_FORMAT, type Fact } from '../../fixtures/recording/facts.ts'
import type { Knows } from '../../fixtures/recording/judge.ts'
import { isHandle } from '../../fixtures/secrets/token-handle.ts'
import { DOCUMENTED_LIMIT } from '../../fixtures/service/rate-limit.ts'
import { type ScenarioName, tenantOf } from '../plan/plan.ts'
import type { RawStage } from '../run/run-stages.ts'
import type { Claim } from './evidence.ts'

const VERSIONS = ['v1', 'v2'] as const

/** The seconds of real time by which a clock that is moved in steps may be wrong, at least. */
const STEPS = 0.15
/** More findings of one clause tell nothing new. */
const MOST_FINDINGS = 3

/** Where the senders of a scenario send, and what writes it down. */
interface Ground {
  deployment: Deployment
  recorder: Recorder
}

/** What judges all that is sent for a check of load. */
export interface OpenEvidence {
  evidence: CheckEvidence
  /** Judges what others beside it may explain, after the last answer. */
  close(): CheckReport
}

/**
 * Opens the evidence of what load sends, as the judge of checks takes it, and as a recording tells it.
 *
 * @param touchedOf returns when control last may have moved the clock of a sender. Default: never
 * @param see receives every answer once it is judged
 */
export function openEvidence(
  check: string,
  { deployment, recorder }: Ground,
  touchedOf: (one: Exchange) => number = () => 0,
  see: (one: Exchange) => void = () => {},
): OpenEvidence {
  const { control, limits, products } = deployment
  const of = recorder.nextId()
  const evidence = new CheckEvidence({
    check,
    clauses: [],
    redact: recorder.redactor.text,
    tell: (fact: Fact) => recorder.tell({ of, ...fact }),
    versions: VERSIONS.filter(version => isVersionSold(version, products)),
    mints: control.mint !== undefined,
    perMinute: limits.perMinute,
    areKept: keepsLimit(deployment),
    isLoad: true,
    sales: { touchedOf },
  })
  const stops = [
    recorder.onExchange(one => {
      if (one.check !== check) return
      const moment = evidence.observe(one)
      see(one)
      return moment
    }),
    recorder.onLoss(one => (one.check === check ? evidence.lost(one) : undefined)),
  ]
  const close = () => {
    for (const stop of stops) stop()
    return evidence.close(undefined, undefined)
  }
  return { evidence, close }
}

/** Tells a recording of a check why some of what it asks was not answered. */
export function tellStopped(
  recorder: Recorder,
  check: string,
  clauses: readonly string[],
  stopped: NonNullable<CheckReport['stopped']>,
): void {
  const fact: Fact = { fact: 'check', format: FACTS_FORMAT, check, clauses: [...clauses], stopped }
  recorder.tell({ of: recorder.nextId(), ...fact })
}

/** What is known of a credential. */
interface Told {
  isServed: boolean
  /** Refusals with 401 after it was served. */
  turnedAway: Exchange[]
}

/** The evidence of a scenario: what its senders knew, all that they were answered, and what load makes of that. */
export class ScenarioEvidence {
  readonly check: string
  readonly #evidence: CheckEvidence
  /** Judges the history of each credential, after the last answer. */
  readonly close: OpenEvidence['close']
  readonly #ground: Ground
  readonly #scenario: ScenarioName
  /** The senders that were told of. */
  readonly #known = new Set<string>()
  readonly #told = new Map<string, Told>()
  readonly #counts = new Map<ClauseId, number>()
  #isFast = false

  constructor(check: string, scenario: ScenarioName, ground: Ground) {
    this.check = check
    this.#scenario = scenario
    this.#ground = ground
    const touchedOf = ({ startedAt }: Exchange) => (this.#isFast ? Date.parse(startedAt) : 0)
    const opened = openEvidence(check, ground, touchedOf, one => this.#noteCredential(one))
    this.#evidence = opened.evidence
    this.close = opened.close
  }

  get #isBurst(): boolean {
    return this.#scenario === 'rate-limit-burst'
  }

  /** The number of judged answers. */
  get judged(): number {
    return this.#evidence.requests
  }

  /**
   * Tells what is known of the senders of a stage before its first request.
   *
   * @param count counts the requests of each in its log, by its alias and the version
   */
  async begins(
    { plan, senders, speed, startedAt, behind = 0, counted }: RawStage,
    count: () => Promise<ReadonlyMap<string, number>>,
  ): Promise<void> {
    const counts = this.#isBurst ? await count() : undefined
    for (const sender of senders) {
      const { alias, role, tenant, knows = NOTHING_KNOWN } = sender
      const name = tenantOf(sender)
      if (!this.#known.has(`${name} ${role}`)) {
        this.#known.add(`${name} ${role}`)
        this.#evidence.opens(name, knows)
        for (const version of VERSIONS) {
          const all = counted?.get(alias)?.requests[version] ?? 0
          const unseen = counts && Math.max(0, all - (counts.get(`${alias} ${version}`) ?? 0))
          const use = this.#useOf(role, unseen)
          if (use !== undefined)
            this.#evidence.uses({ role, ...(tenant !== undefined && { tenant }) }, version, use)
        }
      }
      if (plan.silence !== undefined) this.#moves(name, { seconds: plan.silence }, startedAt)
      const slack = Math.max(STEPS, behind / 1000) * (speed - 1)
      if (speed !== 1) this.#moves(name, { seconds: 0, speed, slack }, startedAt)
    }
    this.#isFast = speed !== 1
  }

  /** Tells that the clocks of its senders run as usual again. */
  ends({ senders, speed, finishedAt }: RawStage): void {
    if (speed !== 1) for (const one of senders) this.#moves(tenantOf(one), { seconds: 0 }, finishedAt)
    this.#isFast = false
  }

  #moves(tenant: string, how: { seconds: number; speed?: number; slack?: number }, at: number): void {
    this.#evidence.arrange(tenant, { what: 'clock', ...how }, {}, at)
  }

  /** Returns what a credential was used for before; `undefined` if limits are not judged by it. */
  #useOf(role: string, unseen = 0): Use | undefined {
    const { control, limits } = this.#ground.deployment
    // Only this run can have used what was made for it, and what may be used up.
    if (control.mint !== undefined) return { before: unseen, isMade: this.#isBurst }
    if (!this.#scenario.startsWith('rate-limit')) return undefined
    return { before: role === 'expendable' ? (limits.perMinute ?? DOCUMENTED_LIMIT) : undefined }
  }

  /** A credential may expire during a run, so a refusal counts only if the credential is served again. */
  #noteCredential(exchange: Exchange): void {
    const { sender, response } = exchange
    const { isServed: wasServed = false, turnedAway = [] } = this.#told.get(tenantOf(sender)) ?? {}
    const told = { isServed: wasServed, turnedAway }
    this.#told.set(tenantOf(sender), told)
    if (response.status >= 200 && response.status < 300) {
      const isOver = (one: Exchange) => isSentAfter(exchange, one)
      for (const one of turnedAway.filter(isOver))
        this.claims({
          clause: 'AUTH-BOTH-VERSIONS',
          found: { ...TURNED_AWAY, message: sentenceOf(TURNED_AWAY, one), exchanges: [one.id] },
        })
      Object.assign(told, { isServed: true, turnedAway: turnedAway.filter(one => !isOver(one)) })
    } else if (
      wasServed &&
      response.status === 401 &&
      !this.#changes(sender.role) &&
      turnedAway.length < MOST_FINDINGS
    )
      turnedAway.push(light(exchange))
  }

  /** Returns whether the tokens of a role change, so that one of them may be over. */
  #changes(role: string): boolean {
    return isHandle(this.#ground.deployment.credentials[role as Role]?.token ?? '')
  }

  /** Adds what load alone knows of a clause. */
  claims({ clause, found }: Claim): void {
    this.#evidence.looked(clause, [], found === undefined)
    const count = (this.#counts.get(clause) ?? 0) + 1
    this.#counts.set(clause, count)
    if (found === undefined || count > MOST_FINDINGS) return
    // Findings of load come from concurrent requests.
    this.#evidence.keep([{ clause, ...found, chance: true, source: 'check', check: this.check }])
  }

  /** Adds what there is to know beside. */
  tells(text: string): void {
    this.#evidence.fact(text)
  }
}

const NOTHING_KNOWN: Knows = { modes: {}, features: {} }

const TURNED_AWAY = {
  expected: 'a credential that is served before and after to be accepted',
  observed: '401',
}
