import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { resolveSender } from '../../fixtures/check/control/actor.ts'
import { blocked, notExercised } from '../../fixtures/check/evidence/assume.ts'
import { stopOf } from '../../fixtures/check/evidence/independently.ts'
import { endedFirst, type HaltReason, SENTENCES } from '../../fixtures/client/pace/index.ts'
import { type Deployment, loadRole, type Role } from '../../fixtures/deployments/definition/index.ts'
import { heldFor, NoToken, tokenOf } from '../../fixtures/deployments/tokens/index.ts'
import type { Counters } from '../../fixtures/ground/control.ts'
import { refusalOf } from '../../fixtures/ground/own-port.ts'
import type { Knows } from '../../fixtures/recording/judge.ts'
import { isHandle } from '../../fixtures/secrets/token-handle.ts'
import { type Plan, type PlannedShapes, type ScenarioName, type Sender, tenantOf } from '../plan/plan.ts'
import type { PlannedSender, ScenarioPlan, StagePlan } from '../plan/scenario-plan.ts'
import { archiveK6, runK6 } from './k6-process.ts'

/** A sender with its credential, and what is known of it. */
export interface ReadySender extends Sender {
  token: string
  knows?: Knows
}

/**
 * Finds or mints the senders of a stage, and reuses those of earlier stages.
 *
 * @param known by `id`; new ones are added
 * @throws Inconclusive if there are none
 */
async function findSenders(
  deployment: Deployment,
  planned: readonly PlannedSender[],
  known: Map<string, ReadySender>,
  variant?: string,
): Promise<ReadySender[]> {
  for (const sender of planned.filter(({ id }) => !known.has(id)))
    known.set(sender.id, await findSender(deployment, sender, known, variant))
  return planned.map(({ id }) => known.get(id)!)
}

async function findSender(
  deployment: Deployment,
  { alias, role, colleagueOf, product }: PlannedSender,
  known: ReadonlyMap<string, ReadySender>,
  variant: string | undefined,
): Promise<ReadySender> {
  const token = (deployment.load.tokens ?? []).find((_, index) => loadRole(index) === role)
  if (token !== undefined) return { alias, role, token }
  const colleague = colleagueOf === undefined ? undefined : known.get(colleagueOf)!
  const wish = colleague === undefined ? {} : { companyOf: tenantOf(colleague) }
  const found = await resolveSender(deployment, role as Role, wish, variant)
  return {
    alias,
    // It may have the name of the company, as the other has.
    role: colleague === undefined ? role : alias,
    ...(colleague !== undefined && { colleagueOf: colleague.alias }),
    ...(product !== undefined && { product }),
    ...(found.minted && { tenant: found.tenant }),
    token: found.token,
    knows: {
      modes: found.modes,
      features: { ...found.features },
      ...(colleague !== undefined && { company: tenantOf(colleague) }),
    },
  }
}

/** Returns a sender without its credential. */
const withoutToken = ({ token: _, knows: __, ...sender }: ReadySender): Sender => sender

/** The memory of a deployment under load. */
export interface Vitals {
  at: number
  heapBytes: number
}

/** The interval at which an accelerated clock is moved, in milliseconds. */
const TICK = 40
const VITALS_EVERY = 500

/** Accelerates clocks if wanted, and records the vitals of the deployment, while k6 runs. */
export function watching(
  { control }: Deployment,
  senders: readonly ReadySender[],
  speed: number,
): { vitals: Vitals[]; behind(): number; stop(): Promise<void> } {
  const vitals: Vitals[] = []
  let [behind, unsure] = [0, 0]
  const over = new AbortController()
  const every = async (milliseconds: number, act: (elapsed: number) => Promise<void>) => {
    let last = performance.now()
    while (!over.signal.aborted) {
      await pause(milliseconds, undefined, { signal: over.signal }).catch(() => {})
      const now = performance.now()
      const elapsed = now - last
      last = now
      if (!over.signal.aborted) await act(elapsed).catch(() => {})
    }
  }
  const work: Promise<void>[] = []
  const { advanceClock, vitals: ask } = control
  if (speed > 1 && advanceClock !== undefined) {
    work.push(
      every(TICK, async elapsed => {
        const asked = performance.now()
        const seconds = ((speed - 1) * elapsed) / 1000
        const moved = await Promise.allSettled(senders.map(sender => advanceClock(tenantOf(sender), seconds)))
        // What failed may have moved a clock or not, and nothing makes up for it.
        if (moved.some(({ status }) => status === 'rejected')) unsure += elapsed
        behind = Math.max(behind, elapsed + performance.now() - asked)
      }),
    )
  }
  if (ask !== undefined) {
    work.push(
      every(VITALS_EVERY, async () => {
        const { heapBytes } = await ask()
        vitals.push({ at: Date.now(), heapBytes })
      }),
    )
  }
  return {
    vitals,
    behind: () => behind + unsure,
    async stop() {
      over.abort()
      await Promise.all(work)
    },
  }
}

/** Returns the deployment's own counters of each sender, by alias; `undefined` if it does not report them. */
async function countersOf(
  { control }: Deployment,
  senders: readonly ReadySender[],
): Promise<Map<string, Counters> | undefined> {
  if (control.counters === undefined) return undefined
  const counted = await Promise.all(
    senders.map(async sender => [sender.alias, await control.counters!(tenantOf(sender))] as const),
  )
  return new Map(counted)
}

/** Returns the difference of these counters since an earlier reading. */
async function countersSince(
  deployment: Deployment,
  senders: readonly ReadySender[],
  before: ReadonlyMap<string, Counters> | undefined,
): Promise<Map<string, Counters> | undefined> {
  const after = await countersOf(deployment, senders)
  if (after === undefined || before === undefined) return undefined
  return new Map([...after].map(([alias, counters]) => [alias, difference(counters, before.get(alias)!)]))
}

function difference(after: Counters, before: Counters): Counters {
  const less = <Of extends Record<string, number>>(now: Of, then: Of): Of =>
    Object.fromEntries(Object.entries(now).map(([name, count]) => [name, count - (then[name] ?? 0)])) as Of
  return {
    requests: less(after.requests, before.requests),
    bookings: less(after.bookings, before.bookings),
  }
}

/** Where k6 asks for tokens that change while it runs. */
interface TokenGate {
  url: string
  close(): Promise<void>
}

/**
 * Opens a gate on loopback, under an unguessable path, if the tokens of a sender change. `POST /token` with the alias of the
 * sender, and with the token that was refused, if any, answers `token` and `until`, in milliseconds since the epoch.
 *
 * @returns `undefined` if no token changes
 */
async function openTokenGate(senders: readonly ReadySender[]): Promise<TokenGate | undefined> {
  const handles = new Map(senders.filter(({ token }) => isHandle(token)).map(one => [one.alias, one.token]))
  if (handles.size === 0) return undefined
  const { app, path, open } = gateFor()
  app.post<{ Body: { who: string; refused?: string } }>(`${path}/token`, async ({ body }, reply) => {
    const handle = handles.get(body.who)
    if (handle === undefined)
      return reply.code(400).send({ stop: `The tokens of ${body.who} do not change.` })
    try {
      const { text, until } = await heldFor(handle, body.refused)
      // JSON has no infinite numbers.
      return { token: text, until: Math.min(until, Number.MAX_SAFE_INTEGER) }
    } catch (error) {
      if (error instanceof NoToken)
        return reply.code(409).send({ stop: `There is no token: ${error.message}.` })
      throw error
    }
  })
  return { url: await open(), close: () => app.close() }
}

/** Returns a server for k6, which has its routes on loopback under an unguessable path. `open` returns its address. */
export function gateFor() {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 4 * 1024 * 1024 })
  const path = `/${randomUUID()}`
  app.addHook('onRequest', async ({ headers }, reply) => {
    const stop = refusalOf(headers)
    return stop === undefined ? undefined : reply.code(403).send({ stop })
  })
  const open = async () => `${await app.listen({ host: '127.0.0.1', port: 0 })}${path}`
  return { app, path, open }
}

/** The parameters of the stages of a scenario. */
export interface RunContext {
  deployment: Deployment
  scenario: ScenarioName
  shapes: PlannedShapes
  /** A variant of the embedded deployment, to test whether it is found. */
  variant: string | undefined
  /** The path of the executable. */
  k6: string
  /** The bundled script. */
  script: string
  /** The folder for the scenario's raw output. */
  dir: string
  /** The random part of keys and references, unique per run. */
  nonce: string
  /** Absent if bookings need no journal. */
  gate: StageGate | undefined
  signal: AbortSignal
  onNotice(sentence: string): void
}

/** The part of the booking gate that a stage uses. */
export interface StageGate {
  url: string
  /** Returns why nothing more may be booked, or `undefined`. */
  refusal(): string | undefined
  /** Registers the credentials of a stage by alias. */
  knows(senders: readonly ReadySender[]): void
  /** Waits a few seconds for the results of bookings that are under way. API v1 promises no replay that would tell them. */
  settled(): Promise<void>
}

/** The output of one k6 run before it is read. */
export interface RawStage {
  plan: Plan
  senders: readonly ReadySender[]
  /** How many times as fast as real time the clocks of its senders ran. */
  speed: number
  /** The credentials in the order of `plan.senders`. */
  tokens: readonly string[]
  /** The headers that every request had. */
  headers: Readonly<Record<string, string>>
  dir: string
  /** In epoch milliseconds. */
  startedAt: number
  finishedAt: number
  /** Whether k6 finished, so that its samples are complete. */
  ended: boolean
  /** By alias: the deployment's own counters. */
  counted?: ReadonlyMap<string, Counters>
  vitals: readonly Vitals[]
  /** Milliseconds of real time by which an accelerated clock may be wrong: on a busy machine, or where control failed. */
  behind?: number
}

/** Why a scenario did not finish. */
export interface Stopped {
  verdict: 'blocked' | 'not exercised' | 'error'
  reason: string
}

/** The output of the stages that were run: all, or those before it was stopped. */
export interface StagesRun {
  stages: RawStage[]
  stopped?: Stopped
}

/** Runs the stages of a plan one after the other. If it ends early, the result says why; nothing is thrown. */
export async function runStages(plan: ScenarioPlan, context: RunContext): Promise<StagesRun> {
  const stages: RawStage[] = []
  const known = new Map<string, ReadySender>()
  try {
    for (const stage of plan.stages) {
      const senders = await findSenders(context.deployment, stage.senders, known, context.variant)
      await prepare(stage, senders, context)
      const { error, raw } = await runStage(plan, stage, senders, context)
      stages.push(raw)
      if (error !== undefined) throw error
      if (context.signal.aborted) throw endedEarly(context.signal)
    }
    return { stages }
  } catch (error) {
    return { stages, stopped: stoppedBy(error) }
  }
}

/** Returns why a scenario was stopped. An unexpected error is the kit's own fault. */
export function stoppedBy(error: unknown): Stopped {
  const stop = stopOf(error)
  if (stop === undefined) {
    // Other scenarios are not affected.
    return { verdict: 'error', reason: error instanceof Error ? error.message : String(error) }
  }
  const { verdict, message: reason } = stop
  return { verdict: verdict === 'not applicable' ? 'not exercised' : verdict, reason }
}

const endedEarly = ({ reason }: AbortSignal) => notExercised(endedFirst(SENTENCES[reason as HaltReason]('')))

/** Waits or moves clocks, as a stage needs. */
async function prepare(
  { silence }: StagePlan,
  senders: readonly ReadySender[],
  { deployment: { control }, signal, onNotice }: RunContext,
): Promise<void> {
  if (silence === undefined) return
  if (control.advanceClock !== undefined) {
    await Promise.all(senders.map(sender => control.advanceClock!(tenantOf(sender), silence.seconds)))
    return
  }
  onNotice(`Waiting ${silence.seconds} seconds: ${silence.why}.`)
  await pause(silence.seconds * 1000, undefined, { signal }).catch(() => {
    throw endedEarly(signal)
  })
}

/** Returns the plan of a stage for k6. */
function stagePlan(
  { settings }: ScenarioPlan,
  { name, settings: different, products, intendedRate, silence }: StagePlan,
  senders: readonly ReadySender[],
  { deployment, scenario, shapes, nonce, gate }: Omit<RunContext, 'dir' | 'script' | 'signal' | 'onNotice'>,
): Plan {
  return {
    scenario,
    stage: name,
    baseUrl: deployment.baseUrl,
    settings: { ...settings, ...different },
    ...(silence !== undefined && deployment.control.advanceClock && { silence: silence.seconds }),
    senders: senders.map(withoutToken),
    products: products ?? deployment.products,
    shapes,
    nonce,
    ...(gate !== undefined && { gate: gate.url }),
    ...(intendedRate !== undefined && { intendedRate }),
  }
}

/**
 * Writes the first stage of a plan as an archive for other machines.
 *
 * @returns the names of the credentials that they need, in that order
 */
export async function archiveStage(
  plan: ScenarioPlan,
  context: RunContext,
  file: string,
): Promise<readonly string[]> {
  const [stage] = plan.stages
  const senders = await findSenders(context.deployment, stage!.senders, new Map())
  await archiveK6({ ...context, plan: stagePlan(plan, stage!, senders, context) }, file)
  return senders.map(({ role }) => role)
}

/** Runs k6 once, and watches the deployment meanwhile. */
async function runStage(
  planned: ScenarioPlan,
  stage: StagePlan,
  senders: readonly ReadySender[],
  context: RunContext,
): Promise<{ raw: RawStage; error?: unknown }> {
  const { deployment, gate, k6, script, signal } = context
  const tokens = await tokensOf(senders)
  const renewals = await openTokenGate(senders)
  const changing = senders.filter(({ token }) => isHandle(token)).map(({ alias }) => alias)
  const plan = {
    ...stagePlan(planned, stage, senders, context),
    ...(renewals && { renewals: { url: renewals.url, of: changing } }),
  }
  const dir = join(context.dir, stage.name)
  gate?.knows(senders)
  const before = await countersOf(deployment, senders)
  const { speed = 1 } = stage
  const watch = watching(deployment, senders, speed)
  const { headers } = deployment
  const raw = { plan, senders, speed, tokens, headers, dir, startedAt: Date.now(), vitals: watch.vitals }
  try {
    await runK6({
      k6,
      script,
      plan,
      tokens,
      headers,
      dir,
      signal,
      tls: deployment.tls,
      settled: gate?.settled,
    }).finally(watch.stop)
    const finishedAt = Date.now()
    const counted = await countersSince(deployment, senders, before)
    return {
      raw: {
        ...raw,
        finishedAt,
        behind: watch.behind(),
        ended: !signal.aborted,
        ...(counted !== undefined && { counted }),
      },
    }
  } catch (error) {
    const why = gate?.refusal()
    return {
      raw: { ...raw, finishedAt: Date.now(), ended: false },
      error: why === undefined ? error : notExercised(why),
    }
  } finally {
    await renewals?.close()
  }
}

/** Returns the tokens of senders at this moment. @throws Inconclusive if there is none */
async function tokensOf(senders: readonly ReadySender[]): Promise<string[]> {
  try {
    return await Promise.all(senders.map(({ token }) => tokenOf(token)))
  } catch (error) {
    throw error instanceof NoToken ? blocked(`there is no token: ${error.message}`) : error
  }
}
