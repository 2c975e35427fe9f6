import { SharedArray } from 'k6/data'
import exec from 'k6/execution'
import { Trend } from 'k6/metrics'
import { type Buyer, type SalesCalls, salesOf } from '../../../fixtures/client/requests/sales.ts'
import { createV1 } from '../../../fixtures/client/requests/v1.ts'
import { createV2, type PartnerCall } from '../../../fixtures/client/requests/v2.ts'
import type { Product } from '../../../fixtures/ground/control.ts'
import type { EndpointId, V1Paths } from '../../../fixtures/ground/endpoints.ts'
import type { Operation } from '../../../fixtures/ground/logged.ts'
import { ENV, PLAN_FILE, type Plan, type ProbeCall } from '../../plan/plan.ts'
import { read } from './adapters.ts'
import type { Pace } from './executors.ts'
import { METRIC } from './output.ts'

/** A request of a scenario. */
export interface Call extends ProbeCall {
  op: Operation
  headers?: Readonly<Record<string, string>> | undefined
}

let made: PartnerCall | undefined
let meant: EndpointId | undefined

function note(call: PartnerCall, id = call.endpoint): Promise<never> {
  made = call
  meant = id
  return NEVER
}

const NEVER = new Promise<never>(() => {})

/** Returns the kit's client, which here only records the request instead of sending it. */
const clientAt = (v1Paths: V1Paths = {}): Buyer => ({
  v1: createV1(note, v1Paths),
  v2: createV2(note),
})

/** Returns the request that the kit's client would send, so that paths and bodies are defined once. */
export function callOf(client: Buyer, ask: (by: Buyer) => unknown): Call {
  ask(client)
  const { method, path, body, headers } = made!
  return {
    op: meant!,
    method: method as Call['method'],
    path,
    body,
    headers: headers as Record<string, string> | undefined,
  }
}

const sales = new Map<Product, SalesCalls>()

/** Returns the calls that sell a product. They do not tell a kind, since requests do not. */
export function saleOf(product: Product): SalesCalls {
  let calls = sales.get(product)
  if (calls === undefined) {
    calls = salesOf(product, { v1Transfers: { cancel: read.cancel } })
    sales.set(product, calls)
  }
  return calls
}

/** The plan of this process with the credentials of its senders. */
export interface Briefing extends Plan {
  /** In the order of `senders`. */
  tokens: readonly string[]
  /** Headers of every request. */
  headers: Readonly<Record<string, string>>
  /** Returns what the kit's client sends. */
  client: Buyer
}

/** Reads the plan of this process. Its long lists are shared by all clients, and their entries are copies. */
export function readPlan(): Briefing {
  const text = open(`./${PLAN_FILE}`)
  const planIn = (): Plan => JSON.parse(text)
  const [short] = new SharedArray('plan', () => [withoutLists(planIn())])
  const plan: Plan = short!
  const senders = new SharedArray('senders', () => [...planIn().senders])
  const tokens = new SharedArray('tokens', () => (__ENV[ENV.tokens] ?? '').trim().split(/\s+/))
  // An archive is made without them: then nothing is run, and no client is there.
  if (__VU > 0 && tokens.length !== senders.length)
    throw new Error(
      `Set ${ENV.tokens} to the credentials of ${[...senders].map(({ alias }) => alias)}, one a line.`,
    )
  const products = Object.keys(plan.shapes.asks) as Product[]
  const asks = products.map(product => [
    product,
    new SharedArray(product, () => [...(planIn().shapes.asks[product] ?? [])]),
  ])
  return {
    ...plan,
    baseUrl: plan.baseUrl.replace(/\/+$/, ''),
    senders,
    tokens,
    headers: JSON.parse(__ENV[ENV.headers] ?? '{}'),
    shapes: { ...plan.shapes, asks: Object.fromEntries(asks) },
    client: clientAt(plan.shapes.v1Paths),
  }
}

/** Returns a setting of the scenario. @throws Error if the plan lacks it */
export function setting({ settings, scenario }: Plan, name: string): number {
  const value = settings[name]
  if (value === undefined) throw new Error(`The plan for ${scenario} has no setting ${name}: add it.`)
  return value
}

const withoutLists = (plan: Plan): Plan => {
  const none = Object.keys(plan.shapes.asks).map(product => [product, []])
  return { ...plan, senders: [], shapes: { ...plan.shapes, asks: Object.fromEntries(none) } }
}

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
  /** The place of the sender in the plan, from 0. */
  at: number
  /** The name of the part of the stage. */
  part: string
  /** In epoch milliseconds; absent in a closed model. */
  dueAt?: number
  /** Whether one of its requests has ended. */
  begun: boolean
}

/** Returns the current iteration. Senders take turns unless `sender` (from 0) is given. */
export function nextIteration(plan: Briefing, pace: Pace, sender?: number): Iteration {
  const { name, iterationInTest: number, startTime } = exec.scenario
  const at = sender ?? number % plan.senders.length
  const round = sender === undefined ? Math.floor(number / plan.senders.length) : number
  const who = plan.senders[at]!.alias
  return {
    plan,
    number,
    round,
    // Were it their sum, a product would always come by the same few.
    turn: round + 2 * at,
    who,
    at,
    part: name,
    ...(pace.due !== undefined && { dueAt: startTime + pace.due(number) }),
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
