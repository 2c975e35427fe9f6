import { sentenceOf } from '../../fixtures/checkers/observe.ts'
import { lostAnswer } from '../../fixtures/checkers/remnant.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { RATE_LIMITS } from '../../fixtures/clauses/rate-limits.ts'
import type { Exchange } from '../../fixtures/ground/exchange.ts'
import type { Fact, Plot } from '../../fixtures/ground/record-load.ts'
import { LimitModel, type Use } from '../../fixtures/model/limits/limits.ts'
import { MINUTE, mostInAMinute, timesOf, upTo } from '../../fixtures/model/limits/minutes.ts'
import { DOCUMENTED_LIMIT } from '../../fixtures/service/rate-limit.ts'
import type { Circumstances, Sender } from '../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../read/evidence.ts'
import { MOST_POINTS } from './figures/figures.ts'
import { answered, blocked, type Decision, type Judge, kept, notExercised } from './judge.ts'
import { isAnswered, isLimited, isServed, settingOf, tallied } from './timeouts.ts'

export type Version = 'v1' | 'v2'
export const VERSIONS = ['v1', 'v2'] as const

/** The stages in which the deployment's clock is faster than real time. */
const FAST: readonly string[] = ['overrun', 'sustained']
/** The seconds of real time by which a clock that is moved in steps may be wrong, at least. */
const STEPS = 0.15
const FINDINGS_PER_CLAUSE = 3

/** Returns the identity of a sender across stages, since aliases repeat. */
export const identityOf = ({ tenant, role }: Sender): string => tenant ?? role

const limitOf = ({ settings }: Pick<Circumstances, 'settings'>): number => settings.limit ?? DOCUMENTED_LIMIT

/** Returns what the rows of rate limits decide of several stages. */
function decide(
  stages: ReadonlyMap<string, StageEvidence>,
  { settings, timeScale, minted }: Circumstances,
  of: 'bursts' | 'journeys',
): Decision[] {
  const limit = limitOf({ settings })
  const uses = new Map<string, Use>()
  const nameOf = (sender: Sender) => JSON.stringify([identityOf(sender), sender.alias])
  const model = new LimitModel({
    limit: settings.limit,
    useOf: (credential, version) => uses.get(`${version} ${credential}`) ?? null,
  })
  const moved = new Map<string, number>()
  for (const stage of [...stages.values()].sort((one, other) => one.startedAt - other.startedAt)) {
    const { plan, startedAt, finishedAt, counted, requests, behind = 0 } = stage
    const faster = FAST.includes(plan.stage) ? timeScale - 1 : 0
    for (const sender of plan.senders) {
      moved.set(identityOf(sender), (moved.get(identityOf(sender)) ?? 0) + (plan.silence ?? 0))
      for (const version of VERSIONS) {
        const sent = requests.filter(({ who, api }) => who === sender.alias && api === version).length
        const unseen = Math.max(0, (counted?.get(sender.alias)?.requests[version] ?? 0) - sent)
        // Only this run can have used what was made for it, and what may be used up.
        const before = minted
          ? of === 'bursts'
            ? unseen
            : 0
          : sender.role === 'expendable'
            ? limit
            : undefined
        const name = `${version} ${nameOf(sender)}`
        if (!uses.has(name)) uses.set(name, { before, isMade: minted && of === 'bursts' })
      }
    }
    const see = (exchange: Exchange, alias: string) => {
      const sender = plan.senders.find(one => one.alias === alias)!
      const company = identityOf(sender)
      const ahead = ((Date.parse(exchange.startedAt) - startedAt) / 1000) * faster
      const clock = {
        moved: (moved.get(company) ?? 0) + ahead,
        slack: Math.max(STEPS, behind / 1000) * faster,
      }
      model.see(exchange, { credential: nameOf(sender), company }, clock)
    }
    for (const exchange of stage.exchanges) see(exchange, exchange.who)
    for (const failure of stage.failures) see(lostAnswer(failure), failure.who)
    for (const company of new Set(plan.senders.map(identityOf)))
      moved.set(company, (moved.get(company) ?? 0) + ((finishedAt - startedAt) / 1000) * faster)
  }
  return [...Map.groupBy(model.settle(), ({ clause }) => clause)].map(([clause, all]): Decision => {
    const findings = all.flatMap(({ violation, exchanges }) =>
      violation === null
        ? []
        : [
            {
              clause,
              message: sentenceOf(violation, exchanges.at(-1)!),
              ...violation,
              exchanges: exchanges.map(({ id }) => id),
            },
          ],
    )
    return findings.length === 0
      ? kept(clause)
      : { clause, outcome: 'broken', findings: findings.slice(0, FINDINGS_PER_CLAUSE) }
  })
}

/** Returns refusals of senders made for the run that never came near the limit. */
export const unexpectedRefusals = (
  stages: ReadonlyMap<string, StageEvidence>,
  circumstances: Circumstances,
): Decision[] =>
  circumstances.minted
    ? decide(stages, circumstances, 'journeys').filter(({ outcome }) => outcome === 'broken')
    : []

/** Returns the requests of a part of a stage. */
const rowsOf = (stage: StageEvidence | undefined, part: string): RequestRow[] =>
  stage?.requests.filter(row => row.part === part) ?? []

/** Returns a question with what was decided of its clauses, and why the others are open. */
const asked = (title: string, clauses: readonly ClauseId[], decided: readonly Decision[], open: Open) =>
  answered(
    title,
    clauses.map(clause => decided.find(one => one.clause === clause) ?? open(clause)),
  )

type Open = (clause: ClauseId) => Decision

/** Returns why a burst shows nothing. */
function whyOpen(stages: ReadonlyMap<string, StageEvidence>, version: Version): Open {
  const rows = [...stages.values()].flatMap(stage => rowsOf(stage, version))
  const odd = rows.filter(row => !isServed(row) && !isLimited(row)).length
  if (rows.length === 0) return clause => notExercised(clause, `no burst of ${version} was sent`)
  const outcomes = `${odd} of ${rows.length} requests in bursts were neither served nor refused with a 429 (${tallied(rows)})`
  if (odd > 0) return clause => blocked(clause, outcomes)
  const why = rows.some(isLimited)
    ? 'a burst of less than a minute past the limit with a credential that nobody else uses, and a clock that the limit goes by'
    : `the limit of the account: bursts of ${rows.length} requests met no 429, and a higher one can be arranged (limits.perMinute of the definition, TSS_LIMIT)`
  return clause => notExercised(clause, `needs ${why}`)
}

/** Judges whether exactly the documented number of requests passes in a minute, and which requests share the limit. */
export const judgeRateLimitBurst: Judge = (stages, circumstances) => {
  const decided = decide(stages, circumstances, 'bursts')
  const overrun = stages.get('overrun')
  return {
    answers: VERSIONS.flatMap(version => {
      const { serves, refuses, status, perCredential, companyCredentials, sparesOther, recovers } =
        RATE_LIMITS[version]
      const open = whyOpen(stages, version)
      const limit = limitOf(circumstances)
      return [
        asked(
          `${version} serves ${limit} requests a minute, and refuses more with 429`,
          [serves, refuses, status],
          decided,
          open,
        ),
        asked(
          `a credential over its limit in ${version} does not keep others from being served`,
          [sparesOther, perCredential, companyCredentials],
          decided,
          open,
        ),
        asked(`${version} serves a credential again once Retry-After has passed`, [recovers], decided, open),
      ]
    }),
    facts: VERSIONS.flatMap(version => [...factsOf(stages, version, circumstances)]),
    plots: overrun === undefined ? [] : [admittedPlot(overrun, circumstances)],
  }
}

/** Judges whether a partner within the documented rate is ever answered 429. */
export const judgeRateLimitSustained: Judge = (stages, circumstances) => {
  const { settings, timeScale } = circumstances
  const decided = decide(stages, circumstances, 'journeys')
  const stage = stages.get('sustained')
  return {
    answers: VERSIONS.map(version => {
      const { serves, keepsServing } = RATE_LIMITS[version]
      const rows = rowsOf(stage, version)
      const [wanted, reached] = [
        settingOf(settings, 'perMinute'),
        perMinute(rows.filter(isAnswered), timeScale),
      ]
      const open = (clause: ClauseId) =>
        notExercised(
          clause,
          rows.length === 0
            ? `nothing was asked of ${version}`
            : `${version} answered ${Math.round(reached)} requests a minute of ${wanted} intended, ${tallied(rows)}: needs a credential that nobody else uses, and a limit by the clock that is moved`,
        )
      const broken = decided.filter(one => one.clause === serves && one.outcome === 'broken')
      const isReached = reached >= REACHED * wanted
      const told = decided.filter(
        one => one.clause === keepsServing && (isReached || one.outcome === 'broken'),
      )
      const clauses = [keepsServing, ...broken.map(({ clause }) => clause)]
      const title = `${version} never refuses a partner that keeps to the documented rate`
      return asked(title, clauses, [...broken, ...told], open)
    }),
    facts: VERSIONS.flatMap(version => [...factsOf(stages, version, circumstances)]),
    plots: [],
  }
}

/** The share of the intended rate that must be reached for a result. */
const REACHED = 0.9

/** Returns the requests per minute of the deployment's clock. */
function perMinute(rows: readonly RequestRow[], timeScale: number): number {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined || last.at === first.at) return 0
  return (rows.length - 1) / (((last.at - first.at) * timeScale) / 60_000)
}

/** Yields, for each stage at its limit, what was sent and the most that was served in a minute of the deployment's clock. */
function* factsOf(
  stages: ReadonlyMap<string, StageEvidence>,
  version: Version,
  { timeScale }: Circumstances,
): Generator<Fact> {
  for (const [name, stage] of stages) {
    const rows = rowsOf(stage, version)
    const scale = FAST.includes(name) ? timeScale : 1
    if (rows.length === 0) continue
    const served = rows.filter(isServed).map(({ at }) => (at / 1000) * scale)
    yield { name: `${version}, ${name}`, value: tallied(rows) }
    if (scale > 1)
      yield { name: `${version}, ${name}: requests a minute`, value: Math.round(perMinute(rows, scale)) }
    yield {
      name: `${version}, ${name}: most served in ${scale === 1 ? 'any' : 'about'} 60 seconds`,
      value: mostInAMinute(timesOf(served.map(at => ({ from: at, by: at })))),
      unit: 'requests',
    }
  }
}

/** Returns a plot of the requests admitted in the minute before each moment of an overrun, by the limiter's clock. */
function admittedPlot(overrun: StageEvidence, circumstances: Circumstances): Plot {
  const { timeScale } = circumstances
  const zero = overrun.requests[0]?.at ?? overrun.startedAt
  const seconds = (at: number) => ((at - zero) / 1000) * timeScale
  const last = seconds(overrun.requests.at(-1)?.at ?? zero)
  const step = Math.max(1, Math.ceil(last / (MOST_POINTS - 1)))
  const moments = Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step)
  const series = VERSIONS.map(version => {
    const admitted = Float64Array.from(rowsOf(overrun, version).filter(isServed), ({ at }) => seconds(at))
    return {
      name: version,
      points: moments.map((at): [number, number] => [at, upTo(admitted, at) - upTo(admitted, at - MINUTE)]),
    }
  })
  return {
    kind: 'lines',
    title: `Requests served in the preceding minute, while more than ${limitOf(circumstances)} were sent`,
    x: "seconds of the deployment's clock",
    y: 'requests',
    series: series.filter(({ points }) => points.some(([, y]) => y > 0)),
  }
}
