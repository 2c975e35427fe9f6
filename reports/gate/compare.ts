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

/** What became worse since an earlier run, and what had been broken then: the ids of clauses, worst first. */
interface Comparison {
  /** Those with findings that the earlier run does not have. */
  broken: string[]
  /** Those that are broken in the same way in both runs. */
  known: string[]
  /** Those that only the earlier run exercised, because the later one lacked something or did not try. */
  unexercised: string[]
  /** Those that the later run tried, and that none of its answers showed. */
  missed: string[]
  /** Those that the later run exercised for fewer kinds of product, with these. */
  fewer: string[]
}

/** Compares a run with an earlier one. Clauses that a selected run left out are not compared. */
export function compare(then: RunRecord, now: RunRecord): Comparison {
  const before = new Map(then.clauses.map(row => [row.id, row]))
  const pairs = now.clauses.map(row => ({ row, earlier: before.get(row.id) }))
  const gone = then.clauses
    .filter(({ id }) => !now.clauses.some(row => row.id === id))
    .map(earlier => ({ row: undefined, earlier }))
  const both: Pair[] = [...pairs, ...gone].sort((one, other) => byHarm(clauseOf(one), clauseOf(other)))
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
  const ids = (wanted: (pair: Pair) => boolean): string[] =>
    both.filter(wanted).map(pair => clauseOf(pair).id)
  const lost = (pair: Pair): boolean => isSelected(pair) && exercised(pair.earlier) && !exercised(pair.row)
  return {
    broken: ids(isNew),
    known: ids(pair => (pair.row?.findings ?? []).length > 0 && !isNew(pair)),
    unexercised: ids(pair => lost(pair) && !byChance(pair.row)),
    missed: ids(pair => lost(pair) && byChance(pair.row)),
    fewer: both.filter(isSelected).flatMap(({ row, earlier }) => {
      const kinds = exercised(row) ? kindsLost(earlier, row!, isPart) : undefined
      return kinds === undefined ? [] : [`${row!.id} (${kinds})`]
    }),
  }
}

interface Pair {
  row: ClauseRecord | undefined
  earlier: ClauseRecord | undefined
}

const clauseOf = ({ row, earlier }: Pair): ClauseRecord => row ?? earlier!

/** Returns whether a clause has a finding that is new. */
function isNew({ row, earlier }: Pair): boolean {
  const isKnown = knownAmong(earlier?.findings ?? [])
  return row?.findings.some(finding => !isKnown(finding)) === true
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

/** Returns whether a check went as far as the answers of the deployment allowed. */
const wasTried = (check: CheckRecord | undefined): boolean =>
  check !== undefined && (check.chance === true || exercised(check))

const exercised = (row: Pick<ClauseRecord, 'verdict'> | undefined): boolean =>
  row !== undefined && isExercised(row)

/** Records before 1.8 say it of clauses that were not exercised only. */
const leftOut = ({ reason, selected }: ClauseRecord, { only }: RunRecord): boolean =>
  selected === false || (only !== undefined && reason === 'not selected')
