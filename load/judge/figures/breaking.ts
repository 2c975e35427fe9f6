import type { Settings } from '../../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../../read/evidence.ts'
import { drops, isAnswered, isFailure, isLimited, type Span, settingOf } from '../outcomes.ts'
import { p95Of } from './quantile.ts'
import { sliced, slicesOf } from './slices.ts'

/** The first slice of a rising load in which an objective was missed. */
export interface Breaking extends Span {
  /** The scheduled iterations per second in its middle. */
  rate: number
  /** The missed objective, in a few words. */
  because: string
}

const SLICES = { most: 40, narrowest: 1000 }
/** The minimum number of requests for a 95th percentile or a share. */
const TELLING = 10

/**
 * Returns where a rising load broke the deployment: the 95th percentile exceeded `p95` milliseconds, more than
 * `errorShare` of the requests failed or were refused, or an iteration could not be started. `null` if it never
 * did.
 */
export function breakingOf(stage: StageEvidence, settings: Settings): Breaking | null {
  const { requests } = stage
  const p95 = settingOf(settings, 'p95')
  const errorShare = settingOf(settings, 'errorShare')
  const [first, last] = [requests[0], requests.at(-1)]
  if (first === undefined || last === undefined) return null
  const slices = slicesOf({ from: first.at, to: last.at }, SLICES)
  const dropped = sliced(slices, drops(stage) ?? [])
  for (const [index, rows] of sliced(slices, requests).entries()) {
    const lost = dropped[index]!.reduce((sum, { value }) => sum + value, 0)
    const because = lost > 0 ? `${lost} iterations dropped` : failureOf(rows, p95, errorShare)
    if (because === null) continue
    const from = slices.from + index * slices.width
    return {
      from,
      to: from + slices.width,
      rate: dueRate(settings, from + slices.width / 2 - slices.from),
      because,
    }
  }
  return null
}

function failureOf(rows: readonly RequestRow[], p95: number, errorShare: number): string | null {
  const failed = rows.filter(row => isFailure(row) || isLimited(row)).length
  const nothingElse = failed > 0 && failed === rows.length
  if (rows.length < TELLING && !nothingElse) return null
  if (failed > errorShare * rows.length)
    return `${((100 * failed) / rows.length).toFixed(1)} % of requests failed`
  const slow = p95Of(rows.filter(isAnswered), 1)
  return slow !== null && slow > p95 ? `p95 ${Math.round(slow)} ms` : null
}

/** Returns the scheduled iterations per second at a time after the beginning of a linearly rising load. */
function dueRate(settings: Settings, milliseconds: number): number {
  const [from, to] = [settingOf(settings, 'from'), settingOf(settings, 'to')]
  const share = Math.min(1, milliseconds / 1000 / settingOf(settings, 'duration'))
  return from + (to - from) * share
}
