import { RATE_LIMITS } from '../../../fixtures/clauses/rate-limits.ts'
import type { Fact } from '../../../fixtures/ground/record-load.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../../read/evidence.ts'
import { answered, broken, type Decision, kept, limitedIn, notExercised, showing } from '../decision.ts'
import type { Judge } from '../judge.ts'
import { isAnswered, isLimited, isServed, settingOf, tallied } from '../outcomes.ts'
import { rowsOf } from './burst.ts'
import { mostWithin } from './burst-limit.ts'
import { isOwn, limitOf, MINUTE, senderOf, VERSIONS, type Version } from './limits.ts'

/** The share of the limit that is certainly below it. */
const WELL_BEHAVED = 0.96

/**
 * Returns the most requests that a deployment may have received in one of its minutes: a minute, plus the error of
 * a clock that moves in steps.
 */
const mostOfAMinute = (rows: readonly RequestRow[], timeScale: number): number =>
  mostWithin(
    Float64Array.from(rows, ({ at }) => (at / 1000) * timeScale),
    MINUTE + 0.5 + 0.1 * (timeScale - 1),
  )

/**
 * Returns refusals of senders that never came near the limit: at most 480 requests of 500 in any minute
 * before. Only credentials made for the run are certainly not used by others.
 */
export function unexpectedRefusals(
  stages: Iterable<StageEvidence>,
  { minted, ...circumstances }: Circumstances,
): Decision[] {
  if (!minted) return []
  return [...stages].flatMap(stage =>
    VERSIONS.flatMap(version => {
      const senders = Map.groupBy(
        stage.requests.filter(({ api }) => api === version),
        ({ who }) => who,
      )
      return [...senders].flatMap(([who, rows]) => refusalsOf(stage, version, who, rows, circumstances) ?? [])
    }),
  )
}

function refusalsOf(
  stage: StageEvidence,
  version: Version,
  who: string,
  rows: readonly RequestRow[],
  { timeScale, settings }: Omit<Circumstances, 'minted'>,
): Decision | null {
  const limit = limitOf({ settings })
  const first = rows.findIndex(isLimited)
  if (first === -1) return null
  const before = rows.slice(0, first + 1)
  // A limit may use another clock than the one that is moved.
  const most = Math.max(mostOfAMinute(before, timeScale), mostOfAMinute(before, 1))
  if (most > WELL_BEHAVED * limit) return null
  const refused = rows.filter(isLimited).length
  return broken(RATE_LIMITS[version].serves, {
    tried: `Sending ${rows.length} requests of ${version} as ${who}, at most ${most} in any minute before the first refusal`,
    expected: `all of them to be served, because ${limit} a minute are allowed`,
    observed: `${refused} × 429`,
    exchanges: showing(
      stage,
      exchange =>
        exchange.version === version && exchange.response.status === 429 && isBy(stage, exchange, who),
    ),
  })
}

function isBy({ plan }: StageEvidence, { sender }: StageEvidence['exchanges'][number], who: string): boolean {
  const meant = plan.senders.find(({ alias }) => alias === who)
  return meant?.tenant === sender.tenant && meant?.role === sender.role
}

/** Judges whether a partner within the documented rate is ever answered 429. */
export const judgeRateLimitSustained: Judge = (stages, circumstances) => {
  const stage = stages.get('sustained')
  return {
    answers: VERSIONS.map(version =>
      answered(`${version} never refuses a partner that keeps to the documented rate`, [
        decide(stage, version, circumstances),
      ]),
    ),
    facts: VERSIONS.flatMap(version => [...factsOf(rowsOf(stage, version), version, circumstances)]),
    plots: [],
  }
}

/** The share of the intended rate that must be reached for a result. */
const REACHED = 0.9

function decide(stage: StageEvidence | undefined, version: Version, circumstances: Circumstances): Decision {
  const clause = RATE_LIMITS[version].serves
  const rows = rowsOf(stage, version)
  const [first] = rows
  if (stage === undefined || first === undefined)
    return notExercised(clause, `nothing was asked of ${version}`)
  const { timeScale, settings } = circumstances
  const limit = limitOf(circumstances)
  const refused = rows.filter(isLimited).length
  const rate = perMinute(rows, timeScale)
  if (refused === 0) {
    const wanted = settingOf(settings, 'perMinute')
    const reached = perMinute(rows.filter(isAnswered), timeScale)
    return reached >= REACHED * wanted
      ? kept(clause)
      : notExercised(
          clause,
          `${version} answered ${Math.round(reached)} requests a minute of ${wanted} intended`,
        )
  }
  const most = mostOfAMinute(rows, timeScale)
  if (most > limit) {
    return notExercised(
      clause,
      `up to ${most} requests of ${version} came in a minute of the deployment's clock, which may refuse more than ${limit}`,
    )
  }
  // A limit by real time serves no more than this, for any kind of window.
  const served = rows.filter(isServed).length
  if (mostOfAMinute(rows, 1) > limit && served <= limit * (minutesOf(rows) + 1)) {
    return notExercised(
      clause,
      `${version} served ${served} requests of ${rows.length}, as a limit does that goes by real time and not by the clock that is moved`,
    )
  }
  if (!isOwn(senderOf(stage, first.who), circumstances))
    return notExercised(clause, 'needs a credential that nobody else uses meanwhile')
  const counted = stage.counted?.get(first.who)?.requests[version]
  if (counted !== undefined && counted > rows.length)
    return notExercised(clause, `the deployment counted ${counted} requests where ${rows.length} were sent`)
  return broken(clause, {
    tried: `Sending ${Math.round(rate)} requests of ${version} a minute, and never more than ${most}, with one credential`,
    expected: `none of them to be refused, because ${limit} a minute are allowed`,
    observed: tallied(rows),
    exchanges: showing(stage, limitedIn(version)),
  })
}

/** Returns the number of minutes in real time, rounded up. */
const minutesOf = (rows: readonly RequestRow[]): number =>
  Math.ceil((rows.at(-1)!.at - rows[0]!.at) / (MINUTE * 1000))

/** Returns the requests per minute of the deployment's clock. */
function perMinute(rows: readonly RequestRow[], timeScale: number): number {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined || last.at === first.at) return 0
  return (rows.length - 1) / (((last.at - first.at) * timeScale) / 60_000)
}

function* factsOf(
  rows: readonly RequestRow[],
  version: Version,
  { timeScale }: Circumstances,
): Generator<Fact> {
  if (rows.length === 0) return
  const seconds = Float64Array.from(rows, ({ at }) => (at / 1000) * timeScale)
  yield { name: `${version}: requests a minute`, value: Math.round(perMinute(rows, timeScale)) }
  yield { name: `${version}: most in any 60 seconds`, value: mostWithin(seconds, MINUTE), unit: 'requests' }
  yield { name: `${version}: refused with 429`, value: rows.filter(isLimited).length, unit: 'requests' }
}
