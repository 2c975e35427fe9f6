// Rate limiters made up for tests, and the scenario of bursts run with them.

import type { Version } from '../judge/rate-limits/limits.ts'
import type { Sender } from '../plan/plan.ts'
import type { RequestRow, StageEvidence } from '../read/evidence.ts'
import { exchangeFor, request, stageOf } from './evidence.ts'

/** One request as a limiter sees it; `now` is in milliseconds of the clock of its company. */
export interface Asked {
  version: Version
  credential: string
  company: string
  now: number
}
/** The status of the answer; 0 for none. */
export type Deployment = (asked: Asked) => number

/** Limits as documented, with what is different. */
export function limiting(
  different: {
    max?: Partial<Record<Version, number>>
    bucket?: (asked: Asked) => string
    windowSeconds?: number
    status?: number
  } = {},
): Deployment {
  const windows = new Map<string, { from: number; count: number }>()
  const { max = {}, bucket, windowSeconds = 60, status = 429 } = different
  return asked => {
    const { version, credential, now } = asked
    const name = bucket?.(asked) ?? `${credential}/${version}`
    let window = windows.get(name)
    if (window === undefined || now - window.from >= windowSeconds * 1000) {
      window = { from: now, count: 0 }
      windows.set(name, window)
    }
    return ++window.count > (max[version] ?? 500) ? status : 200
  }
}

/** Tokens that flow in all the time. */
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

/** Runs the scenario as it is planned, with a sender of its own for each burst. */
export function stagesOf(
  deployment: Deployment,
  { burst = 520, oneSender = false, took = 5 }: { burst?: number; oneSender?: boolean; took?: number } = {},
): Map<string, StageEvidence> {
  const moved = new Map<string, number>()
  const stages = new Map<string, StageEvidence>()
  let [clock, made] = [0, 0]
  const mint = (alias: string, company = `tenant-${++made}`): Sender => ({
    alias,
    role: alias === 'other' ? 'otherCompany' : 'expendable',
    tenant: company,
  })

  function run(
    stage: string,
    senders: Sender[],
    parts: { part: string; version: Version; who: string; count: number; every: number; scale?: number }[],
  ): void {
    clock += 300
    const rows: RequestRow[] = []
    for (const { part, version, who, count, every } of parts) {
      for (let index = 0; index < count; index++) {
        rows.push(request(clock + index * every, { op: `${version} probe`, part, who, took }))
      }
    }
    rows.sort((one, other) => one.at - other.at)
    const zero = rows[0]!.at
    for (const row of rows) {
      const { company, credential } = identity(senders.find(({ alias }) => alias === row.who)!)
      const scale = parts[0]!.scale ?? 1
      const now = zero + (row.at - zero) * scale + (moved.get(company) ?? 0)
      row.status = deployment({ version: row.api, credential, company, now })
    }
    const exchanges = rows.flatMap(row =>
      row.status === 0
        ? []
        : [
            exchangeFor(
              row,
              {},
              senders.find(({ alias }) => alias === row.who),
            ),
          ],
    )
    stages.set(stage, stageOf({ stage, senders, requests: rows, exchanges }))
    clock += rows.at(-1)!.at - zero + took
  }

  const identity = ({ tenant, alias }: Sender) => ({ company: tenant!, credential: `${tenant} ${alias}` })
  const only = mint('burst')
  const next = () => {
    if (!oneSender) return mint('burst')
    moved.set(only.tenant!, (moved.get(only.tenant!) ?? 0) + 61_000)
    return only
  }
  const full = (version: Version) => ({ part: version, version, who: 'burst', count: burst, every: 1 })
  for (const [version, other] of [
    ['v1', 'v2'],
    ['v2', 'v1'],
  ] as const) {
    const one = next()
    run(`alone-${version}`, [one], [full(version)])
    run(
      `alone-${version}-others`,
      [one, mint('other'), mint('colleague', one.tenant)],
      [
        { part: 'other-version', version: other, who: 'burst', count: 5, every: 2 },
        { part: 'other-company', version, who: 'other', count: 5, every: 2 },
        { part: 'colleague', version, who: 'colleague', count: 5, every: 2 },
      ],
    )
  }
  const both = next()
  run('together', [both], [full('v1'), full('v2')])
  moved.set(both.tenant!, (moved.get(both.tenant!) ?? 0) + 61_000)
  const again = (version: Version) => ({ part: version, version, who: 'burst', count: 5, every: 2 })
  run('recovery', [both], [again('v1'), again('v2')])
  const overrun = (version: Version) => ({
    part: version,
    version,
    who: 'burst',
    count: 1800,
    every: 5,
    scale: 20,
  })
  run('overrun', [next()], [overrun('v1'), overrun('v2')])
  return stages
}

/** A count of one version alone; the other has one for each credential. */
export const only = (version: Version, bucket: (asked: Asked) => string) => (asked: Asked) =>
  asked.version === version ? bucket(asked) : `${asked.credential}/${asked.version}`

/** Refuses a credential in one version for good, once it was refused in another (or the same). */
export function blocking(by: Version, where: Version): Deployment {
  const [limit, blocked] = [limiting(), new Set<string>()]
  return asked => {
    if (asked.version === where && blocked.has(asked.credential)) return 429
    const status = limit(asked)
    if (asked.version === by && status === 429) blocked.add(asked.credential)
    return status
  }
}

/** Refuses what is past the limit of a version with another status. */
export function wrongly(version: Version, status: number): Deployment {
  const limit = limiting()
  return asked => {
    const right = limit(asked)
    return asked.version === version && right === 429 ? status : right
  }
}
