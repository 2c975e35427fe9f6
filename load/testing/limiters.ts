// Rate limiters for tests, and a simulation of the burst scenario on them.

import type { Version } from '../judge/rate-limits.ts'
import type { Sender, Settings } from '../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../read/evidence.ts'
import { exchangeFor, request, stageOf } from './evidence.ts'

/** A request to a limiter, with times in milliseconds. */
interface Asked {
  version: Version
  credential: string
  company: string
  /** The clock of its company, which may have been moved. */
  now: number
  /** The clock that is never moved. */
  real: number
}
/** Returns the status of the answer; 0 for none. */
export type Deployment = (asked: Asked) => number

/** Returns a limiter with the documented limits and some differences. */
export function limiting(
  different: {
    max?: Partial<Record<Version, number>>
    bucket?: (asked: Asked) => string
    windowSeconds?: number
  } = {},
): Deployment {
  const windows = new Map<string, { from: number; count: number }>()
  const { max = {}, bucket, windowSeconds = 60 } = different
  return asked => {
    const { version, credential, now } = asked
    const name = bucket?.(asked) ?? `${credential}/${version}`
    let window = windows.get(name)
    if (window === undefined || now - window.from >= windowSeconds * 1000) {
      window = { from: now, count: 0 }
      windows.set(name, window)
    }
    return ++window.count > (max[version] ?? 500) ? 429 : 200
  }
}

/** Returns a token bucket that refills continuously. */
export function tokens(): Deployment {
  const buckets = new Map<string, { left: number; at: number }>()
  return ({ version, credential, now }) => {
    const bucket = buckets.get(`${credential}/${version}`) ?? { left: 500, at: now }
    buckets.set(`${credential}/${version}`, bucket)
    bucket.left = Math.min(500, bucket.left + ((now - bucket.at) * 500) / 60_000)
    bucket.at = now
    if (bucket.left < 1) return 429
    bucket.left--
    return 200
  }
}

/** Identical requests of a stage, one every `every` milliseconds. */
interface Part {
  version: Version
  count: number
  every: number
  part?: string
  who?: string
  scale?: number
}

/** Simulates the scenario on a deployment: its clock, and the waits of companies. */
function burstsOn(deployment: Deployment, took: number, settings: Settings, isMoved: boolean) {
  const stages = new Map<string, StageEvidence>()
  /** The milliseconds by which the clock of a company was moved. */
  const moved = new Map<string, number>()
  let clock = 0
  let silence: number | undefined
  let made = 0

  function mint(alias: string, company = `tenant-${++made}`): Sender {
    return { alias, role: alias === 'other' ? 'otherCompany' : 'expendable', tenant: company }
  }

  /** Makes a company wait, by default until its limits are free again. */
  function wait({ tenant }: Sender, seconds = 61): void {
    if (!isMoved) {
      clock += seconds * 1000
      return
    }
    moved.set(tenant!, (moved.get(tenant!) ?? 0) + seconds * 1000)
    silence = seconds
  }

  function run(stage: string, senders: Sender[], parts: Part[]): void {
    clock += 300
    const senderOf = (row: RequestRow) => senders.find(({ alias }) => alias === row.who)!
    const rows = parts.flatMap(({ version, count, every, part = version, who = 'burst' }) =>
      Array.from({ length: count }, (_, index) =>
        request(clock + index * every, { op: `${version} probe`, part, who, took }),
      ),
    )
    rows.sort((one, other) => one.at - other.at)
    const zero = rows[0]!.at
    for (const row of rows) {
      const { tenant, alias } = senderOf(row)
      const now = zero + (row.at - zero) * (parts[0]!.scale ?? 1) + (moved.get(tenant!) ?? 0)
      const credential = `${tenant} ${alias}`
      row.status = deployment({ version: row.api, credential, company: tenant!, now, real: row.at })
    }
    const exchanges = rows.flatMap(row => (row.status === 0 ? [] : [exchangeFor(row, {}, senderOf(row))]))
    stages.set(stage, stageOf({ stage, senders, silence, settings, requests: rows, exchanges }))
    silence = undefined
    clock += rows.at(-1)!.at - zero + took
  }

  return { stages, mint, wait, run }
}

interface Run {
  /** The limit that the definition states. Default: none. */
  limit?: number
  oneSender?: boolean
  took?: number
  /** Whether to ask again a day later, as is possible with a movable clock. */
  aDayLater?: boolean
}

/** Runs the scenario as planned, with one sender per burst. */
export function stagesOf(
  deployment: Deployment,
  { limit, oneSender = false, took = 5, aDayLater = false }: Run = {},
): Map<string, StageEvidence> {
  const times = (limit ?? 500) / 500
  const burst = 520 * times
  const bursts = burstsOn(deployment, took, limit === undefined ? {} : { limit }, aDayLater)
  const only = bursts.mint('burst')
  const next = () => {
    if (!oneSender) return bursts.mint('burst')
    bursts.wait(only)
    return only
  }
  const of = (version: Version, count: number, every: number) => ({ version, count, every })
  for (const [version, other] of [
    ['v1', 'v2'],
    ['v2', 'v1'],
  ] as const) {
    const one = next()
    bursts.run(`alone-${version}`, [one], [of(version, burst, 1)])
    bursts.run(
      `alone-${version}-others`,
      [one, bursts.mint('other'), bursts.mint('colleague', one.tenant)],
      [
        { ...of(other, 5, 2), part: 'other-version' },
        { ...of(version, 5, 2), part: 'other-company', who: 'other' },
        { ...of(version, 5, 2), part: 'colleague', who: 'colleague' },
      ],
    )
  }
  const both = next()
  bursts.run('together', [both], [of('v1', burst, 1), of('v2', burst, 1)])
  bursts.wait(both)
  bursts.run('recovery', [both], [of('v1', 5, 2), of('v2', 5, 2)])
  if (aDayLater) {
    bursts.wait(both, 86_400)
    bursts.run('a-day-later', [both], [of('v1', 5, 2), of('v2', 5, 2)])
  }
  const overrun = (version: Version) => ({ ...of(version, 1800 * times, 5 / times), scale: 20 })
  bursts.run('overrun', [next()], [overrun('v1'), overrun('v2')])
  return bursts.stages
}

/** Returns the bucket of requests for one version; the other version has one per credential. */
export const only = (version: Version, bucket: (asked: Asked) => string) => (asked: Asked) =>
  asked.version === version ? bucket(asked) : `${asked.credential}/${asked.version}`

/** Refuses a credential in v2 forever once it was refused in a version. */
export function blocking(by: Version): Deployment {
  const [limit, blocked] = [limiting(), new Set<string>()]
  return asked => {
    if (asked.version === 'v2' && blocked.has(asked.credential)) return 429
    const status = limit(asked)
    if (asked.version === by && status === 429) blocked.add(asked.credential)
    return status
  }
}

/** Refuses requests above the limit of v2 with another status. */
export function wrongly(): Deployment {
  const limit = limiting()
  return asked => {
    const right = limit(asked)
    return asked.version === 'v2' && right === 429 ? 403 : right
  }
}
