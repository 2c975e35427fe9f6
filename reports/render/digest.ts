import type { ClauseRecord, RunRecord, RunVerdict, Transitions, Verdict } from '../../fixtures/record.ts'
import { KIND_NAMES } from '../../fixtures/service/products.ts'
import { byHarm } from '../findings/severity.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { CUT_SHORT, listed } from '../judge/outcome.ts'
import { count } from './plain.ts'

/** Returns how the verdict of a whole run is told. */
export function headline(record: RunRecord): string {
  const { halted, totals, verdict } = record
  const unheeded = brokenOf(record, 'should').length
  const advice =
    unheeded === 0 ? '' : ` ${count(unheeded, 'recommendation is', 'recommendations are')} not followed.`
  if (verdict === 'incomplete' && halted !== undefined && totals.conforms > 0) {
    return `The run was not completed; what it saw of the requirements conforms.${advice}`
  }
  return SENTENCES[verdict](record) + advice
}

const SENTENCES: Record<RunVerdict, (record: RunRecord) => string> = {
  conforms: ({ totals, gate }) =>
    (gate?.waived ?? 0) > 0
      ? 'Everything else that was exercised conforms: some findings are waived.'
      : totals.violates === 0
        ? 'Everything that was exercised conforms.'
        : 'Every requirement that was exercised is met.',
  violates: record =>
    `${count(brokenOf(record, 'must').length, 'required clause was', 'required clauses were')} seen broken.`,
  incomplete: ({ subject, load, incomplete = [] }) => {
    if (load !== undefined && incomplete.length > 0)
      return 'Nothing was found, but of a scenario no answer was judged, so nothing follows from that.'
    if (subject === 'client')
      return 'Nothing was found, but the client did not come to show everything that it has to keep.'
    const cutShort = incomplete.find(line => line.startsWith(CUT_SHORT))
    return cutShort === undefined
      ? 'Nothing was found, but less was looked at than the definition makes reachable, so nothing follows from that.'
      : `${cutShort} What it saw conforms, and nothing follows from that for the rest.`
  },
  blocked: () => 'The deployment did not deliver what its definition claims.',
  'not exercised': ({ load, checks }) =>
    load !== undefined && checks.length === 0
      ? 'The scenarios measured; there was nothing to judge.'
      : 'Nothing could be judged.',
  'not applicable': () => 'Nothing applies to this deployment.',
  error: ({ errors }) =>
    `The kit itself failed (${count(errors.length, 'fault')}); nothing follows from that for the deployment.`,
}

const brokenOf = ({ clauses }: RunRecord, wanted: ClauseRecord['level']): ClauseRecord[] =>
  clauses.filter(row => row.level === wanted && hasUnwaived(row))

/** The reason why the second number of a load run is low. */
export const FEW = 'a load run is about few of them'

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

/** Returns a share in percent, rounded down: what is not all never reads as all. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${Math.floor((1000 * part) / whole) / 10} %`

/**
 * Returns how much of what the profile asks for was exercised; `undefined` where no profile was asked for. It is told
 * as a share: the card has one total, which counts clauses.
 */
export function profileLine({ profile, verdict }: RunRecord): string | undefined {
  if (profile === undefined) return undefined
  const { name, asked, exercised, least } = profile
  const share = `${percent(exercised, asked)} of what it asks for was exercised`
  if (exercised < least * asked) return `Profile ${name} is not met: ${share}, less than ${100 * least} %`
  return verdict === 'incomplete'
    ? `Profile ${name} is not met: ${share}, and the run is incomplete all the same`
    : `Profile ${name}: ${share} (it takes ${100 * least} %)`
}

/** Returns the rows of the table by kind of product; a clause counts once for each kind that it holds for. */
export const kindRows = ({
  coverage: { kinds = [] },
}: RunRecord): [kind: string, conform: string, seen: string][] =>
  kinds.map(({ kind, applicable, exercised, conforming }) => {
    const n = (value: number): string => value.toLocaleString('en')
    return [KIND_NAMES[kind], `${n(conforming)} of ${n(exercised)}`, `${n(exercised)} of ${n(applicable)}`]
  })

/** Titles of that table. */
export const KIND_COLUMNS = ['By kind of product', 'conform of exercised', 'exercised of applicable'] as const

/** Returns what the verdict vouches for nothing of, and what would show it; `undefined` where it lacks nothing. */
export function notLookedAtLine({ notLookedAt = [] }: Pick<RunRecord, 'notLookedAt'>): string | undefined {
  if (notLookedAt.length === 0) return undefined
  const groups = notLookedAt.map(({ what, clauses, shownBy }) => `${what} (${clauses}; it takes ${shownBy})`)
  return `Not looked at: ${groups.join('; ')}`
}

/** Returns what the kit left undecided, and what to do; `undefined` where it did not. */
export function undecidedLine({ undecided = [] }: RunRecord): string | undefined {
  if (undecided.length === 0) return undefined
  const names = undecided.map(({ clause, kind }) =>
    kind === undefined ? clause : `${clause} (${KIND_NAMES[kind]})`,
  )
  return `A fault of the kit: its checks left ${listed(names, 6)} undecided. Tell its makers, with record.json; it lowers coverage and changes no verdict`
}

/** Clauses that were seen broken, worst first; also those whose verdict is an error on top of it. */
export const broken = ({ clauses }: RunRecord): ClauseRecord[] =>
  clauses.filter(({ findings }) => findings.length > 0).sort(byHarm)

/** Something that has a verdict and the same reason for it. */
export interface ReasonGroup {
  reason: string
  /** Ids of clauses; of checks for a check that was stopped after it had decided all of its clauses. */
  ids: string[]
}

/** Clauses of a verdict grouped by reason, most clauses first. */
export function byReason({ clauses }: RunRecord, verdict: Verdict): ReasonGroup[] {
  return grouped(clauses.filter(row => row.verdict === verdict)).sort((a, b) => b.ids.length - a.ids.length)
}

/** Ids in paths of v2. */
const IDS = /(?<=\/(?:bookings|hotels\/availability)\/)[^\s/]+/g

/** Returns what went wrong: which exchange showed it, of which booking, and in how many checks, makes no difference. */
export function heartOf({ reason = 'no reason was recorded' }: { reason?: string | undefined }): string {
  const parts = reason
    .replaceAll(/ \(exchange \w+\)/g, '')
    .replaceAll(IDS, '{id}')
    .split('; ')
  return [...new Set(parts)].join('; ')
}

function grouped(rows: readonly { id: string; reason?: string | undefined }[]): ReasonGroup[] {
  return [...Map.groupBy(rows, heartOf)].map(([reason, group]) => ({
    reason,
    ids: group.map(({ id }) => id),
  }))
}

/**
 * Everything that was blocked, grouped by reason: clauses, and checks that were blocked with nothing left to decide.
 */
export function blocked(record: RunRecord): ReasonGroup[] {
  const verdictOf = new Map(record.clauses.map(({ id, verdict }) => [id, verdict]))
  const late = record.checks.filter(
    ({ verdict, clauses }) =>
      verdict === 'blocked' &&
      clauses.some(id => verdictOf.get(id) !== 'not applicable') &&
      !clauses.some(id => verdictOf.get(id) === 'blocked'),
  )
  return [...byReason(record, 'blocked'), ...grouped(late)]
}

/** Returns how much of the state machines the model-based checks visited; `undefined` when there was no random walk. */
export function transitionsVisited({ checks }: RunRecord): string | undefined {
  const walked = checks.flatMap(({ transitions }) => (transitions === undefined ? [] : [transitions]))
  const visited = walked.reduce((sum, one) => sum + one.visited.length, 0)
  const missed = walked.flatMap(one => one.missed)
  if (visited + missed.length === 0) return undefined
  return `${visited} of ${visited + missed.length} state transitions visited in ${count(walked.length, 'model-based check', 'model-based checks')}${missedBy(walked)}`
}

/** Names the transitions that no walk visited, each with the kinds of product whose walks missed it. */
function missedBy(walked: readonly Transitions[]): string {
  const kinds = new Map<string, Set<string>>()
  for (const { of, missed } of walked) {
    for (const transition of missed) {
      const known = kinds.get(transition) ?? new Set()
      kinds.set(transition, of === undefined ? known : known.add(of))
    }
  }
  const groups = Map.groupBy(kinds, ([, names]) => [...names].join(', '))
  return [...groups]
    .map(([names, group]) => {
      const who = names === '' ? 'not visited' : `not visited with ${names}`
      return `; ${who}: ${group.map(([transition]) => transition).join('; ')}`
    })
    .join('')
}

/** Says which booking may still stand, with what identifies it where no id does. */
export function leftoverLine({
  bookingId,
  product,
  role,
  reason,
  key,
  requestId,
  exchange,
  refused,
}: RunRecord['leftovers'][number]): string {
  const booking = bookingId === undefined ? 'a booking whose id is not known' : `booking ${bookingId}`
  const known = [
    ...(key === undefined ? [] : [`key ${key}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ...(exchange === undefined ? [] : [`exchange ${exchange}`]),
  ]
  const traces = bookingId !== undefined || known.length === 0 ? '' : ` [${known.join(', ')}]`
  const said = bookingId === undefined ? 'would be' : 'is'
  const harmless = refused === true ? `; it ${said} a test booking, and such an answer is legal` : ''
  return `${booking} (${product}, role ${role}): ${reason}${harmless}${traces}`
}

/** Returns what may still be booked, a line each; lines that would say the same are said once, with how often. */
export function leftoverLines({ leftovers }: RunRecord): string[] {
  const lines = leftovers.map(leftoverLine)
  return [...Map.groupBy(lines, line => line)].map(([line, same]) =>
    same.length === 1 ? line : `${same.length} × ${line}`,
  )
}

/** Returns the ids of every exchange that a finding cites. */
export function citedExchanges({ clauses }: RunRecord): Set<string> {
  return new Set(clauses.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges)))
}

/** Returns the ids of the checks in whose traffic something was found. */
export function checksWithFindings({ clauses }: RunRecord): Set<string> {
  return new Set(clauses.flatMap(({ findings }) => findings.map(({ check }) => check)))
}

/** Returns how long a run took, for people: `2.4 s`, `3 min 20 s`. */
export function duration({ startedAt, finishedAt }: RunRecord): string {
  const seconds = Math.max(0, (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
