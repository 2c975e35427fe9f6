import type { Settings } from '../plan/plan.ts'
import type { Measure, StageEvidence } from '../read/evidence.ts'
import { DROPPED } from '../scenarios/lib/output.ts'

/** A stretch of time, in epoch milliseconds. */
export interface Span {
  from: number
  to: number
}

/** From the first request that was sent to the last answer; as long as k6 ran where nothing was sent. */
export function spanOf({ requests, startedAt, finishedAt }: StageEvidence): Span {
  const [first] = requests
  if (first === undefined) return { from: startedAt, to: finishedAt }
  let to = first.at
  for (const { at, took } of requests) if (at + took > to) to = at + took
  return { from: first.at, to }
}

/** Returns the whole of some stages. */
export function wholeSpan(stages: readonly StageEvidence[]): Span {
  const spans = stages.map(spanOf)
  return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) }
}

/** A setting of a scenario. @throws Error where it has none of that name: the kit's own fault */
export function settingOf(settings: Settings, name: string): number {
  const value = settings[name]
  if (value === undefined) throw new Error(`there is no setting ${name}`)
  return value
}

/** Returns when iterations were dropped that an open model could not start; `null` when that is not known. */
export function drops({ iterations, measures }: StageEvidence): readonly Measure[] | null {
  const known = measures.get(DROPPED) ?? []
  const counted = known.reduce((sum, { value }) => sum + value, 0)
  return counted < iterations.dropped ? null : known
}
