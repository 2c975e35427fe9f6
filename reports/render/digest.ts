import { KIND_NAMES } from '../../fixtures/ground/products.ts'
import {
  type ClauseRecord,
  type Leftover,
  OF_FACTS,
  type RunRecord,
  type RunVerdict,
} from '../../fixtures/ground/record.ts'
import { byHarm } from '../findings/roots.ts'
import { gateLines } from '../gate/gate.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import type { Debt } from '../judge/judge-check.ts'
import { CUT_SHORT, listed, missingLines, outcomeOf, unheededIn } from '../judge/outcome.ts'
import { count, heartOf, present } from './plain.ts'

/** Returns the exercised share of the profile, since the card has the total; `undefined` without a profile. */
export function profileLine({ profile, verdict }: RunRecord): string | undefined {
  if (profile === undefined) return undefined
  const { name, asked, exercised, least } = profile
  const share = `${percent(exercised, asked)} of what it asks for was exercised`
  if (exercised < least * asked) return `Profile ${name} is not met: ${share}, less than ${100 * least} %`
  return verdict === 'incomplete'
    ? `Profile ${name} is not met: ${share}, but the run is incomplete`
    : `Profile ${name}: ${share} (it takes ${100 * least} %)`
}

/** Returns how the checks of a run were chosen; `undefined` if all ran. */
export function chosenLine({ checks, leftOut }: RunRecord): string | undefined {
  if (leftOut === undefined) return undefined
  const all = (checks.length + leftOut).toLocaleString('en')
  return `${checks.length.toLocaleString('en')} of ${all} checks were chosen, which decide each clause for each kind of product; another seed sees other conditions, and --thorough all`
}

/** Returns what a reader has to know of the deployment that was judged; `undefined` if nothing. */
export function deploymentLine({
  embedded,
  certificates,
}: Pick<RunRecord['deployment'], 'embedded' | 'certificates'>): string | undefined {
  const said = [
    ...(embedded
      ? ['This was the embedded deployment, which the kit brings: it says nothing about another']
      : []),
    ...(certificates === undefined
      ? []
      : [
          'Certificates were not verified (NODE_TLS_REJECT_UNAUTHORIZED=0), so whoever answered may have been another',
        ]),
  ]
  return said.length === 0 ? undefined : said.join('. ')
}

/** Returns what the verdict does not cover, and what would show it; `undefined` if nothing is missing. */
export function notLookedAtLine({ notLookedAt = [] }: Pick<RunRecord, 'notLookedAt'>): string | undefined {
  if (notLookedAt.length === 0) return undefined
  const groups = notLookedAt.map(({ what, clauses, shownBy }) => `${what} (${clauses}; it takes ${shownBy})`)
  return `Not looked at: ${groups.join('; ')}`
}

/** Returns the names of clauses, each with the kind of product that it is told of. */
const namesOf = (rows: readonly Pick<Debt, 'clause' | 'kind'>[]): string =>
  listed(
    rows.map(({ clause, kind }) => (kind === undefined ? clause : `${clause} (${KIND_NAMES[kind]})`)),
    6,
  )

/** Returns what was excused every time though others like it were not; `undefined` if nothing. Findings are listed by themselves. */
export function debtsLine({ debts = [] }: Pick<RunRecord, 'debts'>): string | undefined {
  const told = debts.filter(({ verdict }) => verdict === 'not exercised')
  if (told.length === 0) return undefined
  return `Excused every time, and so not exercised, though others like it were decided: ${namesOf(told)}`
}

/** Returns what the kit left undecided, and what to do; `undefined` if nothing. */
export function undecidedLine({ undecided = [] }: RunRecord): string | undefined {
  if (undecided.length === 0) return undefined
  return `A fault of the kit: its checks left ${namesOf(undecided)} undecided. Report it with record.json; it lowers coverage but changes no verdict`
}

/** Returns what a report says beside its headline, in order, and whether a reader has to heed it. */
export function headLines(record: RunRecord): { line: string; isWarning: boolean }[] {
  const { deployment, halted } = record
  const of = (isWarning: boolean, ...lines: readonly (string | undefined)[]) =>
    present(lines).map(line => ({ line: line.replace(/\.?$/, '.'), isWarning }))
  return [
    ...of(true, deploymentLine(deployment)),
    ...of(false, profileLine(record), chosenLine(record)),
    ...of(true, notLookedAtLine(record)),
    ...of(!outcomeOf(record).passes, ...gateLines(record)),
    ...of(true, halted && `Not completed: ${halted}`),
    ...of(true, ...missingLines(record).map(line => `Incomplete: ${line}`)),
    ...of(true, debtsLine(record), undecidedLine(record)),
  ]
}

/** Returns which booking may still stand, with other identification if its id is unknown, and why. */
function partsOf(leftover: Leftover) {
  const { bookingId, product, role, reason, key, at, requestId, exchange } = leftover
  const { entry, acknowledged, refused } = leftover
  const booking = bookingId === undefined ? 'a booking whose id is not known' : `booking ${bookingId}`
  const known = present([
    key && `key ${key}`,
    at && `sent ${at.slice(0, 19)}Z`,
    requestId && `request ${requestId}`,
    exchange && `exchange ${exchange}`,
  ])
  const traces = bookingId !== undefined || known.length === 0 ? '' : ` [${known.join(', ')}]`
  const said = bookingId === undefined ? 'would be' : 'is'
  const harmless = refused === true ? `; it ${said} a test booking, and such an answer is legal` : ''
  const named = entry === undefined || refused === true ? '' : ` [entry ${entry}]`
  const looked =
    acknowledged === undefined
      ? ''
      : `; acknowledged on ${acknowledged.at.slice(0, 10)}: ${acknowledged.because}`
  return {
    who: `${booking} (${product}, role ${role})`,
    traces: `${traces}${named}`,
    why: `${reason}${harmless}`,
    looked,
  }
}

/** Returns a booking that may still stand, in a line. */
export function leftoverLine(leftover: Leftover): string {
  const { who, why, traces, looked } = partsOf(leftover)
  return `${who}: ${why}${traces}${looked}`
}

/** Returns what may still be booked, one line for each reason, with at most `most` bookings. */
export function leftoverLines(
  { leftovers }: Pick<RunRecord, 'leftovers'>,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const groups = Map.groupBy(leftovers, one => {
    const { why, looked } = partsOf(one)
    return heartOf({ reason: `${why}${looked}` })
  })
  return [...groups].map(([why, alike]) => {
    if (alike.length === 1) return leftoverLine(alike[0]!)
    const each = new Set(alike.map(partsOf).map(({ who, traces }) => `${who}${traces}`))
    return `${count(alike.length, 'booking')}, of each: ${why}: ${listed([...each], most)}`
  })
}

/** The number of test bookings that may legally stay, up to which each has a line in a summary. */
const FEW_LEGAL = 3

/** The number of bookings left for one reason that a summary names. */
const FEW_ALIKE = 5

/** Returns what is left of test bookings that may legally stay and cost nothing, in a sentence; `undefined` without any. */
export function harmlessLine({ leftovers }: Pick<RunRecord, 'leftovers'>): string | undefined {
  const legal = leftovers.filter(({ refused }) => refused === true).length
  if (legal === 0) return undefined
  return `${count(legal, 'test booking')} could not be cancelled, which is legal; none costs anything`
}

/** Returns the lines of `leftoverLines`, with many that cost nothing as one. */
export function leftoverSummary({ leftovers }: Pick<RunRecord, 'leftovers'>): string[] {
  const dear = leftovers.filter(({ refused }) => refused !== true)
  if (leftovers.length - dear.length <= FEW_LEGAL) return leftoverLines({ leftovers }, FEW_ALIKE)
  return [...leftoverLines({ leftovers: dear }, FEW_ALIKE), harmlessLine({ leftovers })!]
}

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
  conforms: ({ totals, gate, subject, checks }) =>
    (gate?.waived ?? 0) > 0
      ? 'Everything else that was exercised conforms: some findings are waived.'
      : totals.violates === 0
        ? subject === 'recording'
          ? checks.some(({ id }) => id === OF_FACTS)
            ? 'So far as seen, everything conforms, if what the recording says of its own checks is true.'
            : 'So far as seen, everything conforms.'
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
