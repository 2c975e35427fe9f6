import { KIND_NAMES } from '../../fixtures/ground/products.ts'
import type { Leftover, RunRecord } from '../../fixtures/ground/record.ts'
import type { Debt } from '../judge/debts.ts'
import { listed } from '../judge/outcome.ts'
import { percent } from './digest.ts'
import { count, present } from './plain.ts'
import { heartOf } from './reasons.ts'

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
