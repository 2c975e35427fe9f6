import { RATE_LIMITS } from '../../../fixtures/clauses/rate-limits.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../../read/evidence.ts'
import { broken, type Decision, showing } from '../decision.ts'
import { isLimited } from '../outcomes.ts'
import { mostWithin } from './instants.ts'
import { LIMIT, MINUTE, VERSIONS, type Version } from './limits.ts'

/** Requests a minute that are certainly below the limit. */
const WELL_BEHAVED = 480

/**
 * Returns the most requests that a deployment may have received in one of its minutes: a minute, plus the error of
 * a clock that moves in steps.
 */
export const mostOfAMinute = (rows: readonly RequestRow[], timeScale: number): number =>
  mostWithin(
    Float64Array.from(rows, ({ at }) => (at / 1000) * timeScale),
    MINUTE + 0.5 + 0.1 * (timeScale - 1),
  )

/**
 * Returns refusals of senders that never came near the limit: at most 480 requests of a version in any minute
 * before. Only credentials made for the run are certainly not used by others.
 */
export function unexpectedRefusals(
  stages: Iterable<StageEvidence>,
  { minted, timeScale }: Circumstances,
): Decision[] {
  if (!minted) return []
  return [...stages].flatMap(stage =>
    VERSIONS.flatMap(version => {
      const senders = Map.groupBy(
        stage.requests.filter(({ api }) => api === version),
        ({ who }) => who,
      )
      return [...senders].flatMap(([who, rows]) => refusalsOf(stage, version, who, rows, timeScale) ?? [])
    }),
  )
}

function refusalsOf(
  stage: StageEvidence,
  version: Version,
  who: string,
  rows: readonly RequestRow[],
  timeScale: number,
): Decision | null {
  const first = rows.findIndex(isLimited)
  if (first === -1) return null
  const before = rows.slice(0, first + 1)
  // A limit may use another clock than the one that is moved.
  const most = Math.max(mostOfAMinute(before, timeScale), mostOfAMinute(before, 1))
  if (most > WELL_BEHAVED) return null
  const refused = rows.filter(isLimited).length
  return broken(RATE_LIMITS[version].serves, {
    tried: `Sending ${rows.length} requests of ${version} as ${who}, at most ${most} in any minute before the first refusal`,
    expected: `all of them to be served, because ${LIMIT} a minute are allowed`,
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
