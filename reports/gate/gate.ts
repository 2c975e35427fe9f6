import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { KINDS } from '../../fixtures/ground/products.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/ground/read-json.ts'
import type { Gate, RunRecord } from '../../fixtures/ground/record.ts'
import { wrongCall } from '../../fixtures/run/failure.ts'
import { listed, missingLines, outcomeOf } from '../judge/outcome.ts'
import { blocked, count, oneLine, present, shorten } from '../render/plain.ts'
import { compare } from './compare.ts'
import { type Waived, type Waiver, waiverName } from './waivers.ts'

const waiverSchema: z.ZodType<Omit<Waiver, 'covers'>> = z.strictObject({
  clause: z.string().min(1),
  kind: z.enum(KINDS).optional(),
  matching: z.string().min(1).optional(),
  reason: z.string().trim().min(1),
  owner: z.string().trim().min(1),
  expires: z.iso.date(),
})
/** The last waiver may have been removed, and its list, or all but comments, with it. */
const fileSchema = z.strictObject({ waivers: z.array(waiverSchema).nullable() }).nullable()

/**
 * Reads waivers from YAML or JSON.
 *
 * @param file its name, for messages
 * @param clauses every id of the catalogue
 * @param today the day of the run, as `2027-01-31`
 * @throws {Failure} with every problem and what to do: an invalid file, an unknown clause, an expired waiver
 */
export function readWaivers(
  text: string,
  { file, clauses, today }: { file: string; clauses: readonly string[]; today: string },
): Waiver[] {
  const parsed = fileSchema.safeParse(parsedYaml(text, file))
  if (!parsed.success) {
    throw wrongCall(
      `${file} is not a list of waivers: ${oneSentence(parsed.error)}. It has to be a list under waivers, and each needs clause, reason, owner and expires (a day, such as 2027-01-31); kind and matching are optional.`,
    )
  }
  const waivers = (parsed.data?.waivers ?? []).map((waiver): Waiver => {
    const covers = beginningWith(waiver.clause, clauses)
    return covers === undefined ? waiver : { ...waiver, covers }
  })
  const known = new Set(clauses)
  const problems = waivers.flatMap(({ clause, covers, expires, owner }) => [
    ...(known.has(clause) || (covers !== undefined && covers.length > 0)
      ? []
      : [`${named(clause)} is no clause, and no beginning of any, such as METHOD-V1-*`]),
    ...(expires < today
      ? [
          `the waiver of ${named(clause)} expired on ${expires}: fix it, or ask ${named(owner)} for a later day`,
        ]
      : []),
  ])
  if (problems.length > 0) {
    const rest = problems.length > MOST_PROBLEMS ? `; and ${problems.length - MOST_PROBLEMS} more` : ''
    throw wrongCall(
      `${file} has waivers that cannot be used: ${problems.slice(0, MOST_PROBLEMS).join('; ')}${rest}.`,
    )
  }
  return waivers
}

/** Returns the clauses that a beginning covers (`METHOD-V1-*`), as `--only` does; `undefined` for anything else. */
const beginningWith = (text: string, clauses: readonly string[]): string[] | undefined =>
  /^[A-Z\d][A-Z\d-]*\*$/.test(text) ? clauses.filter(id => id.startsWith(text.slice(0, -1))) : undefined

/** Reading YAML takes the square of its depth and of its keys: this much takes seconds, and a megabyte took minutes. */
const LONGEST_YAML = 64 * 1024

/** The number of problems that are listed. More are counted. */
const MOST_PROBLEMS = 10

/** Returns a name from the file, on one line and shortened. */
const named = (text: string): string => shorten(oneLine(text), 100)

function parsedYaml(text: string, file: string): unknown {
  // Every JSON text is YAML, but the JSON parser is much faster.
  const json = jsonIn(text, OF_ANY_LENGTH)
  if (json !== undefined) return json
  if (text.length > LONGEST_YAML)
    throw wrongCall(
      `${file} is longer than ${LONGEST_YAML / 1024} kB, which may take long to read as YAML: write it as JSON.`,
    )
  try {
    // With this schema days stay text: a YAML date would lose its original form.
    return parseYaml(text, { schema: 'core', logLevel: 'error' })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'MULTIPLE_DOCS')
      throw wrongCall(`${file} holds several YAML documents: write one list, without a line of --- in it.`)
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw wrongCall(`${file} can be read neither as YAML nor as JSON (${first}).`, { cause: error })
  }
}

const oneSentence = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(
      ({ path, message }) => `${path.length === 0 ? 'the file' : named(path.join('.'))}: ${oneLine(message)}`,
    )
    .join('; ')

/** Returns the gate of a run with waivers. Whether it passes is decided last. */
export function gateOf({ clauses, unneeded, untested }: Waived, waivers: readonly Waiver[]): Gate {
  const covered = waivers.flatMap(waiver =>
    waiver.covers === undefined ? [] : [{ waiver: waiverName(waiver), clauses: [...waiver.covers] }],
  )
  const waived = clauses.flatMap(({ findings }) => findings).filter(finding => finding.waived !== undefined)
  return {
    passes: false,
    waived: waived.length,
    covered: covered.length === 0 ? undefined : covered,
    unneeded: unneeded.map(waiverName),
    untested: untested.map(waiverName),
  }
}

const NO_WAIVERS: Gate = { passes: false, waived: 0, unneeded: [], untested: [] }

/** What a run is compared with, besides its own verdict. */
interface Measures {
  /** An earlier run. Only what became worse counts. */
  baseline?: RunRecord | undefined
  /** The required share of exercised clauses, 0 to 1. */
  requireCoverage?: number | undefined
}

/** Returns a record with its gate, if it has one. */
export function gated(record: RunRecord, { baseline, requireCoverage }: Measures = {}): RunRecord {
  if (record.gate === undefined && baseline === undefined && requireCoverage === undefined) return record
  const { applicable, exercised } = record.coverage.perKind ?? record.coverage
  const gate: Gate = {
    ...(record.gate ?? NO_WAIVERS),
    coverage:
      requireCoverage === undefined
        ? undefined
        : { required: requireCoverage, reached: applicable === 0 ? 0 : exercised / applicable },
    baseline: baseline && against(baseline, record),
  }
  return { ...record, gate: { ...gate, passes: outcomeOf({ ...record, gate }).passes } }
}

/** Returns what became worse than in an earlier run. Waived findings are not new. */
function against(baseline: RunRecord, record: RunRecord): NonNullable<Gate['baseline']> {
  const unusable = whyUnusable(baseline)
  const unwaived = {
    ...record,
    clauses: record.clauses.map(row => ({
      ...row,
      findings: row.findings.filter(({ waived }) => waived === undefined),
    })),
  }
  const { broken, known, ...others } = compare(baseline, unwaived)
  const stuck = new Set(blockedIds(baseline))
  const leftOut = new Set(record.clauses.flatMap(({ id, selected }) => (selected === false ? [id] : [])))
  return {
    run: baseline.run,
    unusable,
    broken: unusable === undefined ? broken : [...broken, ...known],
    known: unusable === undefined ? known : [],
    ...others,
    blocked: blockedIds(record).filter(id => !stuck.has(id) && !leftOut.has(id)),
  }
}

const blockedIds = (record: RunRecord): string[] => blocked(record).flatMap(({ ids }) => ids)

/** Returns why an earlier run cannot be a baseline: it was incomplete. */
function whyUnusable(baseline: RunRecord): string | undefined {
  const { verdict, halted } = baseline
  if (halted !== undefined) return 'it was not completed'
  if (verdict === 'conforms' || (verdict === 'violates' && missingLines(baseline).length === 0))
    return undefined
  return verdict === 'violates' ? 'it is incomplete' : `its verdict is ${verdict}`
}

/** Returns the number of waived clauses, and how often they were seen broken. */
function waivedLine({ clauses }: RunRecord, times: number): string {
  const ids = clauses.filter(({ findings }) => findings.some(({ waived }) => waived !== undefined))
  return `${count(ids.length, 'clause is', 'clauses are')} waived, seen broken ${times === 1 ? 'once' : `${times} times`}.`
}

/** Returns the sentences that explain the gate's decision, unless the verdict says it all. */
export function gateLines(record: RunRecord): string[] {
  const { gate } = record
  // The headline has the reasons of a run that would conform.
  if (gate === undefined) return []
  const { passes, reasons } = outcomeOf(record)
  const { baseline, waived, untested, covered = [] } = gate
  const { run, unusable, known = [], missed = [] } = baseline ?? {}
  return present([
    `The gate ${passes ? 'passes' : 'does not pass'}${run === undefined ? '' : ` against ${run}`}.`,
    ...reasons.filter(({ about }) => about !== 'profile').map(({ text }) => text),
    unusable &&
      `No finding of ${run} counts as known, because ${unusable}: keep a run that conforms, or a complete one that violates.`,
    naming('Broken as before', known),
    naming(`Exercised in ${run} and tried again, but shown by no answer of this run`, missed),
    waived === 0 ? undefined : waivedLine(record, waived),
    ...covered.map(
      ({ waiver, clauses: ids }) =>
        `The waiver ${waiver} covers ${count(ids.length, 'clause')}: ${ids.join(', ')}.`,
    ),
    naming('Waivers for clauses that this run did not exercise or select', untested),
  ])
}

const naming = (text: string, ids: readonly string[]): string | undefined =>
  ids.length === 0 ? undefined : `${text}: ${listed(ids)}.`
