import exec from 'k6/execution'
import { Trend } from 'k6/metrics'
import { isDrawn } from './drawn.ts'
import type { Pace } from './executors.ts'
import { METRIC, type Operation } from './output.ts'
import type { Briefing } from './plan.ts'

const fromSchedule = new Trend(METRIC.fromSchedule, true)

/** One iteration: its sender and when it is due. */
export interface Iteration {
  plan: Briefing
  /** Its number in the whole run, over all processes, from 0. */
  number: number
  /** The number of earlier iterations of its sender, for avoiding repeats. */
  round: number
  /** Number by which it chooses what it asks for: of one sender, and of a round of all of them, no two are the same. */
  turn: number
  /** The alias of the sender. */
  who: string
  token: string
  /** The name of the part of the stage. */
  part: string
  /** In epoch milliseconds; absent in a closed model. */
  dueAt?: number
  /** Whether its answers are logged and judged, or only counted by status. */
  judged: boolean
  /** Whether one of its requests has ended. */
  begun: boolean
}

/** Returns the current iteration. Senders take turns unless `sender` (from 0) is given. */
export function nextIteration(plan: Briefing, pace: Pace, sender?: number): Iteration {
  const { name, iterationInTest: number, startTime } = exec.scenario
  const at = sender ?? number % plan.senders.length
  const round = sender === undefined ? Math.floor(number / plan.senders.length) : number
  const who = plan.senders[at]!.alias
  const judged = isDrawn(plan, number)
  // Set for all requests of the iteration, since tags per request are slow in k6.
  const { tags } = exec.vu.metrics
  tags.who = who
  if (judged) delete tags.light
  else tags.light = 'yes'
  return {
    plan,
    number,
    round,
    // Were it their sum, a product would always come by the same few.
    turn: round + 2 * at,
    who,
    token: plan.tokens[at]!,
    part: name,
    ...(pace.due === undefined ? {} : { dueAt: startTime + pace.due(number) }),
    judged,
    begun: false,
  }
}

/** Records the end of a request. For the first one, the time from the schedule is measured. */
export function noteAnswer(iteration: Iteration, op: Operation): void {
  if (iteration.begun) return
  iteration.begun = true
  noteLateness(iteration, op)
}

/** Records the end of a journey. */
export const noteJourney = (iteration: Iteration): void => noteLateness(iteration, 'journey')

function noteLateness({ dueAt }: Iteration, op: Operation | 'journey'): void {
  if (dueAt !== undefined) fromSchedule.add(Date.now() - dueAt, { op })
}

/**
 * Returns an entry of a list by number. Consecutive numbers get distant entries, each entry is used once before any
 * repeats, and the same number always gets the same one.
 */
export const spreadOver = <T>(list: readonly T[], number: number): T => list[placeOf(list.length, number)]!

/** Returns the index for a number in a list of that length. */
export function placeOf(length: number, number: number): number {
  let step = steps.get(length)
  if (step === undefined) {
    step = Math.max(1, Math.round(length * 0.618))
    while (commonDivisor(step, length) > 1) step++
    steps.set(length, step)
  }
  return (number * step) % length
}

const steps = new Map<number, number>()

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))
