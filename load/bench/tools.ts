import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Tenant } from '../../fixtures/control.ts'
import { writeProgram } from '../../fixtures/output/testing/program.ts'
import { quantilesOf } from '../judge/figures/quantile.ts'
import { K6_ENVIRONMENT } from '../k6/index.ts'
import { bundleScenario } from '../plan/bundle.ts'
import { readSamples } from '../read/samples.ts'
import { RAW, runK6 } from '../run/k6-process.ts'
import { SHAPES } from '../testing/k6-stages.ts'

/** The number of clients that make journeys without pause for some seconds, or the rate of journeys. */
export interface Pace {
  clients: number
  seconds: number
  rate?: number
}

/** The figures of a run. */
export interface Figures {
  sent: number
  journeys: number
  seconds: number
  /** Processor time, in seconds. */
  cost: number
  /** Milliseconds. */
  p50: number
  p99: number
}

export interface Task {
  k6: string
  baseUrl: string
  tenants: readonly Tenant[]
  nonce: string
  /** A folder for this run only. */
  dir: string
  pace: Pace
}

/** Journeys per second, more than any tool can make. */
const MORE_THAN_ENOUGH = 1000
const POLL_EVERY = 100

/** Returns arguments that make k6 run clients without pause instead of at the script's rate. */
const closedModel = ({ clients, seconds, rate }: Pace): string[] =>
  rate === undefined ? [`--vus=${clients}`, `--duration=${seconds}s`] : []

/** Runs the journey mix as `travel-sales load` does, with every sample and answer logged. */
export async function ourMix({ k6, baseUrl, tenants, nonce, dir, pace }: Task, judge = 1): Promise<Figures> {
  const program = measured(k6, dir)
  const { rate = MORE_THAN_ENOUGH, seconds } = pace
  await runK6({
    k6: program.path,
    script: await bundleScenario('journey-mix'),
    plan: {
      scenario: 'journey-mix',
      stage: 'journey-mix',
      baseUrl,
      senders: tenants.map(({ tenant }) => ({ alias: tenant, role: 'standard', tenant })),
      products: ['v2-transfers', 'v2-tickets', 'v2-hotels'],
      shapes: SHAPES,
      settings: { rate, duration: seconds, pollEvery: POLL_EVERY, judge },
      nonce,
    },
    tokens: tenants.map(({ token }) => token),
    dir,
    args: closedModel(pace),
  })
  const { requests, iterations, span } = await readSamples(join(dir, RAW.samples))
  const { p50, p99 } = quantilesOf(requests.map(({ took }) => took))!
  const lasted = (span!.to - span!.from) / 1000
  const figures = { sent: requests.length, journeys: iterations.completed, seconds: lasted, p50, p99 }
  return { ...figures, cost: program.seconds() }
}

const script = fileURLToPath(new URL('plain.ts', import.meta.url))

/** Runs the same journeys in a script for k6 alone, without samples and answers. */
export async function plainK6({ k6, baseUrl, tenants, nonce, dir, pace }: Task): Promise<Figures> {
  const program = measured(k6, dir)
  const [bookables, summary] = [join(dir, 'bookables.json'), join(dir, 'summary.json')]
  writeFileSync(bookables, JSON.stringify(SHAPES.asks))
  const { rate, seconds, clients } = pace
  const args = ['run', '--quiet', '--no-color', `--summary-export=${summary}`, ...closedModel(pace), script]
  await promisify(execFile)(program.path, args, {
    maxBuffer: 2 ** 28,
    env: {
      PATH: process.env.PATH,
      ...K6_ENVIRONMENT,
      HOME: dir,
      BASE_URL: baseUrl,
      BOOKABLES: bookables,
      TOKENS: tenants.map(({ token }) => token).join('\n'),
      RUN: nonce,
      PAUSE: String(POLL_EVERY / 1000),
      ...(rate === undefined
        ? {}
        : { RATE: String(rate), SECONDS: String(seconds), CLIENTS: String(clients) }),
    },
  })
  const { metrics } = JSON.parse(readFileSync(summary, 'utf8'))
  const { count: sent, rate: perSecond } = metrics.http_reqs
  const { med: p50, 'p(99)': p99 } = metrics.http_req_duration
  const figures = { sent, journeys: metrics.iterations.count, seconds: sent / perSecond, p50, p99 }
  return { ...figures, cost: program.seconds() }
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Wraps a program so that a shell writes its processor time to a file, which works on every system. */
function measured(program: string, dir: string): { path: string; seconds(): number } {
  const [path, times] = [join(dir, 'measured'), join(dir, 'times')]
  const script = ['#!/bin/sh', `${quote(program)} "$@"`, 'code=$?', `times > ${quote(times)}`, 'exit $code']
  writeProgram(path, `${script.join('\n')}\n`)
  return { path, seconds: () => secondsOfChildren(readFileSync(times, 'utf8')) }
}

/** Reads the processor time of children in the second line of `times`, user and system: `0m1.230s 0m0.120s`. */
function secondsOfChildren(times: string): number {
  const parts = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.,]+)s/g)]
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds?.replace(',', '.')),
    0,
  )
}
