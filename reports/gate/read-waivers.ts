import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { KINDS } from '../../fixtures/ground/products.ts'
import { jsonIn, OF_ANY_LENGTH } from '../../fixtures/ground/read-json.ts'
import { wrongCall } from '../../fixtures/run/failure.ts'
import { oneLine, shorten } from '../render/plain.ts'
import type { Waiver } from './waivers.ts'

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
