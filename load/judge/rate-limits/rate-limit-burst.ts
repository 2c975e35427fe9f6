import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { RATE_LIMITS } from '../../../fixtures/clauses/rate-limits.ts'
import type { Fact, Plot } from '../../../fixtures/ground/record-load.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { LoadExchange, RequestRow, StageEvidence } from '../../read/evidence.ts'
import {
  answered,
  blocked,
  broken,
  type Decision,
  kept,
  limitedIn,
  notExercised,
  showing,
} from '../decision.ts'
import { MOST_POINTS } from '../figures/plots.ts'
import type { Answered, Judge } from '../judge.ts'
import { areLetThrough, isLimited, isServed, tallied } from '../outcomes.ts'
import { amiss, type Burst, type Bursts, burstOf, rowsOf } from './burst.ts'
import { mostServed, refusesMore, refusesWith429, serves500, within } from './burst-limit.ts'
import {
  identityOf,
  isOwn,
  isStated,
  limitOf,
  MINUTE,
  otherThan,
  senderOf,
  VERSIONS,
  type Version,
} from './limits.ts'

/** A sender that the limit of a burst does not concern. */
interface Bystander {
  clause: ClauseId
  part: string
  /** The sender and its request in words: `the same credential, in v2`. */
  who: string
  /** Whether only this run can have used its own limit. */
  isOwn: boolean
  /** Why it may be refused, if another finding explains it. */
  explained?: string | undefined
}

/** Decides whether senders that the burst does not concern are served during it. */
function spared(
  { alone, stages }: Bursts,
  version: Version,
  { clause, part, who, isOwn, explained }: Bystander,
): Decision {
  const [burst, stage] = [alone[version], stages.get(`alone-${version}-others`)]
  const rows = rowsOf(stage, part)
  if (burst === undefined || stage === undefined || rows.length === 0)
    return notExercised(clause, `needs ${who}, to ask beside a burst`)
  if (burst.limited === 0) return notExercised(clause, 'no credential was brought past its limit with a 429')
  const refused = rows.filter(isLimited)
  if (refused.length === 0) {
    if (!areLetThrough(rows)) return blocked(clause, `${who} was answered with ${tallied(rows)}`)
    if (isWithinTheMinute(burst, rows)) return kept(clause)
    return notExercised(clause, `${who} asked only after the minute of the burst`)
  }
  if (explained !== undefined) return notExercised(clause, explained)
  if (!isOwn) return notExercised(clause, `${who} was refused, and others may use that credential`)
  return broken(clause, {
    tried: `Sending ${rows.length} requests with ${who}, right after ${burst.rows.length} requests that another limit counts, of which ${burst.limited} were refused`,
    expected: 'all of them to be served',
    observed: tallied(rows),
    exchanges: [
      ...showing(burst.stage, ({ response }) => response.status === 429, 1),
      ...showing(stage, limitedIn(part)),
    ],
  })
}

/** Returns whether the limit was still exhausted at the last request, for any kind of window. */
const isWithinTheMinute = ({ rows }: Burst, asked: readonly RequestRow[]): boolean =>
  asked.at(-1)!.at - rows[0]!.at < (MINUTE - 1) * 1000

/** Judges whether exactly the documented number of requests passes in a minute, and which requests share the limit. */
export const judgeRateLimitBurst: Judge = (stages, circumstances) => {
  const bursts = (stage: (version: Version) => string) => ({
    v1: burstOf(stages.get(stage('v1')), 'v1'),
    v2: burstOf(stages.get(stage('v2')), 'v2'),
  })
  const seen: Bursts = {
    stages,
    circumstances,
    alone: bursts(version => `alone-${version}`),
    together: bursts(() => 'together'),
  }
  return {
    answers: VERSIONS.flatMap(version => answersOf(seen, version)),
    facts: VERSIONS.flatMap(version => [...factsOf(seen, version)]),
    plots: plotsOf(seen),
  }
}

/**
 * Returns the decision, unless a higher limit may be arranged: where nothing states the limit, it is only judged as far as
 * requests are refused.
 */
const unlessArranged = (seen: Bursts, version: Version) => {
  const of = ({ part, response: { status } }: LoadExchange) => part === version && status === 429
  const bursts = [seen.alone[version], seen.together[version]].flatMap(burst => burst ?? [])
  const stages = [...bursts.map(({ stage }) => stage), seen.stages.get('overrun')]
  const unstated = bursts.length > 0 && !isStated(seen.circumstances, version, stages)
  const isLimited =
    bursts.some(({ limited }) => limited > 0) || stages.some(stage => stage?.exchanges.some(of) === true)
  return (decision: Decision): Decision => {
    const { clause, outcome } = decision
    const isExcess = clause === RATE_LIMITS[version].refuses && outcome === 'broken'
    const isOpen = outcome === 'kept' || (outcome === 'undecided' && decision.verdict === 'not exercised')
    if (!unstated || !(isExcess || (isOpen && !isLimited))) return decision
    const most = bursts.reduce((most, { rows }) => Math.max(most, rows.length), 0)
    return notExercised(
      clause,
      `needs the limit of the account: ${isLimited ? 'more than the documented limit was served' : `bursts of ${most} requests met no 429`}, and a higher one can be arranged (limits.perMinute of the definition, TSS_LIMIT)`,
    )
  }
}

function answersOf(seen: Bursts, version: Version): Answered[] {
  const judged = unlessArranged(seen, version)
  const answer = (title: string, decisions: readonly Decision[]) => answered(title, decisions.map(judged))
  return [
    answer(`${version} serves ${limitOf(seen.circumstances)} requests a minute, and refuses more with 429`, [
      serves500(seen, version, cutShortBy(seen, version)),
      refusesMore(seen, version),
      refusesWith429(seen, version),
    ]),
    answer(`a credential over its limit in ${version} does not keep others from being served`, [
      sparesOther(seen, version),
      sparesCompany(seen, version),
      sparesColleague(seen, version),
    ]),
    answer(`${version} serves a credential again once Retry-After has passed`, [
      recoversAfter(seen, version),
    ]),
  ]
}

/** Decides whether the sender of a burst is served in the other version. */
function sparesOther(seen: Bursts, version: Version): Decision {
  const other = otherThan(version)
  const stage = seen.stages.get(`alone-${version}-others`)
  return spared(seen, version, {
    clause: RATE_LIMITS[version].sparesOther,
    part: 'other-version',
    who: `the same credential in ${other}`,
    isOwn: stage !== undefined && isOwn(senderOf(stage, 'burst'), seen.circumstances),
    explained: refusedAnyway(seen, other, stage),
  })
}

/** Returns why a version may refuse the sender of a stage, whatever it sent in the other version. */
function refusedAnyway(seen: Bursts, version: Version, stage: StageEvidence | undefined): string | undefined {
  const shared = countsOthers(seen, version)
  if (shared !== undefined) return shared
  const before = seen.alone[version]?.stage
  if (stage === undefined || before === undefined || before.startedAt >= stage.startedAt) return undefined
  if (burstSender(before) !== burstSender(stage)) return undefined
  if (recovers(seen, version).outcome === 'kept') return undefined
  return `${version} may still refuse the credential for an earlier burst`
}

const burstSender = (stage: StageEvidence): string | undefined => {
  const sender = senderOf(stage, 'burst')
  return sender === undefined ? undefined : identityOf(sender)
}

const sparesCompany = (seen: Bursts, version: Version): Decision =>
  spared(seen, version, {
    clause: RATE_LIMITS[version].perCredential,
    part: 'other-company',
    who: `the credential of another company in ${version}`,
    isOwn: seen.circumstances.minted,
  })

const sparesColleague = (seen: Bursts, version: Version): Decision =>
  spared(seen, version, {
    clause: RATE_LIMITS[version].companyCredentials,
    part: 'colleague',
    who: `another credential of the same company in ${version}`,
    isOwn: seen.circumstances.minted,
    explained: countsOthers(seen, version),
  })

/** Returns why a version refuses others, if it counts the requests of several companies together. */
const countsOthers = (seen: Bursts, version: Version): string | undefined =>
  sparesCompany(seen, version).outcome === 'broken'
    ? `${version} counts the requests of others, too`
    : undefined

/** A version that shares the limit of the other one is reported as such, and need not recover from it. */
function recoversAfter(seen: Bursts, version: Version): Decision {
  const decision = recovers(seen, version)
  const other = otherThan(version)
  if (decision.outcome !== 'broken' || sparesOther(seen, other).outcome !== 'broken') return decision
  return notExercised(decision.clause, `${version} refuses the credential for a burst of ${other}`)
}

/** Returns why fewer requests than the limit may be served, if another clause explains it. */
function cutShortBy(seen: Bursts, version: Version): string | undefined {
  const shared = countsOthers(seen, version)
  if (shared !== undefined) return shared
  if (!seen.circumstances.minted && goesByAnotherClock(seen, version))
    return `${version} does not go by the clock that was moved, so earlier requests of the run may count`
  const burst = seen.alone[version]
  if (burst === undefined) return undefined
  const earlier = [...seen.stages.values()].filter(
    stage => stage.startedAt < burst.stage.startedAt && burstSender(stage) === burstSender(burst.stage),
  )
  if (earlier.length === 0) return undefined
  const other = otherThan(version)
  if (sparesOther(seen, other).outcome === 'broken')
    return `${version} may refuse the credential for an earlier burst of ${other}`
  const asked = earlier.flatMap(({ requests }) =>
    requests.filter(({ api, who }) => api === version && who === 'burst'),
  ).length
  if (asked !== burst.limit - burst.served) return undefined
  return `${asked} requests from more than a minute before may count, too`
}

function* factsOf({ stages, circumstances, alone, together }: Bursts, version: Version): Generator<Fact> {
  const bursts = { alone: alone[version], [`beside ${otherThan(version)}`]: together[version] }
  for (const [how, burst] of Object.entries(bursts)) {
    if (burst === undefined) continue
    const { rows, seconds } = burst
    const value = `${tallied(rows)} in ${seconds.toFixed(1)} seconds`
    yield { name: `${version}, burst ${how}`, value }
    const reason = amiss(burst, version)
    if (reason !== undefined) yield { name: `${version}, burst ${how}, proves nothing`, value: reason }
  }
  const rows = rowsOf(stages.get('overrun'), version)
  if (rows.length === 0) return
  // A clock that is moved is only known to within some seconds.
  const name = `${version}: most served in ${circumstances.timeScale === 1 ? 'any' : 'about'} 60 seconds`
  yield { name, value: mostServed(rows, circumstances.timeScale), unit: 'requests' }
}

const plotsOf = ({ stages, circumstances }: Bursts): Plot[] => {
  const overrun = stages.get('overrun')
  return overrun === undefined ? [] : [admittedPlot(overrun, circumstances)]
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
      points: moments.map((at): [number, number] => [at, within(admitted, at - MINUTE, at)]),
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

/** Returns whether a credential is still refused after its clock was moved by a day. */
const goesByAnotherClock = ({ stages }: Pick<Bursts, 'stages'>, version: Version): boolean =>
  rowsOf(stages.get('a-day-later'), version).some(isLimited)

/** Decides whether a credential that exhausted its limit is served again after the window. */
function recovers({ circumstances, stages, ...bursts }: Bursts, version: Version): Decision {
  const clause = RATE_LIMITS[version].recovers
  const [alone, together, stage] = [bursts.alone[version], bursts.together[version], stages.get('recovery')]
  const rows = rowsOf(stage, version)
  if (together === undefined || stage === undefined || rows.length === 0)
    return notExercised(clause, `nobody asked ${version} again after a burst`)
  if (together.limited === 0) return notExercised(clause, `no request of ${version} was refused with a 429`)
  const { limit } = together
  if (together.served < Math.min(alone?.served ?? limit, limit))
    return notExercised(clause, `${version} refused the credential before its own limit was used up`)
  const refused = rows.filter(isLimited)
  if (refused.length === 0)
    return areLetThrough(rows) ? kept(clause) : blocked(clause, `${version} answered ${tallied(rows)}`)
  if (!isOwn(senderOf(stage, rows[0]!.who), circumstances))
    return notExercised(clause, 'needs a credential that nobody else uses meanwhile')
  if (goesByAnotherClock({ stages }, version))
    return notExercised(clause, 'needs a minute of real time, or a clock that the rate limit goes by')
  return broken(clause, {
    tried: `Sending ${rows.length} requests of ${version} after the Retry-After of a 429 had passed without requests`,
    expected: 'every request to be served',
    observed: tallied(rows),
    exchanges: [...showing(together.stage, limitedIn(version), 1), ...showing(stage, limitedIn(version))],
  })
}
