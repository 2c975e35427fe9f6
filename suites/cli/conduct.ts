import { availableParallelism } from 'node:os'
import { clauseIds } from '../../fixtures/clauses/index.ts'
import {
  createShared,
  type HaltReason,
  halt,
  halted,
  openShared,
  requestsSent,
  type Shared,
} from '../../fixtures/client/shared.ts'
import type { Deployment } from '../../fixtures/deployments/definition.ts'
import { findDefinition, launchDeployment, loadDeployment } from '../../fixtures/deployments/load.ts'
import type { Leftover } from '../../fixtures/record.ts'
import type { ProvePlan, RunContext } from '../../fixtures/run.ts'
import type { Collected } from '../../reports/assemble.ts'
import { type Progress, RunReporter } from '../../reports/reporter.ts'
import { root } from './kit.ts'
import { whyUnreachable } from './reach.ts'
import { makeRunFolder, type RunFolder } from './run-folder.ts'
import { prepareSuites } from './runner.ts'
import type { Selection } from './selection.ts'

/** How long checks may take to clean up behind themselves once a run is to end, before they are aborted. */
const CLEANING_UP = 30_000

/** A terminal and npm may both pass on one Ctrl-C; a person needs longer for a second one. */
const SAME_INTERRUPT = 500

/** What is to be run. */
export interface Plan {
  /** `embedded`, `env` or a path; absent: decided by the environment. */
  deployment?: string
  seed: number
  /** Folder in which the folder of the run is made. */
  out: string
  only?: Selection
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
  /** Why the run could not be completed, and what that reason is called. */
  halted?: { reason: HaltReason; sentence: string }
  requests: { v1: number; v2: number }
  leftovers: Leftover[]
  startedAt: Date
  finishedAt: Date
}

/**
 * Runs the suites against a deployment: starts it where it has to be started, claims a folder, asks whether it can be
 * reached, runs, and cancels what is still booked. An interrupt ends the run early, not this function; a second one
 * ends the process.
 *
 * @throws {DefinitionError | Failure} before anything was sent
 */
export async function conduct(plan: Plan): Promise<Conducted> {
  const definition = findDefinition(plan.deployment, process.cwd())
  const launched = await launchDeployment(definition)
  try {
    const deployment = await loadDeployment(definition, launched?.values)
    const startedAt = new Date()
    const folder = makeRunFolder(plan.out, plan.seed, definition, startedAt)
    try {
      const { perMinute } = deployment.traffic
      const buffer = createShared({
        credentials: Object.keys(deployment.credentials).length,
        perMinute: Math.floor(perMinute),
      })
      const context: RunContext = {
        run: folder.run,
        definition,
        ...(launched === undefined ? {} : { launched: launched.values }),
        seed: plan.seed,
        out: folder.path,
        ...(plan.maxDuration === undefined ? {} : { deadline: startedAt.getTime() + plan.maxDuration }),
        ...(plan.maxRequests === undefined ? {} : { maxRequests: plan.maxRequests }),
        shared: buffer,
        ...(plan.prove === undefined ? {} : { prove: plan.prove }),
      }
      const shared = openShared(buffer)
      const { collected, objection } = await execute(plan, deployment, context, shared)
      const ended = halted(shared)
      const why = objection ?? ended?.detail
      return {
        deployment,
        seed: plan.seed,
        folder,
        collected,
        ...(ended === null ? {} : { halted: { reason: ended.reason, sentence: why || ended.reason } }),
        requests: requestsSent(shared),
        leftovers: [],
        startedAt,
        finishedAt: new Date(),
      }
    } finally {
      folder.release()
    }
  } finally {
    await launched?.stop()
  }
}

async function execute(
  plan: Plan,
  deployment: Deployment,
  context: RunContext,
  shared: Shared,
): Promise<{ collected: Collected; objection?: string }> {
  const reporter = new RunReporter({ root, onProgress: plan.onProgress })
  const workers = Math.min(4, availableParallelism() + 1)
  const suites = await prepareSuites({
    context,
    clauses: clauseIds,
    ...(plan.only === undefined ? {} : { tags: plan.only.tags }),
    concurrency: Math.ceil(deployment.traffic.concurrency / workers),
    workers,
    reporter,
  })
  const end = (reason: HaltReason, sentence: string) => {
    halt(shared, reason, sentence)
    setTimeout(() => void suites.cancel(), CLEANING_UP).unref()
  }
  const release = onInterrupt(
    () => {
      plan.onNotice('Interrupted: cancelling what was booked. Once more to stop at once.')
      end('interrupted', 'it was interrupted')
    },
    () => plan.onNotice(`Stopped at once. What may still be booked: tss cleanup ${context.out}`),
  )
  try {
    const objection = await whyUnreachable(deployment)
    if (objection !== undefined) {
      halt(shared, 'unreachable')
      return { collected: nothing, objection }
    }
    if (context.deadline !== undefined) {
      const left = context.deadline - Date.now()
      setTimeout(() => end('out of time', 'its time was up (--max-duration)'), left).unref()
    }
    await suites.run()
    return { collected: reporter.collected() }
  } finally {
    release()
    await suites.close()
  }
}

const nothing: Collected = { checks: [], moduleErrors: [], unhandledErrors: [], ended: true }

/** Calls `first` on the first interrupt; on another one calls `second` and ends the process. */
function onInterrupt(first: () => void, second: () => void): () => void {
  let firstAt: number | undefined
  const onSignal = () => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      first()
    } else if (performance.now() - firstAt > SAME_INTERRUPT) {
      second()
      process.exit(130)
    }
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
