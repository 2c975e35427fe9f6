import type { Samples } from './samples.ts'
import { inOrder } from './samples-order.ts'

/** Makes several samples one: they interleave by time, and counts add up. */
export function mergeSamples(list: readonly Samples[]): Samples {
  const measures: Samples['measures'] = new Map()
  for (const name of new Set(list.flatMap(samples => [...samples.measures.keys()]))) {
    measures.set(
      name,
      list.flatMap(samples => samples.measures.get(name) ?? []),
    )
  }
  const iterations = { completed: 0, dropped: 0 }
  for (const samples of list) {
    iterations.completed += samples.iterations.completed
    iterations.dropped += samples.iterations.dropped
  }
  const spans = list.flatMap(({ span }) => (span === null ? [] : [span]))
  return inOrder({
    requests: list.flatMap(({ requests }) => requests),
    measures,
    iterations,
    span:
      spans.length === 0
        ? null
        : { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) },
    torn: list.flatMap(({ torn }) => torn),
  })
}
