import type { Measure, RequestRow } from './evidence.ts'
import type { Samples } from './samples.ts'

/**
 * Puts samples in the order of time, in place. What happened at the same moment is put in a fixed order, too, so that
 * the same samples give the same sequence from however many files they were read.
 */
export function inOrder(samples: Samples): Samples {
  samples.requests.sort(bySending)
  for (const values of samples.measures.values()) values.sort(byTime)
  samples.torn.sort()
  return samples
}

function bySending(a: RequestRow, b: RequestRow): number {
  return (
    a.at - b.at ||
    a.took - b.took ||
    a.status - b.status ||
    a.errorCode - b.errorCode ||
    compare(a.op, b.op) ||
    compare(a.who, b.who) ||
    compare(a.part, b.part)
  )
}

function byTime(a: Measure, b: Measure): number {
  return a.at - b.at || a.value - b.value || compare(JSON.stringify(a.tags), JSON.stringify(b.tags))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
