import {
  type CheckRecord,
  type ClauseRecord,
  type Finding,
  isExercised,
  type RunRecord,
} from '../../fixtures/ground/record.ts'
import { byHarm, essenceOf } from '../findings/roots.ts'
import { sharesOf } from '../judge/profile.ts'

/**
 * Returns a function that tells whether a finding is among those of an earlier run, by kind of product, operation,
 * status, the field and how it is wrong. Facts that an earlier format lacks are not compared.
 */
export function knownAmong(earlier: readonly Finding[]): (finding: Finding) => boolean {
  const known = Map.groupBy(earlier, identityOf)
  const agrees = <T>(was: T | undefined, is: T | undefined): boolean =>
    was === undefined || is === undefined || was === is
  return finding =>
    (known.get(identityOf(finding)) ?? []).some(
      ({ operation, status }) => agrees(operation, finding.operation) && agrees(status, finding.status),
    )
}

const identityOf = (finding: Finding): string =>
  [kindOf(finding), amountErrorOf(finding), essenceOf(finding)].join('\n')

/** Returns the kind of product of a check, which is at the end of its id. */
const kindOf = ({ check }: Pick<Finding, 'check'>): string => / \(([^()]*)\)$/.exec(check)?.[1] ?? ''

const ABOUT_AMOUNTS = /amount|total|price|penalty|fee/i

/**
 * Returns how an amount is wrong: too high or too low, and whether by cents, by less than double, by a power of
 * ten, or by more.
 */
function amountErrorOf(finding: Pick<Finding, 'message' | 'expected' | 'observed'>): string {
  const { message, expected, observed } = finding
  if (!ABOUT_AMOUNTS.test(message)) return ''
  const [, wanted = '', came = ''] = /expected (.*?),? (?:but )?got (.*)/s.exec(message) ?? []
  const should = lastNumber(expected ?? wanted)
  const is = lastNumber(observed ?? came)
  if (should === undefined || is === undefined || should === is) return ''
  const side = is < 0 && should >= 0 ? 'negative' : is > should ? 'above' : 'below'
  if (Math.abs(is - should) < 1) return `${side}, cents`
  const factor = Math.abs(is / should)
  const tens = Math.log10(factor)
  if (Math.abs(tens - Math.round(tens)) < 0.002 && Math.round(tens) !== 0)
    return `${side}, 10^${Math.round(tens)}`
  return `${side}, ${factor >= 2 || factor <= 0.5 ? 'a multiple' : 'a part'}`
}

function lastNumber(text: string): number | undefined {
  const found = text.replaceAll(/ ?\(exchanges? [^)]*\)/g, '').match(/(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-])/g)
  return found === null ? undefined : Number(found.at(-1))
}

/**
 * Pairs the checks of an earlier run with those of a later one. Checks have the same id, or, if only one of the runs has that
 * id, the same file, kind of product and clauses: then only the title changed.
 *
 * @returns the later check by the id of the earlier one; a check without counterpart has no entry
 */
function laterChecks(
  then: readonly CheckRecord[],
  now: readonly CheckRecord[],
): ReadonlyMap<string, CheckRecord> {
  const before = new Set(then.map(({ id }) => id))
  const after = new Map(now.map(check => [check.id, check]))
  const renamed = Map.groupBy(
    now.filter(({ id }) => !before.has(id)),
    withoutTitle,
  )
  const pairs = then.flatMap(check => {
    const later = after.get(check.id) ?? renamed.get(withoutTitle(check))?.shift()
    return later === undefined ? [] : [[check.id, later] as const]
  })
  return new Map(pairs)
}

/** Returns everything that identifies a check except its title. */
const withoutTitle = ({ id, clauses }: CheckRecord): string =>
  JSON.stringify([id.split(' > ')[0], kindIn(id), [...clauses].sort()])

/** Returns the kind of product at the end of a check's id; an empty text if it names none. */
const kindIn = (id: string): string => / \(([^()]*)\)$/.exec(id)?.[1] ?? ''

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
