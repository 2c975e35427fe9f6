import type { Circumstances } from '../../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../../read/evidence.ts'
import { isAnswered, isLimited, isServed, isSourceFailure, tallied } from '../outcomes.ts'
import { LIMIT, type Version } from './limits.ts'

/** Requests of one version that one sender sent as fast as it could. */
export interface Burst {
  stage: StageEvidence
  /** In the order sent. */
  rows: readonly RequestRow[]
  /** With those that a source failed at, where these are few and make up the limit: whether they count is not said. */
  served: number
  /** Refused with a 429. */
  limited: number
  /** Neither of them. */
  otherwise: readonly RequestRow[]
  /** From the first request to the last answer. */
  seconds: number
}

/** Everything that bursts showed: by version, those with nothing beside them, and those of both versions at once. */
export interface Bursts {
  stages: ReadonlyMap<string, StageEvidence>
  circumstances: Circumstances
  alone: Readonly<Record<Version, Burst | undefined>>
  together: Readonly<Record<Version, Burst | undefined>>
}

/** A burst that takes longer says nothing of a limit a minute. */
const MOST_SECONDS = 30

/** Returns what a part of a stage asked. */
export const rowsOf = (stage: StageEvidence | undefined, part: string): RequestRow[] =>
  stage?.requests.filter(row => row.part === part) ?? []

/** Returns the requests of a part of a stage; `undefined` where there are none. */
export function burstOf(stage: StageEvidence | undefined, part: string): Burst | undefined {
  const rows = rowsOf(stage, part)
  const [first] = rows
  if (stage === undefined || first === undefined) return undefined
  const served = rows.filter(isServed).length
  const limited = rows.filter(isLimited).length
  const failed = rows.filter(isSourceFailure).length
  const makeUpTheLimit = limited > 0 && failed < served && served + failed === LIMIT
  const counts = (row: RequestRow) => isServed(row) || (makeUpTheLimit && isSourceFailure(row))
  return {
    stage,
    rows,
    served: makeUpTheLimit ? LIMIT : served,
    limited,
    otherwise: rows.filter(row => !counts(row) && !isLimited(row)),
    seconds: rows.reduce((longest, { at, took }) => Math.max(longest, at + took - first.at), 0) / 1000,
  }
}

/** Returns the status that the deployment gives to what is past the limit, where that is none but the documented one. */
export function wrongStatusOf({ served, limited, otherwise }: Burst): number | undefined {
  const [first] = otherwise
  if (served !== LIMIT || limited > 0 || first === undefined) return undefined
  return first.status > 0 && otherwise.every(({ status }) => status === first.status)
    ? first.status
    : undefined
}

/** Returns why a burst shows nothing of a limit; `undefined` where it does. */
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
