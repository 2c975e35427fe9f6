import {
  type CheckRecord,
  type ClauseRecord,
  isExercised,
  type RunRecord,
} from '../../fixtures/ground/record.ts'
import { byHarm } from '../findings/severity.ts'
import { sharesOf } from '../judge/kinds.ts'
import { count } from '../render/plain.ts'
import { laterChecks } from './same-check.ts'
import { knownAmong } from './same-finding.ts'

/** A clause of one or both runs. */
export interface Changed {
  id: string
  level: ClauseRecord['level']
  says: string
  /** The new finding, the earlier finding, or why it was not exercised. */
  detail: string
}

/** A call that became slower. 95th percentiles in milliseconds. */
interface Slower {
  /** The load scenario and call, or for other runs the operation. */
  call: string
  before: number
  after: number
  /** The medians, if both runs have them. */
  medians?: { before: number; after: number }
}

/** The differences between two runs. */
export interface Comparison {
  /** The number of clauses that both runs exercised. */
  common: number
  /** Why the runs are hard to compare, one sentence each. */
  caveats: string[]
  /** Findings that the earlier run does not have, worst first. */
  broken: Changed[]
  /** Clauses that were broken in the earlier run and conform now. */
  fixed: Changed[]
  /** Clauses that are broken in the same way in both runs. */
  known: Changed[]
  /** Clauses that only the earlier run exercised, because the later one lacked something or did not try. */
  unexercised: Changed[]
  /** Clauses that the later run tried, and that none of its answers showed. */
  missed: Changed[]
  /** Clauses that the later run exercised for fewer kinds of product. */
  fewer: Changed[]
  /** Clauses that only the later run exercised. */
  exercised: Changed[]
  /** The ids of checks that only the earlier run has. A check with a new title is not one. */
  checksGone: string[]
  /** The ids of checks that only the later run has. */
  checksNew: string[]
  /**
   * Calls of the same load scenario whose 95th percentile rose by half and by at least 20 ms; for other runs,
   * operations whose median did so too. At least 20 calls are needed in each run.
   */
  slower: Slower[]
}

/** The minimum change that is reported as slower. Less is noise. */
const SLOWER = { times: 1.5, milliseconds: 20, calls: 20 }

/** Compares a run with an earlier one. Clauses that a selected run left out are only counted. */
export function compare(then: RunRecord, now: RunRecord): Comparison {
  const before = new Map(then.clauses.map(row => [row.id, row]))
  const pairs = now.clauses.map(row => ({ row, earlier: before.get(row.id) }))
  const gone = then.clauses
    .filter(({ id }) => !now.clauses.some(row => row.id === id))
    .map(earlier => ({ row: undefined, earlier }))
  const both = [...pairs, ...gone]
  const later = laterChecks(then.checks, now.checks)
  const isPart = now.only !== undefined && now.only !== then.only
  /** Returns the checks that may have decided a clause there and are tried here, by what this run selected. */
  const deciding = (id: string): CheckRecord[] =>
    then.checks.filter(
      check => check.clauses.includes(id) && wasTried(check) && (!isPart || later.has(check.id)),
    )
  const isSelected = ({ row }: Pair): boolean =>
    row === undefined
      ? now.only === undefined
      : !leftOut(row, now) && (!isPart || exercised(row) || deciding(row.id).length > 0)
  const byChance = (row: ClauseRecord | undefined): boolean =>
    row?.verdict === 'not exercised' &&
    now.halted === undefined &&
    deciding(row.id).every(({ id }) => wasTried(later.get(id)))
  const selected = both.filter(isSelected)
  const leftOutNow = both.filter(pair => lostOf(pair) !== undefined && !selected.includes(pair))
  return {
    common: pairs.filter(({ row, earlier }) => exercised(row) && exercised(earlier)).length,
    caveats: caveatsOf(then, now, leftOutNow.length),
    broken: changed(pairs, ({ row, earlier }) => newOf(row!, earlier)),
    fixed: changed(pairs, ({ row, earlier }) =>
      row!.verdict === 'conforms' ? earlier?.findings[0]?.message : undefined,
    ),
    known: changed(pairs, ({ row, earlier }) =>
      row!.findings.length > 0 && newOf(row!, earlier) === undefined ? row!.findings[0]!.message : undefined,
    ),
    unexercised: changed(selected, pair => (byChance(pair.row) ? undefined : lostOf(pair))),
    missed: changed(selected, pair => (byChance(pair.row) ? lostOf(pair) : undefined)),
    fewer: changed(selected, ({ row, earlier }) =>
      exercised(row) ? kindsLost(earlier, row!, isPart) : undefined,
    ),
    exercised: changed(pairs, ({ row, earlier }) =>
      exercised(row) && !exercised(earlier) ? row!.verdict : undefined,
    ),
    checksGone: now.only === undefined ? then.checks.map(({ id }) => id).filter(id => !later.has(id)) : [],
    checksNew: then.only === undefined ? withoutEarlier(now.checks, later) : [],
    slower: slower(then, now),
  }
}

/** Returns why two runs are hard to compare. `leftOut`: the clauses that only the earlier one selected. */
function caveatsOf(then: RunRecord, now: RunRecord, leftOut: number): string[] {
  const said: string[] = []
  const [was, is] = [then, now].map(
    ({ subject = 'deployment', deployment }) => `${subject} ${deployment.name}`,
  )
  if (was !== is) said.push(`The earlier run judged ${was}, the later one ${is}.`)
  if (leftOut > 0)
    said.push(
      `The later run selected ${now.only}: it left out ${count(leftOut, 'clause', 'clauses')} that the earlier one exercised.`,
    )
  return said
}

/** Returns whether a comparison should stop a release. */
export const regressed = ({ broken, unexercised }: Comparison): boolean =>
  broken.some(({ level }) => level === 'must') || unexercised.some(({ level }) => level === 'must')

/** Returns how much was compared, if nothing differs. */
export const nothingDiffers = ({ common }: Comparison): string =>
  common === 0
    ? 'Nothing was compared: no clause was exercised in both runs.'
    : `Nothing differs in the ${count(common, 'clause', 'clauses')} that both runs exercised.`

/** Returns the changed clauses by kind of change, for every report. */
export const changesIn = (compared: Comparison): [title: string, rows: Changed[]][] => [
  ['Newly broken', compared.broken],
  ['No longer exercised', compared.unexercised],
  ['Tried again, and shown by no answer', compared.missed],
  ['No longer exercised for a kind of product', compared.fewer],
  ['Fixed', compared.fixed],
  ['Still broken', compared.known],
  ['Newly exercised', compared.exercised],
]

interface Pair {
  row: ClauseRecord | undefined
  earlier: ClauseRecord | undefined
}

function changed(pairs: readonly Pair[], detailOf: (pair: Pair) => string | undefined): Changed[] {
  return pairs
    .flatMap(pair => {
      const detail = detailOf(pair)
      const { id, level, says } = pair.row ?? pair.earlier!
      return detail === undefined ? [] : [{ id, level, says, detail }]
    })
    .sort(byHarm)
}

/** Returns the message of a finding that is new, if any. */
function newOf(row: ClauseRecord, earlier: ClauseRecord | undefined): string | undefined {
  const isKnown = knownAmong(earlier?.findings ?? [])
  return row.findings.find(finding => !isKnown(finding))?.message
}

/**
 * Returns the kinds of product for which a clause is no longer exercised, if any. `isPart`: the later run selected fewer
 * checks, so that other kinds may have been left out.
 */
function kindsLost(
  earlier: ClauseRecord | undefined,
  row: ClauseRecord,
  isPart: boolean,
): string | undefined {
  const kindsIn = (clauses: readonly ClauseRecord[]) =>
    new Set(sharesOf(clauses).flatMap(share => (isExercised(share) ? (share.kind ?? []) : [])))
  const now = kindsIn([row])
  const lost = [...kindsIn(earlier === undefined ? [] : [earlier])].filter(
    kind => !now.has(kind) && (!isPart || row.kinds?.some(one => one.kind === kind)),
  )
  return lost.length === 0 ? undefined : lost.join(', ')
}

/** Returns why a clause is no longer exercised; `undefined` if it is. */
function lostOf({ row, earlier }: Pair): string | undefined {
  if (!exercised(earlier) || exercised(row)) return undefined
  return row?.reason ?? row?.verdict ?? 'the clause is gone'
}

/** Returns whether a check went as far as the answers of the deployment allowed. */
const wasTried = (check: CheckRecord | undefined): boolean =>
  check !== undefined && (check.chance === true || exercised(check))

const exercised = (row: Pick<ClauseRecord, 'verdict'> | undefined): boolean =>
  row !== undefined && isExercised(row)

/** Records before 1.8 say it of clauses that were not exercised only. */
const leftOut = ({ reason, selected }: ClauseRecord, { only }: RunRecord): boolean =>
  selected === false || (only !== undefined && reason === 'not selected')

const withoutEarlier = (
  checks: readonly CheckRecord[],
  later: ReadonlyMap<string, CheckRecord>,
): string[] => {
  const known = new Set([...later.values()].map(({ id }) => id))
  return checks.map(({ id }) => id).filter(id => !known.has(id))
}

/**
 * Returns the calls that became slower, the largest rise first. Checks call irregularly, so a few slow answers move
 * the 95th percentile; the median must rise too.
 */
function slower(then: RunRecord, now: RunRecord): Slower[] {
  const earlier = new Map(timesOf(then).map(times => [times.call, times]))
  return timesOf(now)
    .flatMap(({ call, calls, p95, median }): Slower[] => {
      const was = earlier.get(call)
      if (was === undefined || Math.min(calls, was.calls) < SLOWER.calls) return []
      const told = { call, before: was.p95, after: p95 }
      if (was.median === undefined || median === undefined) return isMuchSlower(told) ? [told] : []
      const medians = { before: was.median, after: median }
      return isMuchSlower(told) && isMuchSlower(medians) ? [{ ...told, medians }] : []
    })
    .sort((a, b) => riseOf(b) - riseOf(a))
}

const isMuchSlower = ({ before, after }: { before: number; after: number }): boolean =>
  after > before * SLOWER.times && after - before > SLOWER.milliseconds

const riseOf = ({ medians, ...times }: Slower): number => {
  const { before, after } = medians ?? times
  return after / before
}

/** The durations of a call in load scenarios, or of an operation in checks. */
interface Times {
  call: string
  calls: number
  p95: number
  median?: number
}

function timesOf({ load, operations = [] }: RunRecord): Times[] {
  const scenarios = (load?.scenarios ?? []).filter(({ refused }) => refused === undefined)
  return [
    ...scenarios.flatMap(({ name, calls }) =>
      calls.flatMap(({ op, sent, latency }) =>
        latency === null ? [] : [{ call: `${name}: ${op}`, calls: sent, p95: latency.p95 }],
      ),
    ),
    ...operations.flatMap(({ operation, latency }) => (latency ? [{ call: operation, ...latency }] : [])),
  ]
}
