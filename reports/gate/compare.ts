import {
  type CheckRecord,
  type ClauseRecord,
  isExercised,
  type RunRecord,
} from '../../fixtures/ground/record.ts'
import { byHarm } from '../findings/severity.ts'
import { sharesOf } from '../judge/kinds.ts'
import { laterChecks } from './same-check.ts'
import { knownAmong } from './same-finding.ts'

/** A clause of one or both runs. */
export interface Changed {
  id: string
  level: ClauseRecord['level']
  /** The new finding, the known one, or why it was not exercised. */
  detail: string
}

/** What became worse since an earlier run, and what had been broken then. */
interface Comparison {
  /** Findings that the earlier run does not have, worst first. */
  broken: Changed[]
  /** Clauses that are broken in the same way in both runs. */
  known: Changed[]
  /** Clauses that only the earlier run exercised, because the later one lacked something or did not try. */
  unexercised: Changed[]
  /** Clauses that the later run tried, and that none of its answers showed. */
  missed: Changed[]
  /** Clauses that the later run exercised for fewer kinds of product. */
  fewer: Changed[]
}

/** Compares a run with an earlier one. Clauses that a selected run left out are not compared. */
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
  return {
    broken: changed(pairs, ({ row, earlier }) => newOf(row!, earlier)),
    known: changed(pairs, ({ row, earlier }) =>
      row!.findings.length > 0 && newOf(row!, earlier) === undefined ? row!.findings[0]!.message : undefined,
    ),
    unexercised: changed(selected, pair => (byChance(pair.row) ? undefined : lostOf(pair))),
    missed: changed(selected, pair => (byChance(pair.row) ? lostOf(pair) : undefined)),
    fewer: changed(selected, ({ row, earlier }) =>
      exercised(row) ? kindsLost(earlier, row!, isPart) : undefined,
    ),
  }
}

interface Pair {
  row: ClauseRecord | undefined
  earlier: ClauseRecord | undefined
}

function changed(pairs: readonly Pair[], detailOf: (pair: Pair) => string | undefined): Changed[] {
  return pairs
    .flatMap(pair => {
      const detail = detailOf(pair)
      const { id, level } = pair.row ?? pair.earlier!
      return detail === undefined ? [] : [{ id, level, detail }]
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
