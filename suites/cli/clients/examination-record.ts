import { createRedactor } from '../../../fixtures/client/redaction/index.ts'
import { clientCatalogue, clientShare, stepsLeftOut, whyUnseen } from '../../../fixtures/examine/profile.ts'
import type { ProductId } from '../../../fixtures/ground/products.ts'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import { forForeign, shownFinding } from '../../../fixtures/recording/readers/foreign.ts'
import type { JudgedSituation, Window } from '../../../fixtures/recording/traffic.ts'
import type { CollectedCheck } from '../../../fixtures/run/collected.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import { known } from '../../../fixtures/secrets/known.ts'
import { assemble } from '../../../reports/judge/assemble.ts'

/** What a client is called in its record, and in the ids of its checks. */
export const CLIENT = 'client'

/** The data for the record of an examined client. */
interface ExaminationInput {
  run: string
  /** The address that the client used. */
  baseUrl: string
  /** The products that the client uses. */
  products: readonly ProductId[]
  judged: readonly JudgedSituation[]
  /** Whether profile `client` must be met; false if situations were selected. */
  whole: boolean
  /** Situations that were never reported as finished. */
  cut?: readonly string[]
  halted?: string | undefined
  startedAt: Date
  finishedAt: Date
}

/** Returns the situations that were begun, and never reported as finished. */
export function cutIn(windows: readonly Window[]): string[] {
  const ends = Map.groupBy(windows, ({ situation }) => situation)
  return [...ends].flatMap(([situation, all]) => (all.some(({ end }) => end === 'done') ? [] : [situation]))
}

/** Makes the record of an examined client. */
export function examinationRecord({
  run,
  baseUrl,
  products,
  judged,
  whole,
  cut = [],
  ...input
}: ExaminationInput): RunRecord {
  const begun = new Set(judged.flatMap(({ situation }) => situation ?? []))
  const exercised = new Set(judged.flatMap(({ report }) => report.exercised))
  const days = judged.filter(({ situation }) => situation === 'normal-day')
  const used = new Set((whole ? days : judged).flatMap(({ endpoints = [] }) => [...endpoints]))
  const shown = new Map(
    [...Map.groupBy(judged, ({ situation }) => situation ?? '')].map(([situation, all]) => [
      situation,
      new Set(all.flatMap(({ report }) => report.exercised)),
    ]),
  )
  const refused = days.findLast(one => one.refused !== undefined)?.refused
  const performed = { products, whole, begun, cut, exercised, used, shown, refused }
  const record = assemble({
    kit,
    context: { run },
    subject: 'client',
    deployment: { name: CLIENT, baseUrl, products },
    catalogue: clientCatalogue,
    passiveClauses: new Map(),
    collected: { checks: judged.map(collected), moduleErrors: [], unhandledErrors: [], ended: true },
    unseen: whyUnseen(performed),
    halted: input.halted,
    requests: {
      v1: judged.reduce((sum, { report }) => sum + report.requests.v1, 0),
      v2: judged.reduce((sum, { report }) => sum + report.requests.v2, 0),
    },
    leftovers: [],
    startedAt: input.startedAt.toISOString(),
    finishedAt: input.finishedAt.toISOString(),
  })
  const leftOut = stepsLeftOut(performed)
  const notLookedAt = leftOut.map(({ clauses, ...step }) => ({ ...step, clauses: clauses.length }))
  return {
    ...record,
    ...(notLookedAt.length > 0 && { notLookedAt }),
    ...(whole && { profile: { name: 'client', least: 1, ...clientShare(performed, leftOut) } }),
  }
}

/** Removes from what others recorded what nobody may read. */
export const foreign = forForeign(createRedactor([], known))

export const collected = ({
  check,
  milliseconds,
  report,
  kind,
  product,
}: JudgedSituation): CollectedCheck => ({
  id: check,
  file: check.split(' > ')[0]!,
  title: check.split(' > ').slice(1),
  tags: report.clauses,
  kind,
  product,
  milliseconds,
  state: report.findings.length > 0 ? 'failed' : 'passed',
  errors: [],
  report: { ...report, findings: report.findings.map(one => shownFinding(one, foreign)) },
})
