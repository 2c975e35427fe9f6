import { aheadOf, halted, paceOf, requestsSent } from '../../../fixtures/client/pace/index.ts'
import { loadRole } from '../../../fixtures/deployments/definition/index.ts'
import { type HeardWaits, hearWaits, steadyNow } from '../../../fixtures/ground/time.ts'
import { say, watched } from '../../../fixtures/output/console.ts'
import type { Progress } from '../../../fixtures/run/collected.ts'
import { root } from '../../../fixtures/run/kit.ts'
import { type FinishedRun, type Plan, run } from '../../../fixtures/run/run.ts'
import type { Started } from '../../../fixtures/run/run-against.ts'
import { RunReporter } from '../../../reports/reporter.ts'
import {
  createProgress,
  createRunEvents,
  type RunEvent,
  type Traffic,
} from '../../../reports/terminal/progress.ts'
import { wantsColour } from '../../../reports/terminal/summary.ts'

/** The variable of the environment with which `ui` asks a run for events on stderr in place of a line. */
export const TELLS_EVENTS = 'TRAVEL_SALES_EVENTS'

type WatchedPlan = Omit<Plan, 'collector' | 'onNotice' | 'onStarted'>

/**
 * Runs checks and shows the progress on the terminal, or to the program that started this one.
 *
 * @param shown maps the progress to what is shown; default: all
 */
export async function runWatched(
  plan: WatchedPlan,
  shown: (progress: Progress) => Progress = progress => progress,
): Promise<FinishedRun> {
  if (process.env[TELLS_EVENTS] !== undefined) return runToldAsEvents(plan)
  const watch = createWatch()
  const progress = createProgress({
    stream: watched,
    colour: wantsColour(watched, process.env),
    traffic: watch.traffic,
  })
  return run({
    ...plan,
    collector: new RunReporter({ root, onProgress: now => progress.update(shown(now)) }),
    onStarted: watch.begin,
    onNotice(sentence) {
      progress.clear()
      say(sentence)
    },
  }).finally(() => {
    progress.end()
    watch.end()
  })
}

/** Returns the traffic and the waits of a run from its start on. */
function createWatch() {
  let watching: { started: Started; waits: HeardWaits } | undefined
  return {
    begin(started: Started) {
      watching = { started, waits: hearWaits(started.folder.run) }
    },
    traffic: () => watching && trafficOf(watching.started, watching.waits),
    end: () => watching?.waits.end(),
  }
}

function runToldAsEvents(plan: WatchedPlan): Promise<FinishedRun> {
  const watch = createWatch()
  const tell = (event: RunEvent) => void watched.write(`${JSON.stringify(event)}\n`)
  const events = createRunEvents({ tell, traffic: watch.traffic })
  return run({
    ...plan,
    collector: new RunReporter({ root, onProgress: events.update, onCheck: events.check }),
    onStarted(started) {
      watch.begin(started)
      const { folder, deployment } = started
      tell({ event: 'started', run: folder.run, deployment: deployment.name, baseUrl: deployment.baseUrl })
    },
    onNotice: text => tell({ event: 'notice', text }),
  }).finally(() => {
    events.end()
    watch.end()
  })
}

/** A pace above this many requests a minute never delays a run, and its permits take long to search. */
const NO_LIMIT = 10_000

/** Returns what a run has sent and waits for; companies that control makes for one check have their own limits. */
function trafficOf({ deployment, shared }: Started, heard: HeardWaits): Traffic {
  const { v1, v2, otherPaths } = requestsSent(shared)
  const sent = v1 + v2 + otherPaths
  const { perMinute } = deployment.traffic
  const ahead = aheadOf(shared)
  const isEnding = halted(shared) !== null
  const now = steadyNow()
  const waits = heard.now(now).map(({ what, until }) => ({ what, seconds: Math.max(0, until - now) / 1000 }))
  const limitless = deployment.control.mint !== undefined || shared.credentials === 0 || perMinute > NO_LIMIT
  if (limitless) return { sent, ahead, isEnding, paced: [], perMinute, waits }
  const used = paceOf(shared, now)
  const of = (version: 'v1' | 'v2') => {
    const those = used.filter(one => one.version === version)
    const most = those.reduce((one, other) => (other.requests > one.requests ? other : one))
    const all = those.reduce((sum, { requests }) => sum + requests, 0)
    const share = all === 0 ? 1 : most.requests / all
    return { lastMinute: most.requests, share, until: (more: number) => most.until(more) / 1000 }
  }
  const longest = used.reduce((one, other) => (other.until(1) > one.until(1) ? other : one))
  const seconds = longest.until(1) / 1000
  const roles = Object.keys(deployment.credentials)
  const role = roles[longest.credential] ?? loadRole(longest.credential - roles.length)
  return {
    sent,
    perMinute,
    ahead,
    isEnding,
    paced: [of('v1'), of('v2')],
    waits: [...(seconds < 1 ? [] : [{ what: `the rate limit of ${role}`, seconds }]), ...waits],
  }
}
