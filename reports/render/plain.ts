import type { RunRecord, Verdict } from '../../fixtures/ground/record.ts'
import type { Fact } from '../../fixtures/ground/record-load.ts'

// Text of a deployment may be shown in a terminal, mail or browser. These functions make it harmless.

/** Escape sequences: CSI, OSC and other strings with their terminators, and two-byte ones. */
const ESCAPE_SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|[ -/]*[0-~])|\u009b[0-?]*[ -/]*[@-~]/g

/** C0 and C1 except tab and newline, and characters that reorder or hide text. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Removes escape sequences, control characters and direction marks; tab and newline stay. */
export const plain = (text: string): string =>
  text.toWellFormed().replaceAll(ESCAPE_SEQUENCES, '').replaceAll('\r\n', '\n').replaceAll(UNSAFE, '')

/** Returns text as evidence: what `plain` would remove is shown as a symbol. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE, mark => {
      const code = mark.charCodeAt(0)
      if (code < 0x20) return String.fromCharCode(0x2400 + code)
      return code === 0x7f ? '\u2421' : `\\u${code.toString(16).padStart(4, '0')}`
    })
}

/** Returns `plain` text on one line. */
export const oneLine = (text: string): string => plain(text).replaceAll(/\s+/g, ' ').trim()

/**
 * Returns at most `longest` characters of a text and the number left out, unless stating it would take as much
 * room. It never splits a character.
 */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text
  const kept = text.slice(0, longest).replace(/[\ud800-\udbff]$/, '')
  const cut = `${kept}… (${text.length - kept.length} more characters)`
  return cut.length < text.length ? cut : text
}

/** Returns the lines that are not undefined. */
export const present = (lines: readonly (string | undefined)[]): string[] =>
  lines.filter(line => line !== undefined)

/** Returns a number with its noun: `1 clause`, `2 clauses`, `1,204 clauses`. */
export const count = (n: number, noun: string, plural = `${noun}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? noun : plural}`

/** Returns how many clauses there are, each counted once for each kind of product. */
export const clausesAndKinds = (n: number): string => count(n, 'clause and kind', 'clauses and kinds')

/** Formats a number: thousands separators, and three significant digits below a hundred. */
export function number(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 4 })
  if (size >= 100) return Math.round(value).toLocaleString('en')
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}

/** Formats milliseconds: `0.42 ms`, `87 ms`, `12.3 s`, `400 s`. */
export function milliseconds(value: number): string {
  const size = Math.abs(value)
  // A value that would be rounded to 1000 ms is shown as 1 s.
  if (size >= 999.5) return `${number(value / 1000)} s`
  return `${size < 9.95 ? Number(value.toPrecision(2)) : Math.round(value)} ms`
}

/** Formats seconds: `0.8 s`, `42 s`, `5 min`, `1 h 20 min`. */
export function seconds(value: number): string {
  if (value < 59.5) return `${number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} s`
  const whole = Math.round(value)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

/** Returns the value of a fact with its unit. */
export function factValue({ value, unit = '' }: Fact): string {
  if (typeof value === 'number' && unit === 'ms') return milliseconds(value)
  if (typeof value === 'number' && unit === 's') return seconds(value)
  return `${typeof value === 'number' ? number(value) : value} ${unit}`.trim()
}

/** Clauses or checks with a verdict and a reason in common. */
export interface ReasonGroup {
  reason: string
  /** The ids of clauses, or of checks that were stopped after they decided all of their clauses. */
  ids: string[]
  /** The further reasons of some of them, by id. */
  further: ReadonlyMap<string, string>
}

/** Returns the clauses with a verdict, grouped by reason, the largest group first. */
export const byReason = (record: RunRecord, verdict: Verdict): ReasonGroup[] =>
  grouped(
    record,
    record.clauses.filter(row => row.verdict === verdict),
  )

/** Ids in v2 paths. */
const IDS = /(?<=\/(?:bookings|hotels\/availability)\/)[^\s/]+/g
/** Amounts, long numbers and days. */
const AMOUNTS = /(?<![\w.-])(?:\d+\.\d+|\d{4,}|\d{4}-\d\d-\d\d)(?![\w-])/g

/** Returns a reason without what differs between answers: ids of exchanges and bookings, amounts, and the number of checks. */
export const heartOf = ({ reason }: { reason?: string | undefined }): string => partsOf(reason).join('; ')

function partsOf(reason = 'no reason was recorded'): string[] {
  const parts = reason
    .replaceAll(/ \(exchange \w+\)/g, '')
    .replaceAll(IDS, '{id}')
    .replaceAll(AMOUNTS, '…')
    .split(/; (?=needs |No |an? |the )/)
  return [...new Set(parts)]
}

/** Matches a refusal that the definition may be asked to prevent, with its exchange. */
const ADVISED =
  /[^;]*?(\d{3} .*?) \(exchange (\w+)\): say what this deployment wants in \S+ of the definition/g

/** Returns a function that names the finding where a definition is asked to prevent what is a fault of the deployment. */
function withCauses({ clauses }: RunRecord): (reason: string | undefined) => string | undefined {
  const byAnswer = new Map(
    clauses.flatMap(({ id, findings }) =>
      findings.flatMap(({ observed, exchanges }) =>
        present([observed, exchanges.at(-1)]).map(one => [one, id] as const),
      ),
    ),
  )
  return reason =>
    reason?.replaceAll(ADVISED, (told, refusal: string, exchange: string) => {
      const id = byAnswer.get(exchange) ?? byAnswer.get(refusal)
      return id === undefined ? told : `needs what was refused: see the finding of ${id}`
    })
}

/** Groups rows by their most frequent reason: many have several, in different company. */
function grouped(
  record: RunRecord,
  rows: readonly { id: string; reason?: string | undefined }[],
): ReasonGroup[] {
  const named = withCauses(record)
  const told = rows.map(({ id, reason }) => ({ id, parts: partsOf(named(reason)) }))
  const times = Map.groupBy(
    told.flatMap(({ parts }) => parts),
    part => part,
  )
  const sorted = told.map(({ id, parts }) => ({
    id,
    parts: parts.toSorted((one, other) => times.get(other)!.length - times.get(one)!.length),
  }))
  return [...Map.groupBy(sorted, ({ parts }) => parts[0]!)]
    .map(([reason, group]) => ({
      reason,
      ids: group.map(({ id }) => id),
      further: new Map(
        group.flatMap(({ id, parts: [, ...more] }) => (more.length === 0 ? [] : [[id, more.join('; ')]])),
      ),
    }))
    .sort((a, b) => b.ids.length - a.ids.length)
}

/** Returns everything that was blocked, by reason: clauses, and checks that had decided all of their clauses. */
export function blocked(record: RunRecord): ReasonGroup[] {
  const verdictOf = new Map(record.clauses.map(({ id, verdict }) => [id, verdict]))
  const late = record.checks.filter(
    ({ verdict, clauses }) =>
      verdict === 'blocked' &&
      clauses.some(id => verdictOf.get(id) !== 'not applicable') &&
      !clauses.some(id => verdictOf.get(id) === 'blocked'),
  )
  return [...byReason(record, 'blocked'), ...grouped(record, late)]
}
