import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { RATE_LIMITS } from '../../fixtures/clauses/rate-limits.ts'
import type { Fact, Plot } from '../../fixtures/ground/record-load.ts'
import { MINUTE, mostInAMinute, timesOf, upTo } from '../../fixtures/model/limits/minutes.ts'
import { DOCUMENTED_LIMIT } from '../../fixtures/service/rate-limit.ts'
import type { Circumstances } from '../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../read/evidence.ts'
import { MOST_POINTS } from './figures/figures.ts'
import { blocked, type Judge, notExercised, type Open, type Question } from './judge.ts'
import { isAnswered, isLimited, isServed, settingOf, tallied } from './timeouts.ts'

export type Version = 'v1' | 'v2'
export const VERSIONS = ['v1', 'v2'] as const

/** The stages in which the deployment's clock is faster than real time. */
const FAST: readonly string[] = ['overrun', 'sustained']

const limitOf = ({ settings }: Pick<Circumstances, 'settings'>): number => settings.limit ?? DOCUMENTED_LIMIT

/** Returns the requests of a part of a stage. */
const rowsOf = (stage: StageEvidence | undefined, part: string): RequestRow[] =>
  stage?.requests.filter(row => row.part === part) ?? []

/** Returns why a burst shows nothing. */
function whyOpen(stages: ReadonlyMap<string, StageEvidence>, version: Version): Open {
  const rows = [...stages.values()].flatMap(stage => rowsOf(stage, version))
  const odd = rows.filter(row => !isServed(row) && !isLimited(row)).length
  if (rows.length === 0) return notExercised(`no burst of ${version} was sent`)
  if (odd > 0)
    return blocked(
      `${odd} of ${rows.length} requests in bursts were neither served nor refused with a 429 (${tallied(rows)})`,
    )
  const why = rows.some(isLimited)
    ? 'a burst of less than a minute past the limit with a credential that nobody else uses, and a clock that the limit goes by'
    : `the limit of the account: bursts of ${rows.length} requests met no 429, and a higher one can be arranged (limits.perMinute of the definition, TSS_LIMIT)`
  return notExercised(`needs ${why}`)
}

/** Asks whether exactly the documented number of requests passes in a minute, and which requests share the limit. */
export const judgeRateLimitBurst: Judge = (stages, circumstances) => {
  const overrun = stages.get('overrun')
  return {
    questions: VERSIONS.flatMap(version => {
      const { serves, refuses, status, perCredential, companyCredentials, sparesOther, recovers } =
        RATE_LIMITS[version]
      const asked = (title: string, ...clauses: ClauseId[]): Question => ({
        title,
        clauses,
        whyOpen: () => whyOpen(stages, version),
      })
      const limit = limitOf(circumstances)
      return [
        asked(
          `${version} serves ${limit} requests a minute, and refuses more with 429`,
          serves,
          refuses,
          status,
        ),
        asked(
          `a credential over its limit in ${version} does not keep others from being served`,
          sparesOther,
          perCredential,
          companyCredentials,
        ),
        asked(`${version} serves a credential again once Retry-After has passed`, recovers),
      ]
    }),
    claims: [],
    facts: VERSIONS.flatMap(version => [...factsOf(stages, version, circumstances)]),
    plots: overrun === undefined ? [] : [admittedPlot(overrun, circumstances)],
  }
}

/** Asks whether a partner within the documented rate is ever answered 429. */
export const judgeRateLimitSustained: Judge = (stages, circumstances) => {
  const { settings, timeScale } = circumstances
  const stage = stages.get('sustained')
  return {
    questions: VERSIONS.map(version => {
      const rows = rowsOf(stage, version)
      const wanted = settingOf(settings, 'perMinute')
      const reached = Math.round(perMinute(rows.filter(isAnswered), timeScale))
      return {
        title: `${version} never refuses a partner that keeps to the documented rate`,
        clauses: [RATE_LIMITS[version].keepsServing],
        whyOpen: () =>
          notExercised(
            rows.length === 0
              ? `nothing was asked of ${version}`
              : `${version} answered ${reached} requests a minute of ${wanted} intended, ${tallied(rows)}: needs a credential that nobody else uses, and a limit by the clock that is moved`,
          ),
      }
    }),
    claims: [],
    facts: VERSIONS.flatMap(version => [...factsOf(stages, version, circumstances)]),
    plots: [],
  }
}

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
