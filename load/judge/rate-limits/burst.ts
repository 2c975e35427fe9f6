import type { Circumstances } from '../../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../../read/evidence.ts'
import { isAnswered, isLimited, isServed, isSourceFailure, tallied } from '../outcomes.ts'
import { limitOf, type Version } from './limits.ts'

/** The requests of one sender in one version, sent as fast as possible. */
export interface Burst {
  stage: StageEvidence
  /** The requests that a minute admits. */
  limit: number
  /** In the order of sending. */
  rows: readonly RequestRow[]
  /** The served requests. Includes a few supplier failures if they complete the limit: whether they count is open. */
  served: number
  /** The number of requests answered 429. */
  limited: number
  /** The requests with any other outcome. */
  otherwise: readonly RequestRow[]
  /** The duration from the first request to the last answer, in seconds. */
  seconds: number
}

/** All bursts by version: alone, and of both versions at once. */
export interface Bursts {
  stages: ReadonlyMap<string, StageEvidence>
  circumstances: Circumstances
  alone: Readonly<Record<Version, Burst | undefined>>
  together: Readonly<Record<Version, Burst | undefined>>
}

/** A longer burst says nothing about a limit per minute. */
const MOST_SECONDS = 30

/** Returns the requests of a part of a stage. */
export const rowsOf = (stage: StageEvidence | undefined, part: string): RequestRow[] =>
  stage?.requests.filter(row => row.part === part) ?? []

/** Returns the requests of a part of a stage as a burst; `undefined` if there are none. */
export function burstOf(stage: StageEvidence | undefined, part: string): Burst | undefined {
  const rows = rowsOf(stage, part)
  const [first] = rows
  if (stage === undefined || first === undefined) return undefined
  const served = rows.filter(isServed).length
  const limited = rows.filter(isLimited).length
  const failed = rows.filter(isSourceFailure).length
  const limit = limitOf(stage.plan)
  const makeUpTheLimit = limited > 0 && failed < served && served + failed === limit
  const counts = (row: RequestRow) => isServed(row) || (makeUpTheLimit && isSourceFailure(row))
  return {
    stage,
    limit,
    rows,
    served: makeUpTheLimit ? limit : served,
    limited,
    otherwise: rows.filter(row => !counts(row) && !isLimited(row)),
    seconds: rows.reduce((longest, { at, took }) => Math.max(longest, at + took - first.at), 0) / 1000,
  }
}

/** Returns the status of requests above the limit, if it is one other than 429. */
export function wrongStatusOf({ limit, served, limited, otherwise }: Burst): number | undefined {
  const [first] = otherwise
  if (served !== limit || limited > 0 || first === undefined) return undefined
  return first.status > 0 && otherwise.every(({ status }) => status === first.status)
    ? first.status
    : undefined
}

/** Returns why a burst shows nothing about a limit, or `undefined`. */
export function amiss(burst: Burst, version: Version): string | undefined {
  const { rows, otherwise, seconds, stage } = burst
  const of = `of a burst of ${rows.length} requests`
  const unanswered = rows.filter(row => !isAnswered(row)).length
  if (unanswered > 0) return `${unanswered} ${of} had no answer (${tallied(rows)})`
  if (otherwise.length > 0 && wrongStatusOf(burst) === undefined)
    return `${otherwise.length} ${of} were neither served nor refused with a 429 (${tallied(rows)})`
  if (seconds >= MOST_SECONDS)
    return `a burst took ${Math.round(seconds)} seconds, and only one of less than ${MOST_SECONDS} says anything of a minute`
  const counted = stage.counted?.get(rows[0]!.who)?.requests[version]
  if (counted !== undefined && counted > rows.length)
    return `the deployment counted ${counted} requests where ${rows.length} were sent`
  return undefined
}
