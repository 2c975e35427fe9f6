import type { Plot } from '../../../fixtures/record-load.ts'
import type { StageEvidence } from '../../read/evidence.ts'
import { MOST_POINTS } from '../figures/plots.ts'
import { isServed } from '../outcomes.ts'
import { rowsOf } from './burst.ts'
import { within } from './instants.ts'
import { LIMIT, MINUTE, VERSIONS } from './limits.ts'

/**
 * Returns how many requests a limiter had admitted in the minute before each moment of an overrun, by its own clock.
 */
export function admittedPlot(overrun: StageEvidence, timeScale: number): Plot {
  const zero = overrun.requests[0]?.at ?? overrun.startedAt
  const seconds = (at: number) => ((at - zero) / 1000) * timeScale
  const last = seconds(overrun.requests.at(-1)?.at ?? zero)
  const step = Math.max(1, Math.ceil(last / (MOST_POINTS - 1)))
  const moments = Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step)
  const series = VERSIONS.map(version => {
    const admitted = Float64Array.from(rowsOf(overrun, version).filter(isServed), ({ at }) => seconds(at))
    return {
      name: version,
      points: moments.map((at): [number, number] => [at, within(admitted, at - MINUTE, at)]),
    }
  })
  return {
    kind: 'lines',
    title: `Served in the minute before, while ${LIMIT} were exceeded`,
    x: "seconds of the deployment's clock",
    y: 'requests',
    series: series.filter(({ points }) => points.some(([, y]) => y > 0)),
  }
}
