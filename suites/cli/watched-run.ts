import { systemClock } from '../../fixtures/client/clock.ts'
import { paceOf } from '../../fixtures/client/pace.ts'
import { requestsSent } from '../../fixtures/client/shared.ts'
import { loadRole } from '../../fixtures/deployments/definition.ts'
import { say, watched } from '../../fixtures/output/console.ts'
import type { Progress } from '../../fixtures/run/collected.ts'
import { root } from '../../fixtures/run/kit.ts'
import { type FinishedRun, type Plan, run } from '../../fixtures/run/run.ts'
import type { Started } from '../../fixtures/run/run-against.ts'
import { RunReporter } from '../../reports/reporter.ts'
import { createProgress, type Traffic } from '../../reports/terminal/progress.ts'
import { createRunEvents, type RunEvent } from '../../reports/terminal/run-events.ts'
import { wantsColour } from '../../reports/terminal/summary.ts'
import type { ProgressForm } from './progress-form.ts'

type WatchedPlan = Omit<Plan, 'collector' | 'onNotice' | 'onStarted'>

/**
 * Runs checks and shows the progress on the terminal, or to the program that started this one.
 *
 * @param shown maps the progress to what is shown; default: all
 */
export async function runWatched(
  plan: WatchedPlan,
  shown: (progress: Progress) => Progress = progress => progress,
  form: ProgressForm = 'line',
): Promise<FinishedRun> {
  if (form === 'ndjson') return runToldAsEvents(plan)
  let started: Started | undefined
  const progress = createProgress({
    stream: watched,
    colour: wantsColour(watched, process.env),
    traffic: () => (started === undefined ? undefined : trafficOf(started)),
  })
  return run({
    ...plan,
    collector: new RunReporter({ root, onProgress: now => progress.update(shown(now)) }),
    onStarted(now) {
      started = now
    },
    onNotice(sentence) {
      progress.clear()
      say(sentence)
    },
  }).finally(progress.end)
}

function runToldAsEvents(plan: WatchedPlan): Promise<FinishedRun> {
  let started: Started | undefined
  const tell = (event: RunEvent) => void watched.write(`${JSON.stringify(event)}\n`)
  const events = createRunEvents({
    tell,
    traffic: () => (started === undefined ? undefined : trafficOf(started)),
  })
  return run({
    ...plan,
    collector: new RunReporter({ root, onProgress: events.update, onCheck: events.check }),
    onStarted(now) {
      started = now
      const { folder, deployment } = now
      tell({ event: 'started', run: folder.run, deployment: deployment.name, baseUrl: deployment.baseUrl })
    },
    onNotice: text => tell({ event: 'notice', text }),
  }).finally(events.end)
}

/** A pace above this many requests a minute never delays a run, and its permits take long to search. */
const NO_LIMIT = 10_000

/** Returns the requests that a run has sent; companies that control makes for one check have their own limits. */
function trafficOf({ deployment, shared }: Started): Traffic {
  const { v1, v2, otherPaths } = requestsSent(shared)
  const sent = v1 + v2 + otherPaths
  const { perMinute } = deployment.traffic
  const limitless = deployment.control.mint !== undefined || shared.credentials === 0 || perMinute > NO_LIMIT
  if (limitless) return { sent, paced: [], perMinute }
  const used = paceOf(shared, systemClock.now())
  const of = (version: 'v1' | 'v2', sent: number) => {
    const most = used
      .filter(one => one.version === version)
      .reduce((one, other) => (other.requests > one.requests ? other : one))
    return { sent, lastMinute: most.requests, until: (more: number) => most.until(more) / 1000 }
  }
  const longest = used.reduce((one, other) => (other.until(1) > one.until(1) ? other : one))
  const seconds = longest.until(1) / 1000
  const roles = Object.keys(deployment.credentials)
  const role = roles[longest.credential] ?? loadRole(longest.credential - roles.length)
  return {
    sent,
    perMinute,
    paced: [of('v1', v1), of('v2', v2)],
    ...(seconds < 1 ? {} : { waiting: { role, seconds } }),
  }
}
