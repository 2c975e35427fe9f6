import { availableParallelism } from 'node:os'
import { clauseIds } from '../../fixtures/clauses/index.ts'
import { credentialTokens } from '../../fixtures/client/guard.ts'
import {
  countRequest,
  createShared,
  type HaltReason,
  halt,
  halted,
  openShared,
  requestsSent,
  reserveRequest,
  type Shared,
} from '../../fixtures/client/shared.ts'
import type { Deployment, Launched } from '../../fixtures/deployments/definition.ts'
import { findDefinition, launchDeployment, loadDeployment } from '../../fixtures/deployments/load.ts'
import type { Leftover } from '../../fixtures/record.ts'
import type { ProvePlan, RunContext } from '../../fixtures/run.ts'
import type { Collected } from '../../reports/assemble.ts'
import { type Progress, RunReporter } from '../../reports/reporter.ts'
import { tellClosedBookings } from './closed-bookings.ts'
import { haltOnInterrupt } from './interrupt.ts'
import { root } from './kit.ts'
import { whyUnreachable } from './reach.ts'
import { makeRunFolder, type RunFolder } from './run-folder.ts'
import { prepareSuites } from './runner.ts'
import type { Selection } from './selection.ts'
import { sweepUp } from './sweep.ts'

/** How long checks may go on once a run is to end early, in milliseconds: enough to clean up behind themselves. */
const GRACE = 3_000

/** What is to be run. */
export interface Plan {
  /** `embedded`, `env` or a path; absent: decided by the environment. */
  deployment?: string
  /** Starts the deployment. Default: what its definition exports as `launch`. */
  launch?: () => Promise<Launched>
  seed: number
  /** Folder in which the folder of the run is made. */
  out: string
  only?: Selection
  /** Id of the only check to run, as a record has it. */
  check?: string
  /** Milliseconds. */
  maxDuration?: number
  maxRequests?: number
  prove?: ProvePlan
  onProgress(progress: Progress): void
  /** Tells whoever watches what goes on, in one sentence. */
  onNotice(sentence: string): void
}

/** What a run came to, before anybody has judged it. */
export interface Conducted {
  deployment: Deployment
  seed: number
  folder: RunFolder
  collected: Collected
  /** Why the run could not be completed. */
  halted?: Halted
  requests: { v1: number; v2: number }
  leftovers: Leftover[]
  startedAt: Date
  finishedAt: Date
}

/** Why a run ended early: what that is called, and in words that continue a sentence. */
export interface Halted {
  reason: HaltReason | 'nothing selected'
  sentence: string
}

/** Whether any check was run; those that \`--only\` leaves out say nothing. */
export const anyRan = ({ checks }: Collected): boolean =>
  checks.some(({ state, report }) => state !== 'skipped' || report !== undefined)

/**
 * Runs the suites against a deployment: starts it where it has to be started, claims a folder, asks whether it can be
 * reached, runs, and cancels what is still booked. An interrupt ends the run early, not this function; a second one
 * ends the process.
 *
 * @throws {DefinitionError | Failure} before anything was sent
 */
export async function conduct(plan: Plan): Promise<Conducted> {
  const definition = findDefinition(plan.deployment, process.cwd())
  const launched = await (plan.launch?.() ?? launchDeployment(definition))
  try {
    const deployment = await loadDeployment(definition, launched?.values)
    const startedAt = new Date()
    const folder = makeRunFolder(plan.out, plan.seed, definition, startedAt)
    try {
      const context = contextOf(plan, deployment, folder, startedAt)
      const conducted = await execute(plan, deployment, {
        ...context,
        definition,
        ...(launched === undefined ? {} : { launched: launched.values }),
      })
      return { deployment, seed: plan.seed, folder, startedAt, finishedAt: new Date(), ...conducted }
    } finally {
      folder.release()
    }
  } finally {
    await launched?.stop()
  }
}

function contextOf(
  { seed, maxDuration, maxRequests, prove }: Plan,
  deployment: Deployment,
  folder: RunFolder,
  startedAt: Date,
): Omit<RunContext, 'definition'> {
  return {
    run: folder.run,
    seed,
    out: folder.path,
    connections: Math.ceil(deployment.traffic.concurrency / workersFor(deployment)),
    shared: createShared({
      credentials: credentialTokens(deployment).length,
      perMinute: deployment.traffic.perMinute,
    }),
    ...(maxDuration === undefined ? {} : { deadline: startedAt.getTime() + maxDuration }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
    ...(prove === undefined ? {} : { prove }),
  }
}

type Execution = Pick<Conducted, 'collected' | 'halted' | 'requests' | 'leftovers'>

async function execute(plan: Plan, deployment: Deployment, context: RunContext): Promise<Execution> {
  const shared = openShared(context.shared)
  const objection = await whyUnreachable(deployment, version => {
    reserveRequest(shared, Number.POSITIVE_INFINITY)
    countRequest(shared, version)
  })
  if (objection !== undefined) {
    const halted: Halted = { reason: 'unreachable', sentence: objection }
    return { collected: NOTHING, halted, requests: requestsSent(shared), leftovers: [] }
  }

  const { stopping, release } = haltOnInterrupt(shared, context.out, plan.onNotice)
  const timer = setTimeout(
    () => {
      halt(shared, 'out of time')
      stopping.abort()
    },
    plan.maxDuration ?? 2 ** 31 - 1,
  )
  const endTelling = tellClosedBookings(shared, deployment, plan.onNotice)
  try {
    const collected = await runSuites(plan, deployment, context, stopping.signal)
    const swept = await sweepUp(deployment, context.out, shared)
    const requests = requestsSent(shared)
    const ended = haltOf(plan, collected, shared)
    return {
      collected,
      ...(ended === undefined ? {} : { halted: ended }),
      requests: { v1: requests.v1 + swept.requests.v1, v2: requests.v2 + swept.requests.v2 },
      leftovers: swept.leftovers,
    }
  } finally {
    endTelling()
    clearTimeout(timer)
    release()
  }
}

/**
 * Workers load every suite once more each, and a deployment that is embedded wants a core for itself: on two cores one
 * worker took 1.5 s, two 1.6 s, three 1.8 s and four 2.0 s to a verdict.
 */
const WORKERS = Math.max(1, Math.min(4, availableParallelism() - 1))
/**
 * Elsewhere checks wait: for the pacer, for the network, for a voucher that is published after a minute. A worker takes
 * one file at a time, so several of them wait at once instead of one after the other.
 */
const WAITING_WORKERS = 4

const workersFor = ({ disposable }: Deployment): number => (disposable ? WORKERS : WAITING_WORKERS)

/** Runs every check that was asked for; soon after `signal` aborts, those still under way are cut off. */
async function runSuites(
  plan: Plan,
  deployment: Deployment,
  context: RunContext,
  signal: AbortSignal,
): Promise<Collected> {
  const reporter = new RunReporter({ root, onProgress: plan.onProgress })
  const suites = await prepareSuites({
    context,
    clauses: clauseIds,
    ...(plan.only === undefined ? {} : { tags: plan.only.tags }),
    ...(plan.check === undefined ? {} : { check: plan.check }),
    concurrency: context.connections,
    workers: workersFor(deployment),
    reporter,
  })
  let late: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => {
    late = setTimeout(() => void suites.cancel(), GRACE)
  })
  try {
    await suites.run()
    return reporter.collected()
  } finally {
    clearTimeout(late)
    await suites.close()
  }
}

function haltOf({ only }: Plan, collected: Collected, shared: Shared): Halted | undefined {
  const ended = halted(shared)
  if (ended !== null) return { reason: ended.reason, sentence: SENTENCES[ended.reason](ended.detail) }
  if (only === undefined || anyRan(collected) || collected.moduleErrors.length > 0) return undefined
  const sentence = `no check cites what --only ${only.text} asks for (tss explain <clause> says why)`
  return { reason: 'nothing selected', sentence }
}

const NOTHING: Collected = { checks: [], moduleErrors: [], unhandledErrors: [], ended: true }

/** Why a run could not be completed, as a clause that goes on. */
export const SENTENCES: Record<HaltReason, (detail: string) => string> = {
  'not a test credential': detail =>
    `a booking of ${detail} did not say test_mode: true, so its credential sells for real: use a test credential, or set allowLiveBookings in the definition`,
  interrupted: () => 'it was interrupted',
  'out of time': () => 'its time was over (--max-duration)',
  'out of requests': () => 'its requests were spent (--max-requests)',
  unreachable: detail => detail || 'the deployment could not be reached any more',
  unauthorised: detail => detail || 'the credential was refused',
  'cannot write': detail => detail || 'its results could not be written',
}
