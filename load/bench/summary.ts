import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pace, Quantiles } from './heat.ts'

/** File in which k6 puts its summary. */
export const SUMMARY = 'summary.json'

/** Arguments that have k6 run clients without pause instead of the script's own rate. */
export const closedModel = ({ clients, seconds }: Pace): string[] =>
  clients === undefined ? [] : [`--vus=${clients}`, `--duration=${seconds}s`]

/** What k6 says at its end. */
export interface Summary {
  requests: number
  failed: number
  /** From the start of the first journey to the end of the last. */
  seconds: number
  iterations: { ended: number; dropped: number }
  /** Quantiles of a trend that the script's options ask for, in milliseconds. */
  quantiles(metric: string): Quantiles
}

/** Reads k6's summary out of a folder. @throws Error where it is not there */
export function readSummary(dir: string): Summary {
  const { metrics } = JSON.parse(readFileSync(join(dir, SUMMARY), 'utf8')) as {
    metrics: Record<string, Record<string, number>>
  }
  const { count: requests = 0, rate = Number.NaN } = metrics.http_reqs ?? {}
  return {
    requests,
    // Of a rate, what "passes" is what was counted: here, failures.
    failed: metrics.http_req_failed?.passes ?? 0,
    seconds: requests / rate,
    iterations: {
      ended: metrics.iterations?.count ?? 0,
      dropped: metrics.dropped_iterations?.count ?? 0,
    },
    quantiles(metric) {
      const { med = Number.NaN, 'p(99)': p99 = Number.NaN } = metrics[metric] ?? {}
      return { p50: med, p99 }
    },
  }
}
