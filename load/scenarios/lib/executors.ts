import type { Options, Scenario } from 'k6/options'
import { dueAfter, type Stretch } from './schedule.ts'
import { LONGEST } from './timeouts.ts'

/** A part of a stage: how its iterations are started, and when each was due. */
export interface Pace {
  executor: Scenario
  /**
   * Returns when an iteration is due by its number (from 0), in milliseconds after the part began; absent in a closed
   * model.
   */
  due?(iteration: number): number
}

/** Iterations that are started are waited for, so that none of their requests goes uncounted. */
const gracefulStop = `${LONGEST / 1000 + 10}s`

/** So many iterations, shared by clients who each begin the next as soon as the last one has ended. */
export function atOnce({ clients, iterations }: { clients: number; iterations: number }): Pace {
  return {
    executor: {
      executor: 'shared-iterations',
      vus: Math.min(clients, iterations),
      iterations,
      maxDuration: '10m',
      gracefulStop,
    },
  }
}

/**
 * Exactly `iterations`, `rate` a second, whether or not earlier ones have ended.
 *
 * @param seconds how long one takes on a deployment that is busy; fast rates get clients for that long
 */
export const steadily = (rate: number, iterations: number, seconds: number): Pace =>
  along([{ from: rate, to: rate, seconds: iterations / rate }], seconds)

/** `rate` iterations a second for that long, and one at least: a rate may have been lowered to what is allowed. */
export const lasting = (rate: number, duration: number, seconds: number): Pace =>
  steadily(rate, Math.max(1, Math.round(rate * duration)), seconds)

/**
 * As many iterations as the area under some stretches says, at a rate that changes and does not end at 0.
 *
 * @param seconds how long one takes on a deployment that is busy; fast rates get clients for that long
 */
export function along(stretches: readonly Stretch[], seconds: number): Pace {
  const { to: last } = stretches.at(-1)!
  // The last one is due just as the time ends, and what k6 has not started by then it never starts.
  const whole = [...stretches, { from: last, to: last, seconds: 0.5 / last }]
  const late = { from: 0, to: 0, seconds: LATE }
  const rates = whole.flatMap(({ from, to }) => [from, to])
  const area = whole.reduce((sum, { from, to, seconds }) => sum + ((from + to) / 2) * seconds, 0)
  const { count, unit } = wholeRate(rates)
  return {
    executor: {
      executor: 'ramping-arrival-rate',
      startRate: count(rates[0]!),
      timeUnit: `${unit}s`,
      stages: [...whole, late].flatMap(({ from, to, seconds }) => [
        { target: count(from), duration: '0s' },
        { target: count(to), duration: milliseconds(seconds) },
      ]),
      ...clientsFor(Math.max(...rates), seconds, Math.floor(area)),
      gracefulStop,
    },
    // k6 starts one whenever the area has grown by 1, so the first one not at once.
    due: iteration => 1000 * dueAfter(whole, iteration + 1),
  }
}

/** Seconds that k6 may be late with the last one; none of them are waited for when it is not. */
const LATE = 30

/** Options that every script has, beside its parts. */
export function optionsFor(
  paces: Readonly<Record<string, Pace>>,
  thresholds: Readonly<Record<string, string[]>>,
  more: Options = {},
): Options {
  const open = Object.values(paces).some(({ due }) => due !== undefined)
  return {
    scenarios: Object.fromEntries(Object.entries(paces).map(([part, { executor }]) => [part, executor])),
    thresholds: {
      // Without samples every other threshold would hold.
      http_reqs: ['count>0'],
      ...(open ? { dropped_iterations: ['count==0'] } : {}),
      ...thresholds,
    },
    userAgent: 'travel-sales-conformance',
    maxRedirects: 0,
    // No URL: they hold ids of searches and bookings.
    systemTags: ['status', 'error_code', 'scenario'],
    summaryTrendStats: ['min', 'med', 'avg', 'p(90)', 'p(95)', 'p(99)', 'max'],
    ...more,
  }
}

/** k6 wants whole numbers of iterations in some unit of time. */
function wholeRate(rates: readonly number[]): { count(rate: number): number; unit: number } {
  const unit = UNITS.find(seconds => rates.every(rate => isWhole(rate * seconds))) ?? UNITS.at(-1)!
  return { count: rate => Math.round(rate * unit), unit }
}

/** In seconds; any decimal rate is whole in one of them. */
const UNITS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 100, 300, 600, 1000, 10_000, 1_000_000]

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-9

const milliseconds = (seconds: number): string => `${Math.round(seconds * 1e6) / 1e3}ms`

/**
 * k6 drops an iteration rather than wait for a client, also while it makes one more: all are made beforehand. One
 * costs a millisecond and half a megabyte, so slow rates get enough for a minute's delay.
 */
function clientsFor(
  rate: number,
  seconds: number,
  iterations: number,
): { preAllocatedVUs: number; maxVUs: number } {
  const wanted = Math.min(rate * 60, FEW + rate * seconds, iterations, MOST_CLIENTS)
  // Segments of one run share iterations out as they share clients: evenly only where clients divide evenly.
  const clients = Math.max(1, Math.ceil(wanted / DIVISIBLE)) * DIVISIBLE
  return { preAllocatedVUs: clients, maxVUs: clients }
}

const FEW = 30
const MOST_CLIENTS = 1000
/** By 2, 3, 4, 6 and 12 machines. */
const DIVISIBLE = 12
