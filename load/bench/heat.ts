import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Tenant } from '../../fixtures/deployments/control.ts'
import type { Plan } from '../plan/plan.ts'
import { type Arena, countedFor } from './arena.ts'
import type { Clocked, Cost } from './clocked.ts'

/** What a contestant is to do. */
export interface Task {
  baseUrl: string
  /** Whose requests they are; fresh, so that nobody's limit is reached. */
  tenants: readonly Tenant[]
  /** Random part of keys and references. */
  nonce: string
  /** What can be bought, by which requests, and in which way: as `tss load` found out. */
  goods: Pick<Plan, 'shapes' | 'products' | 'settings'>
  /** A folder of its own. */
  dir: string
  pace: Pace
}

/** At a rate that does not depend on answers, or each client as fast as it is answered. */
export type Pace = { seconds: number } & (
  | {
      rate: number
      requestsPerSecond: number
      /** Half way through, every answer of a second is a second late. */
      stall?: boolean
      clients?: never
    }
  | { clients: number; rate?: never; stall?: never }
)

/** What a tool says of what it did. Times are in milliseconds. */
export interface Said {
  sent: number
  /** Requests without an answer, and answers that are neither a success nor, on a conflict, 409. */
  failed: number
  /** Seconds of load, as far as rates go by them. */
  seconds: number
  latency: Quantiles
  /** Of the calls that every contestant makes. */
  looking: Quantiles
  /** Absent where the tool knows no journeys. */
  journeys?: { ended: number; dropped: number }
  /** From when it was due, where the tool tells. */
  due?: Quantiles
}

export interface Quantiles {
  p50: number
  p99: number
}

/** Somebody who compares. */
export interface Contestant {
  name: string
  run(task: Task): Promise<{ said: Said; program: Clocked; memory: number | undefined }>
}

/** What a tool says, and what others saw of it. */
export interface Heat extends Said {
  counted: { requests: number; bookings: number }
  cost: Cost
  /** The most memory that it took, in bytes. */
  memory: number | undefined
  /** Of one core, that the deployment's thread used while the load lasted. */
  share: number
}

/** Clients of those that have no rate; as many credentials at least. */
export const CLIENTS = 96
/** Requests that one credential may be asked to carry; 500 a minute are its limit in each version. */
const EACH = 400
/** More requests a second than any of the contestants gets answered. */
const MOST = 20_000

export interface Setting extends Pick<Task, 'goods' | 'pace'> {
  arena: Arena
  /** Folder in which one for each heat is made, and removed again. */
  folder: string
}

/** Has a contestant run once, with companies of its own. */
export async function runHeat(
  contestant: Contestant,
  { arena, folder, goods, pace }: Setting,
): Promise<Heat> {
  const { baseUrl, control } = arena
  const perSecond = pace.rate === undefined ? MOST : pace.requestsPerSecond * 1.5
  const companies = Math.ceil((perSecond * pace.seconds) / EACH / CLIENTS) * CLIENTS
  const tenants = await Promise.all(Array.from({ length: companies }, () => control.mint({})))
  const nonce = randomBytes(6).toString('hex')
  const dir = join(folder, nonce)
  mkdirSync(dir)
  try {
    const before = await control.vitals()
    const [{ said, program, memory }] = await Promise.all([
      contestant.run({ baseUrl, tenants, nonce, goods, dir, pace }),
      pace.stall ? stall(arena, tenants, pace.seconds / 2) : undefined,
    ])
    const after = await control.vitals()
    const counted = await countedFor(arena, tenants)
    const share = (after.cpuSeconds - before.cpuSeconds) / said.seconds
    return { ...said, counted, cost: program.cost(), memory, share }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** After so many seconds, has every answer of a second leave a second late. */
async function stall({ control }: Arena, tenants: readonly Tenant[], after: number): Promise<void> {
  const delay = (milliseconds: number) =>
    Promise.all(tenants.map(({ tenant }) => control.delay(tenant, 'all', milliseconds)))
  await pause(after * 1000)
  await delay(1000)
  await pause(1000)
  await delay(0)
}
