import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/read-json.ts'
import type { ClauseRecord, Finding } from '../../fixtures/record.ts'
import { KINDS, type Kind } from '../../fixtures/service/products.ts'
import { oneLine, shorten } from '../render/plain.ts'

const waiverSchema = z.strictObject({
  clause: z.string().min(1),
  /** Only findings of checks of that kind of product. */
  kind: z.enum(KINDS).optional(),
  /** Only findings whose message holds this text. */
  matching: z.string().min(1).optional(),
  reason: z.string().trim().min(1),
  owner: z.string().trim().min(1),
  /** The last day on which it holds, as `2027-01-31`. */
  expires: z.iso.date(),
})
/** A finding that somebody answers for until a day. */
export type Waiver = z.infer<typeof waiverSchema>

const fileSchema = z.strictObject({ waivers: z.array(waiverSchema) })

/** A file of waivers cannot be used; the message lists every problem and what to do. */
export class WaiversRefused extends Error {
  override readonly name = 'WaiversRefused'
}

/**
 * Reads waivers out of YAML or JSON.
 *
 * @param file its name, for messages
 * @param clauses every id of the catalogue
 * @param today day of the run, as `2027-01-31`
 * @throws {WaiversRefused} for what is no such file, an unknown clause, or a waiver that has expired
 */
export function readWaivers(
  text: string,
  { file, clauses, today }: { file: string; clauses: readonly string[]; today: string },
): Waiver[] {
  const parsed = fileSchema.safeParse(parsedYaml(text, file))
  if (!parsed.success) {
    throw new WaiversRefused(
      `${file} is not a list of waivers: ${oneSentence(parsed.error)}. Each needs clause, reason, owner and expires (a day, such as 2027-01-31); kind and matching are optional.`,
    )
  }
  const { waivers } = parsed.data
  const known = new Set(clauses)
  const problems = waivers.flatMap(({ clause, expires, owner }) => [
    ...(known.has(clause) ? [] : [`${named(clause)} is no clause (${commandLine('clauses')} lists them)`]),
    ...(expires < today
      ? [
          `the waiver of ${named(clause)} expired on ${expires}: mend it, or ask ${named(owner)} for a later day`,
        ]
      : []),
  ])
  if (problems.length > 0) {
    const rest = problems.length > MOST_PROBLEMS ? `; and ${problems.length - MOST_PROBLEMS} more` : ''
    throw new WaiversRefused(
      `${file} has waivers that cannot be used: ${problems.slice(0, MOST_PROBLEMS).join('; ')}${rest}.`,
    )
  }
  return waivers
}

const LONGEST_YAML = 2 ** 20

/** More problems than this are counted. */
const MOST_PROBLEMS = 10

/** A name as it stands in the file, on one line and short enough for a sentence. */
const named = (text: string): string => shorten(oneLine(text), 100)

function parsedYaml(text: string, file: string): unknown {
  // Every JSON text is YAML, and is read many times faster as what it is.
  const json = jsonIn(text, OF_ANY_LENGTH)
  if (json !== undefined) return json
  if (text.length > LONGEST_YAML)
    throw new WaiversRefused(
      `${file} is longer than a megabyte, which takes long to read as YAML: write it as JSON.`,
    )
  try {
    // Days stay text: a YAML date would lose how it was written.
    return parseYaml(text, { schema: 'core' })
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new WaiversRefused(`${file} can be read neither as YAML nor as JSON (${first}).`, { cause: error })
  }
}

const oneSentence = (error: z.ZodError): string =>
  error.issues
    .slice(0, 5)
    .map(
      ({ path, message }) => `${path.length === 0 ? 'the file' : named(path.join('.'))}: ${oneLine(message)}`,
    )
    .join('; ')

/** What became of waivers in a run. */
export interface Waived {
  clauses: ClauseRecord[]
  /** Waivers whose clause was exercised and that no finding needs any more. */
  unneeded: Waiver[]
  /** Waivers whose clause this run did not exercise: nothing is known. */
  untested: Waiver[]
}

/**
 * Marks the findings that are waived, from checks and from passive rules alike. They stay in the record and in every
 * report.
 *
 * @param kindOf the kind of product that a check, by its id, is about
 */
export function waive(
  rows: readonly ClauseRecord[],
  waivers: readonly Waiver[],
  kindOf: (check: string) => Kind | undefined,
): Waived {
  const used = new Set<Waiver>()
  const byClause = Map.groupBy(waivers, ({ clause }) => clause)
  const clauses = rows.map(row => ({
    ...row,
    findings: row.findings.map((finding): Finding => {
      const waiver = byClause.get(row.id)?.find(one => fits(one, finding, kindOf))
      if (waiver === undefined) return finding
      used.add(waiver)
      const { reason, owner, expires } = waiver
      return { ...finding, waived: { reason, owner, expires } }
    }),
  }))
  const unused = waivers.filter(waiver => !used.has(waiver))
  const exercised = new Set(
    clauses.filter(({ verdict }) => verdict === 'conforms' || verdict === 'violates').map(({ id }) => id),
  )
  return {
    clauses,
    unneeded: unused.filter(({ clause }) => exercised.has(clause)),
    untested: unused.filter(({ clause }) => !exercised.has(clause)),
  }
}

const fits = (
  { kind, matching }: Waiver,
  { message, check }: Finding,
  kindOf: (check: string) => Kind | undefined,
): boolean =>
  (matching === undefined || message.includes(matching)) && (kind === undefined || kindOf(check) === kind)

/** Returns whether a clause has a finding that nobody answers for. */
export const hasUnwaived = ({ findings }: Pick<ClauseRecord, 'findings'>): boolean =>
  findings.some(({ waived }) => waived === undefined)

/** Returns how a waiver is called in a sentence. */
export const waiverName = ({ clause, kind, owner }: Waiver): string =>
  `${clause}${kind === undefined ? '' : ` (${kind})`} of ${owner}`
