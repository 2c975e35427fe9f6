import { availableParallelism } from 'node:os'
import { clauseIds } from '../../fixtures/clauses/index.ts'
import { SENTENCES } from '../../fixtures/client/ending.ts'
import { RunStopped, TransportError } from '../../fixtures/client/errors.ts'
import type { ApiVersion } from '../../fixtures/client/exchange.ts'
import { credentialTokens } from '../../fixtures/client/guard.ts'
import {
  countRequest,
  createShared,
  type HaltReason,
  halted,
  openShared,
  requestsRefused,
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
import { EXIT, Failure } from './failure.ts'
import { type EarlyEnd, endEarly } from './interrupt.ts'
import { root } from './kit.ts'
import { whyUnreachable } from './reach.ts'
import { makeRunFolder, type RunFolder } from './run-folder.ts'
import { prepareSuites } from './runner.ts'
import type { Selection } from './selection.ts'
import { IN_HASTE, sweepUp } from './sweep.ts'
import { atMost, defaultDuration, EndedEarly, timeInWords, until } from './time.ts'
import { learnBefore } from './trial.ts'

/** How long it may take checks to end once a run is to end early, in milliseconds: more than they are given. */
const ABANDONED = 15_000

/** How long a definition may take to be loaded unless told otherwise, in milliseconds. */
const LOADING = 20 * 60_000

/** How long threads may take to end, in milliseconds. */
const STOPPING = 5_000

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
  /** Why less was sent than the checks asked for. */
  spent?: string
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
  const end = endEarly(plan.onNotice)
  try {
    return await conductUntil(plan, end)
  } finally {
    end.release()
  }
}

async function conductUntil(plan: Plan, end: EarlyEnd): Promise<Conducted> {
  const startedAt = new Date()
  // What is loaded soon enough gets a record, however short the run.
  end.limit(Math.max(plan.maxDuration ?? LOADING, 10_000))
  const definition = findDefinition(plan.deployment, process.cwd())
  const loading = load(plan, definition)
  const { deployment, launched } = await until(loading, end.signal).catch((error: unknown) => {
    void loading.then(late => late.launched?.stop()).catch(() => {})
    if (!(error instanceof EndedEarly)) throw error
    const code = error.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
    throw new Failure(
      code,
      `Nothing was sent: ${SENTENCES[error.reason]('')} while the definition was still being loaded.`,
    )
  })
  const maxDuration = plan.maxDuration ?? defaultDuration(deployment.traffic)
  const deadline = startedAt.getTime() + maxDuration
  end.limit(deadline - Date.now())
  try {
    const folder = makeRunFolder(plan.out, plan.seed, definition, startedAt)
    try {
      const context = contextOf(plan, deployment, folder, deadline)
      const conducted = await execute(
        plan,
        deployment,
        { ...context, definition, ...(launched === undefined ? {} : { launched: launched.values }) },
        end,
        maxDuration,
      )
      return { deployment, seed: plan.seed, folder, startedAt, finishedAt: new Date(), ...conducted }
    } finally {
      folder.release()
    }
  } finally {
    await atMost(STOPPING, launched?.stop() ?? Promise.resolve())
  }
}

async function load(
  plan: Plan,
  definition: string,
): Promise<{ deployment: Deployment; launched: Launched | undefined }> {
  const launched = await (plan.launch?.() ?? launchDeployment(definition))
  try {
    return { deployment: await loadDeployment(definition, launched?.values), launched }
  } catch (error) {
    await launched?.stop()
    throw error
  }
}

function contextOf(
  { seed, maxRequests, prove }: Plan,
  deployment: Deployment,
  folder: RunFolder,
  deadline: number,
): Omit<RunContext, 'definition'> {
  const most = Math.min(maxRequests ?? Number.POSITIVE_INFINITY, deployment.traffic.total)
  return {
    run: folder.run,
    seed,
    out: folder.path,
    connections: Math.ceil(deployment.traffic.concurrency / workersFor(deployment)),
    shared: createShared({
      credentials: credentialTokens(deployment).length,
      perMinute: deployment.traffic.perMinute,
    }),
    deadline,
    ...(Number.isFinite(most) ? { maxRequests: most } : {}),
    ...(prove === undefined ? {} : { prove }),
  }
}

type Execution = Pick<Conducted, 'collected' | 'halted' | 'spent' | 'requests' | 'leftovers'>

async function execute(
  plan: Plan,
  deployment: Deployment,
  context: RunContext,
  end: EarlyEnd,
  longest: number,
): Promise<Execution> {
  const shared = openShared(context.shared)
  end.tell(shared, context.out)
  const onSent = (version: ApiVersion) => {
    reserveRequest(shared, Number.POSITIVE_INFINITY)
    countRequest(shared, version)
  }
  let objection: string | undefined
  try {
    objection = await until(whyUnreachable(deployment, onSent, end.signal), end.signal)
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error
    const halted: Halted = { reason: error.reason, sentence: SENTENCES[error.reason]('') }
    return { collected: NOTHING, halted, requests: requestsSent(shared), leftovers: [] }
  }
  if (objection !== undefined) {
    const halted: Halted = { reason: 'unreachable', sentence: objection }
    return { collected: NOTHING, halted, requests: requestsSent(shared), leftovers: [] }
  }

  if (plan.prove === undefined) {
    plan.onNotice(
      `It ends after ${timeInWords(longest)} at the latest${plan.maxDuration === undefined ? ' (--max-duration)' : ''}; cleaning up takes ${timeInWords(IN_HASTE + ABANDONED)} more at most.`,
    )
  }
  const learned = await learn(deployment, context, shared, end.signal)
  if (learned.searchEndUnknown !== undefined) plan.onNotice(`Look at this: ${learned.searchEndUnknown}.`)
  const endTelling = tellClosedBookings(shared, deployment, plan.onNotice)
  try {
    const collected = await runSuites(plan, deployment, { ...context, ...learned }, end.signal)
    const swept = await sweepUp(deployment, context.out, shared, end.signal)
    const requests = requestsSent(shared)
    const ended = haltOf(plan, collected, shared)
    return {
      collected,
      ...(ended === undefined ? {} : { halted: ended }),
      ...(requestsRefused(shared) ? { spent: `its ${context.maxRequests} requests were spent` } : {}),
      requests: { v1: requests.v1 + swept.requests.v1, v2: requests.v2 + swept.requests.v2 },
      leftovers: swept.leftovers,
    }
  } finally {
    endTelling()
  }
}

/**
 * Tries the adapters of a definition before anything is booked. What keeps it from that keeps checks from their work,
 * too, and they say so.
 *
 * @throws {DefinitionError} for an adapter that is wrong
 */
async function learn(
  deployment: Deployment,
  context: RunContext,
  shared: Shared,
  signal: AbortSignal,
): Promise<Pick<RunContext, 'searchEndUnknown'>> {
  try {
    return await until(learnBefore({ deployment, shared, dir: context.out, signal }), signal)
  } catch (error) {
    if (error instanceof EndedEarly || error instanceof TransportError || error instanceof RunStopped)
      return {}
    throw error
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

/**
 * Runs every check that was asked for. Soon after `signal` aborts they end by themselves; should one not, it is
 * abandoned with the thread that it runs in.
 */
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
  const running = suites.run()
  try {
    await Promise.race([running, tooLate(signal)])
    return reporter.collected()
  } finally {
    running.catch(() => {})
    await atMost(STOPPING, suites.close())
  }
}

/** Resolves when a run that is to end early should be over. */
function tooLate(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const wait = () => void setTimeout(resolve, ABANDONED).unref()
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true })
  })
}

function haltOf({ only }: Plan, collected: Collected, shared: Shared): Halted | undefined {
  const ended = halted(shared)
  if (ended !== null) return { reason: ended.reason, sentence: SENTENCES[ended.reason](ended.detail) }
  if (only === undefined || anyRan(collected) || collected.moduleErrors.length > 0) return undefined
  const sentence = `no check cites what --only ${only.text} asks for (tss explain <clause> says why)`
  return { reason: 'nothing selected', sentence }
}

const NOTHING: Collected = { checks: [], moduleErrors: [], unhandledErrors: [], ended: true }
