import type { Measure, StageEvidence } from '../../read/evidence.ts'
import { METRIC } from '../../scenarios/lib/output.ts'

/**
 * Returns the iterations per second that an open model started; `undefined` for a closed model or too few
 * iterations.
 *
 * Each part has one interval fewer than iterations.
 */
export function achievedRate({ requests, measures, iterations }: StageEvidence): number | undefined {
  const firsts = (measures.get(METRIC.fromSchedule) ?? []).filter(({ tags }) => tags.op !== 'journey')
  const [first] = requests
  if (first === undefined || firsts.length === 0) return undefined
  const parts = new Set(firsts.map(({ tags }) => tags.scenario)).size
  const last = firsts.reduce((one, other) => (dueAt(other) > dueAt(one) ? other : one))
  const seconds = (startOf(last, requests) - first.at) / 1000
  return seconds > 0 ? (iterations.completed - parts) / seconds : undefined
}

const dueAt = ({ at, value }: Measure): number => at - value

/** Returns when a measured request was sent: the request of its kind that ended nearest to the measurement. */
function startOf({ at, tags }: Measure, requests: StageEvidence['requests']): number {
  let [nearest, distance] = [at, Number.POSITIVE_INFINITY]
  for (const { op, at: sentAt, took } of requests) {
    const apart = Math.abs(sentAt + took - at)
    if (op === tags.op && apart < distance) [nearest, distance] = [sentAt, apart]
  }
  return nearest
}
