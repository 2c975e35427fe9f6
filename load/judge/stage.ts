import type { Settings } from '../plan/plan.ts'
import type { Measure, StageEvidence } from '../read/evidence.ts'
import { DROPPED } from '../scenarios/lib/output.ts'

/** A period in epoch milliseconds. */
export interface Span {
  from: number
  to: number
}

/** Returns the period from the first request to the last answer, or of k6's run if nothing was sent. */
export function spanOf({ requests, startedAt, finishedAt }: StageEvidence): Span {
  const [first] = requests
  if (first === undefined) return { from: startedAt, to: finishedAt }
  let to = first.at
  for (const { at, took } of requests) if (at + took > to) to = at + took
  return { from: first.at, to }
}

/** Returns the period of several stages. */
export function wholeSpan(stages: readonly StageEvidence[]): Span {
  const spans = stages.map(spanOf)
  return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) }
}

/** Returns a setting of a scenario. @throws Error if it is missing, which is the kit's own fault */
export function settingOf(settings: Settings, name: string): number {
  const value = settings[name]
  if (value === undefined) throw new Error(`there is no setting ${name}`)
  return value
}

/** Returns when iterations of an open model were dropped; `null` if unknown. */
export function drops({ iterations, measures }: StageEvidence): readonly Measure[] | null {
  const known = measures.get(DROPPED) ?? []
  const counted = known.reduce((sum, { value }) => sum + value, 0)
  return counted < iterations.dropped ? null : known
}
