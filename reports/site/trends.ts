import type { History, Judged, RunInTime } from '../history/history.ts'
import { html, type Markup } from '../html/markup.ts'
import { type LinesPlot, plotFigure } from '../html/plot.ts'
import { count } from '../render/plain.ts'
import { when } from './parts.ts'

/** The maximum numbers of points in a line and lines in a plot. */
const MOST_RUNS = 300
const MOST_OPERATIONS = 6

/** The minimum number of calls for a percentile. */
const FEWEST_CALLS = 3

/** Returns plots of a deployment over its runs: broken clauses, coverage, and latencies. */
export function trends({ runs }: Judged, { clauses }: History, prefix: string): Markup {
  const shown = runs.slice(0, MOST_RUNS).toReversed()
  const line = (name: string, value: (run: RunInTime) => number | null) => ({
    name,
    points: shown.map((run, at): [number, number | null] => [at + 1, value(run)]),
  })
  const brokenOf = (level: string) => (run: RunInTime) =>
    run.broken.filter(id => (clauses.get(id)?.level ?? 'must') === level).length
  const days = [shown[0]!, shown.at(-1)!].map(({ startedAt }) => when(startedAt).slice(0, 10))
  const x = `${count(shown.length, 'run')}, ${days.join(' to ')}`
  const plots: LinesPlot[] = [
    {
      ...{ kind: 'lines', title: 'Clauses broken', x, y: 'clauses' },
      series: [line('required', brokenOf('must')), line('recommended', brokenOf('should'))],
    },
    {
      ...{ kind: 'lines', title: 'Share exercised', x, y: '% of what is asked' },
      series: [line('% of what is asked', shareOf)],
    },
    {
      ...{ kind: 'lines', title: 'How long answers took: p95 by operation', x, y: 'ms' },
      series: slowest(runs).map(operation =>
        line(operation, run => {
          const told = run.operations[operation]
          return told === undefined || told.calls < FEWEST_CALLS ? null : told.p95
        }),
      ),
    },
  ]
  return html`<div class="plots">${plots.map((plot, at) => plotFigure(plot, `${prefix}-${at}`))}</div>`
}

/** Returns the exercised share; `null` for a load run, which is about few clauses. */
function shareOf({ profile, coverage, isLoad }: RunInTime): number | null {
  if (isLoad) return null
  const [part, whole] = profile
    ? [profile.exercised, profile.asked]
    : [coverage.exercised, coverage.applicable]
  return whole === 0 ? null : (100 * part) / whole
}

/** Returns the operations that most runs have, the slowest in the newest run first. */
function slowest(runs: readonly RunInTime[]): string[] {
  const told = new Map<string, { times: number; p95: number }>()
  for (const { operations } of runs.slice(0, MOST_RUNS)) {
    for (const [operation, { calls, p95 }] of Object.entries(operations)) {
      if (calls < FEWEST_CALLS) continue
      const known = told.get(operation)
      if (known === undefined) told.set(operation, { times: 1, p95 })
      else known.times++
    }
  }
  const often = Math.max(...[...told.values()].map(({ times }) => times)) / 2
  return [...told]
    .filter(([, { times }]) => times >= often)
    .sort(([, a], [, b]) => b.p95 - a.p95)
    .slice(0, MOST_OPERATIONS)
    .map(([operation]) => operation)
}
