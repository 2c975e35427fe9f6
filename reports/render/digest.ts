import { KIND_NAMES } from '../../fixtures/ground/products.ts'
import type { ClauseRecord, RunRecord, RunVerdict } from '../../fixtures/ground/record.ts'
import { byHarm } from '../findings/severity.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { CUT_SHORT, outcomeOf, unheededIn } from '../judge/outcome.ts'
import { count } from './plain.ts'

/** Returns the verdict of a run as a headline, which says what the exit code says. */
export function headline(record: RunRecord): string {
  const { word, reasons } = outcomeOf(record)
  const { verdict } = record
  const baseline = record.gate?.baseline?.run
  if (word === 'does not pass') return `${reasons.map(({ text }) => text).join(' ')} ${judged(record)}`
  if (word !== verdict && word === 'incomplete') return `The run was not completed. ${judged(record)}`
  if (word === 'passes')
    return `Nothing that counts is worse than in ${baseline ?? 'its baseline'}. ${judged(record)}`
  return judged(record)
}

/** Returns what the clauses came to, in sentences. */
function judged(record: RunRecord): string {
  const { halted, totals, verdict } = record
  const unheeded = unheededIn(record)
  const advice =
    unheeded === 0 ? '' : ` ${count(unheeded, 'recommendation is', 'recommendations are')} not followed.`
  if (verdict === 'incomplete' && halted !== undefined && totals.conforms > 0)
    return `The run was not completed; what it saw of the requirements conforms.${advice}`
  if (verdict === 'conforms' && unheeded > 0) return `${advice.trim()} ${SENTENCES.conforms(record)}`
  const sentence = SENTENCES[verdict](record)
  return (
    (unheeded > 0 ? sentence.replace('Nothing was found', 'No requirement was seen broken') : sentence) +
    advice
  )
}

const SENTENCES: Record<RunVerdict, (record: RunRecord) => string> = {
  conforms: ({ totals, gate, subject }) =>
    (gate?.waived ?? 0) > 0
      ? 'Everything else that was exercised conforms: some findings are waived.'
      : totals.violates === 0
        ? subject === 'recording'
          ? 'So far as seen, everything conforms.'
          : 'Everything that was exercised conforms.'
        : 'Every requirement that was exercised is met.',
  violates: record =>
    `${count(brokenOf(record, 'must').length, 'required clause was', 'required clauses were')} seen broken.`,
  incomplete: ({ subject, load, incomplete = [] }) => {
    if (load !== undefined && incomplete.length > 0)
      return 'Nothing was found, but no answer of a scenario was judged, so this proves nothing.'
    const long = incomplete.find(line => / situations need more than \d/.test(line))
    if (subject === 'client' && long !== undefined)
      return `Nothing was found, but ${long.replace(/:.*/s, '')} and were left out.`
    if (subject === 'client')
      return 'Nothing was found, but the client did not get far enough to show that it keeps every rule.'
    if (subject === 'recording')
      return 'Nothing was found, but the recording holds too little of what was sent, so this proves nothing.'
    const cutShort = incomplete.find(line => line.startsWith(CUT_SHORT))
    return cutShort === undefined
      ? 'Nothing was found, but less was checked than the definition makes reachable, so this proves nothing.'
      : `${cutShort} What it saw conforms, which proves nothing about the rest.`
  },
  blocked: () => 'The deployment did not deliver what its definition claims.',
  'not exercised': ({ load, checks }) =>
    load !== undefined && checks.length === 0
      ? 'The scenarios measured; there was nothing to judge.'
      : 'Nothing could be judged.',
  'not applicable': () => 'Nothing applies to this deployment.',
  error: ({ errors }) =>
    `The kit itself failed (${count(errors.length, 'fault')}); this proves nothing about the deployment.`,
}

const brokenOf = ({ clauses }: RunRecord, wanted: ClauseRecord['level']): ClauseRecord[] =>
  clauses.filter(row => row.level === wanted && hasUnwaived(row))

/** Why the second number of a load run is low. */
export const FEW = 'a load run covers few of them'

/** Returns the two numbers that are always shown together. */
export function bothNumbers({ coverage, load }: RunRecord): [conforming: string, exercised: string] {
  const { applicable, exercised, conforming, open } = coverage
  const n = (value: number): string => value.toLocaleString('en')
  const missing = open === 0 ? '' : ` (${n(open)} ${open === 1 ? 'has' : 'have'} no check yet)`
  return [
    `${n(conforming)} of ${n(exercised)} exercised clauses conform`,
    `${n(exercised)} of ${n(applicable)} applicable clauses were exercised${load === undefined ? missing : ` (${FEW})`}`,
  ]
}

/** Returns a share in percent, rounded down so that an incomplete one never shows as 100 %. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${Math.floor((1000 * part) / whole) / 10} %`

/** Returns the rows of the table by kind of product. A clause counts once for each of its kinds. */
export const kindRows = ({
  coverage: { kinds = [] },
}: RunRecord): [kind: string, conform: string, seen: string][] =>
  kinds.map(({ kind, applicable, exercised, conforming }) => {
    const n = (value: number): string => value.toLocaleString('en')
    return [KIND_NAMES[kind], `${n(conforming)} of ${n(exercised)}`, `${n(exercised)} of ${n(applicable)}`]
  })

/** The titles of that table. */
export const KIND_COLUMNS = ['By kind of product', 'conform of exercised', 'exercised of applicable'] as const

/** Returns the broken clauses, worst first, including those whose verdict is an error. */
export const broken = ({ clauses }: RunRecord): ClauseRecord[] =>
  clauses.filter(({ findings }) => findings.length > 0).sort(byHarm)

/** Returns the ids of every exchange that a finding cites. */
export const citedExchanges = ({ clauses }: RunRecord): Set<string> =>
  new Set(clauses.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges)))

/** Returns the ids of the checks with findings. */
export const checksWithFindings = ({ clauses }: RunRecord): Set<string> =>
  new Set(clauses.flatMap(({ findings }) => findings.map(({ check }) => check)))

/** Returns how long a run took, in seconds. Records of earlier versions hold times of a clock that may have been set meanwhile. */
export function secondsOf({ startedAt, finishedAt }: Pick<RunRecord, 'startedAt' | 'finishedAt'>): number {
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0
}

/** Returns the duration of a run: `2.4 s`, `3 min 20 s`. */
export function duration(record: RunRecord): string {
  const seconds = secondsOf(record)
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
