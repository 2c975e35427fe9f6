import { setTimeout as pause } from 'node:timers/promises'
import type { Deployment } from '../../fixtures/deployments/definition/index.ts'
import type { Counters } from '../../fixtures/ground/control.ts'
import { type ReadySender, tenantOf } from './senders.ts'

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
): { vitals: Vitals[]; stop(): Promise<void> } {
  const vitals: Vitals[] = []
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
        const seconds = ((speed - 1) * elapsed) / 1000
        await Promise.all(senders.map(sender => advanceClock(tenantOf(sender), seconds)))
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
    async stop() {
      over.abort()
      await Promise.all(work)
    },
  }
}

/** Returns the deployment's own counters of each sender, by alias; `undefined` if it does not report them. */
export async function countersOf(
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
export async function countersSince(
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
