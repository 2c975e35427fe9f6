import type { Options, Scenario } from 'k6/options'
import { ENDPOINTS, READ_TIMEOUT, timeoutOf } from '../../../fixtures/ground/endpoints.ts'
import type { Operation } from '../../../fixtures/ground/logged.ts'
import { ENV } from '../../plan/plan.ts'

/** The timeout of each call in milliseconds: at least the documented client timeout (part 8). */
export const TIMEOUTS: Readonly<Record<Operation, number>> = {
  'v1 probe': READ_TIMEOUT,
  'v2 probe': READ_TIMEOUT,
  ...(Object.fromEntries(ENDPOINTS.map(({ id }) => [id, timeoutOf(id)])) as Record<
    (typeof ENDPOINTS)[number]['id'],
    number
  >),
}

/** The longest timeout. */
const LONGEST = Math.max(...Object.values(TIMEOUTS))

/** A stretch of an open model: the rate changes linearly from `from` to `to` iterations per second in `seconds`. */
interface Stretch {
  from: number
  to: number
  seconds: number
}

/**
 * Returns when an iteration (from 0) is due, in seconds after the first stretch began: when the area under the rate
 * reaches that number. `Infinity` if it never does.
 */
export function dueAfter(stretches: readonly Stretch[], iteration: number): number {
  let began = 0
  let left = iteration
  for (const { from, to, seconds } of stretches) {
    const area = ((from + to) / 2) * seconds
    if (left <= area) return began + timeInStretch({ from, to, seconds }, left)
    left -= area
    began += seconds
  }
  return Number.POSITIVE_INFINITY
}

/** Solves `from·t + (to − from)·t² / 2·seconds = area`, in a form that is exact for a constant rate. */
function timeInStretch({ from, to, seconds }: Stretch, area: number): number {
  if (area === 0) return 0
  const slope = (to - from) / seconds
  return (2 * area) / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * area)))
}

/** A part of a stage: how iterations are started, and when each is due. */
export interface Pace {
  executor: Scenario
  /** Returns when an iteration (from 0) is due, in milliseconds after the part began; absent in a closed model. */
  due?(iteration: number): number
}

/** The script waits for started iterations, so that all requests are counted. */
const gracefulStop = `${LONGEST / 1000 + 10}s`

/** Runs a number of iterations on clients that each begin the next when the previous one ends. */
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
 * Runs exactly `iterations` at `rate` per second, whether or not earlier ones have ended.
 *
 * @param seconds the duration of one on a busy deployment; fast rates get enough clients for it
 */
export const steadily = (rate: number, iterations: number, seconds: number): Pace =>
  along([{ from: rate, to: rate, seconds: iterations / rate }], seconds)

/** Runs `rate` iterations per second for a duration, at least one: a rate may have been lowered to what is allowed. */
export const lasting = (rate: number, duration: number, seconds: number): Pace =>
  steadily(rate, Math.max(1, Math.round(rate * duration)), seconds)

/**
 * Runs iterations at a rate that changes linearly within each stretch and does not end at 0.
 *
 * @param seconds the duration of one on a busy deployment; fast rates get enough clients for it
 */
export function along(stretches: readonly Stretch[], seconds: number): Pace {
  const { to: last } = stretches.at(-1)!
  // The last one is due at the very end, and k6 never starts what it has not started by then.
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
    // k6 starts an iteration when the area under the rate reaches a whole number, so the first is not immediate.
    due: iteration => 1000 * dueAfter(whole, iteration + 1),
  }
}

/** The seconds that k6 may be late with the last one. They pass only if it is. */
const LATE = 30

/** Returns the options that every script has, and its parts. */
export function optionsFor(paces: Readonly<Record<string, Pace>>, more: Options = {}): Options {
  return {
    scenarios: Object.fromEntries(Object.entries(paces).map(([part, { executor }]) => [part, executor])),
    userAgent: 'travel-sales-conformance',
    maxRedirects: 0,
    ...clientCertificate(),
    // No URLs, which contain ids of searches and bookings.
    systemTags: ['scenario'],
    ...more,
  }
}

/** Returns the client certificate of this process, if it has one. */
function clientCertificate(): Options {
  const { [ENV.cert]: cert = '', [ENV.key]: key = '' } = __ENV
  return cert === '' ? {} : { tlsAuth: [{ cert, key }] }
}

/** Returns a time unit in which all rates are whole numbers, as k6 requires. */
function wholeRate(rates: readonly number[]): { count(rate: number): number; unit: number } {
  const unit = UNITS.find(seconds => rates.every(rate => isWhole(rate * seconds))) ?? UNITS.at(-1)!
  return { count: rate => Math.round(rate * unit), unit }
}

/** In seconds. Every decimal rate is whole in one of them. */
const UNITS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 100, 300, 600, 1000, 10_000, 1_000_000]

const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-9

const milliseconds = (seconds: number): string => `${Math.round(seconds * 1e6) / 1e3}ms`

/**
 * Returns the number of clients. k6 drops an iteration if no client is free, even while it creates one, so all are
 * created beforehand. Each costs a millisecond and half a megabyte, so slow rates get enough for a minute's delay.
 */
function clientsFor(
  rate: number,
  seconds: number,
  iterations: number,
): { preAllocatedVUs: number; maxVUs: number } {
  const wanted = Math.min(rate * 60, FEW + rate * seconds, iterations, MOST_CLIENTS)
  const clients = Math.max(1, Math.ceil(wanted))
  return { preAllocatedVUs: clients, maxVUs: clients }
}

const FEW = 30
const MOST_CLIENTS = 1000
