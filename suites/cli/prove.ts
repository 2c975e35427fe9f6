import { randomInt } from 'node:crypto'
import { join, relative } from 'node:path'
import { styleText } from 'node:util'
import { seedFor } from '../../fixtures/check/session/seed.ts'
import { passiveClauses } from '../../fixtures/checkers/passive-clauses.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { launch } from '../../fixtures/deployments/embedded.ts'
import { listenForShown } from '../../fixtures/deviants/derived/shown.ts'
import type { Deviant } from '../../fixtures/deviants/deviant.ts'
import {
  allowed,
  benign,
  deviants,
  derived as everyDerived,
  loadDeviants,
  written,
} from '../../fixtures/deviants/index.ts'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { print, printJson, say } from '../../fixtures/output/console.ts'
import { writeJsonNow, writeTextNow } from '../../fixtures/output/files.ts'
import type { CollectedCheck } from '../../fixtures/run/collected.ts'
import { EXIT, type ExitCode, wrongCall } from '../../fixtures/run/failure.ts'
import { kit } from '../../fixtures/run/kit.ts'
import type { FinishedRun, Plan } from '../../fixtures/run/run.ts'
import { notWritten } from '../../fixtures/run/run-folder.ts'
import { type Selection, select } from '../../fixtures/run/selection.ts'
import {
  type BenignRow,
  benignAlarms,
  caughtInPart,
  type HarmlessVariant,
  isProven,
  type Known,
  LEFT_OPEN,
  type Matrix,
  matrixMarkdown,
  matrixOf,
  type ProvenDeviant,
  sentence,
  undecidedClauses,
  wronglyAllowed,
} from '../../reports/judge/matrix.ts'
import { scoreLines } from '../../reports/judge/score.ts'
import { oneLine } from '../../reports/render/plain.ts'
import { wantsColour } from '../../reports/terminal/summary.ts'
import { runWatched } from './watched-run.ts'

/** Options of `travel-sales prove`, as they were given. */
export interface ProveOptions {
  only?: string
  seed?: number
  out: string
  json?: boolean
  /** Every variant that breaks nothing, with all checks; otherwise a part of both is drawn. */
  all?: boolean
  /** All derived deviants, and nothing else; otherwise a part of them is drawn beside those written by hand. */
  derived?: boolean
  /** Deviants narrowed to conditions, drawn by the seed, and nothing else. */
  conditions?: boolean
  /** All deviants, written and derived, with more of those narrowed to conditions, in one run. */
  whole?: boolean
  /** Of clients, and not of deployments. */
  clients?: boolean
}

/** Runs the checks against every variant and against the untouched deployment, and prints who was caught. */
export async function prove({
  only,
  seed = randomInt(2 ** 31),
  out,
  json,
  derived = false,
  conditions = false,
  whole = false,
  all = only !== undefined,
}: ProveOptions): Promise<ExitCode> {
  const choice = whole
    ? await chooseWhole({ all, seed, out })
    : conditions
      ? await drawPairs({ only, ...(all ? EVERY_PAIR : SOME_PAIRS), seed, out })
      : choose(only, { derived, all, seed })
  const { matrix, folder, halted, startedAt, finishedAt } = await tryAll({ ...choice, all }, seed, out)
  const document = {
    kit,
    run: folder.run,
    ...(only === undefined ? {} : { only }),
    seed,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    proven: isProven(matrix) && halted === undefined,
    ...(halted === undefined ? {} : { halted: halted.sentence }),
    ...matrix,
  }
  try {
    writeJsonNow(join(folder.path, 'prove.json'), document)
    writeTextNow(join(folder.path, 'prove.md'), matrixMarkdown(matrix, folder.run))
  } catch (error) {
    throw notWritten(folder.path, error)
  }
  if (json) printJson(document)
  else {
    print(matrixText(matrix, wantsColour(process.stdout, process.env)))
    const seconds = (finishedAt.getTime() - startedAt.getTime()) / 1000
    const where = relative(process.cwd(), folder.path)
    print(`${seconds.toFixed(1)} s. Seed: ${seed}. Matrix: ${where}/prove.md\n`)
    if (!isProven(matrix) && only === undefined) {
      print(
        `The exchanges of a few are written down: ${commandLine('prove', '--seed', `${seed}`, '--only')} <id or clause>\n`,
      )
    }
  }
  if (halted !== undefined) {
    say(`Not completed: ${halted.sentence}`)
    return halted.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
  }
  return isProven(matrix) ? EXIT.conforms : EXIT.violates
}

interface Tried extends Pick<FinishedRun, 'folder' | 'startedAt' | 'finishedAt' | 'halted'> {
  matrix: Matrix
}

/**
 * Tries every variant with the companies that its checks mint. A request that names no company shows none
 * of that; those that were missed are tried once more, on a deployment whose nameless requests follow them.
 */
async function tryAll(
  { chosen, harmless, selection, recorded, all, narrowed, troubled = [] }: Choice & { all: boolean },
  seed: number,
  out: string,
): Promise<Tried> {
  const attempt: Attempt = (variants, more) =>
    runWatched(
      { deployment: 'embedded', seed, prove: { variants, recorded }, ...more },
      // What is found on a deviant is what is wanted: it is no finding of the run.
      now => ({ ...now, findings: 0 }),
    )
  const shown = listenForShown()
  const first = await attempt([...chosen.map(asVariant), ...harmless.map(one => asHarmless(one, all))], {
    out,
    ...(narrowed && { launch: () => launch({ conditions: true }) }),
    ...(selection === undefined ? {} : { only: selection }),
  })
  shown.close()
  const judged = chosen.filter(({ id, of }) => of === undefined || shown.ids.has(id))
  if (narrowed) {
    const idle = chosen.length - judged.length
    say(
      `Of ${chosen.length} deviants, ${idle} were at a condition that came up in no check of their clauses.`,
    )
  }
  const known = knownOf(judged, harmless)
  const { folder, collected, startedAt } = first
  const missed = matrixOf(collected, known).deviants.filter(
    row => !row.caught && row.checks > 0 && mayBeNameless(row),
  )
  const last = await tryNameless(first, missed, chosen, attempt)
  const matrix = matrixOf(collected, known)
  return { ...last, matrix: { ...matrix, benign: [...matrix.benign, ...troubled] }, folder, startedAt }
}

/** Returns what the matrix takes to be known of what was tried. */
const knownOf = (judged: Known['deviants'], harmless: Known['benign']): Known => ({
  deviants: judged,
  benign: harmless,
  catalogue: CLAUSES,
  needed: passiveClauses,
  breakers: breakersOf(deviants),
})

/** Runs checks against variants. */
type Attempt = (
  variants: NonNullable<Plan['prove']>['variants'],
  more: Pick<Plan, 'out' | 'only' | 'files' | 'launch'>,
) => Promise<FinishedRun>

/** Tries deviants that were missed once more, where nameless requests show them; adds what was collected to the first run. */
async function tryNameless(
  first: FinishedRun,
  missed: readonly ProvenDeviant[],
  chosen: readonly Deviant[],
  attempt: Attempt,
): Promise<FinishedRun> {
  const byId = new Map(chosen.map(one => [one.id, one]))
  const { folder, collected } = first
  let last = first
  for (const group of withoutCommonClause(missed)) {
    if (last.halted !== undefined) break
    const ids = new Set(group.map(({ id }) => id))
    const isOfGroup = ({ report }: CollectedCheck) => ids.has(report?.variant ?? '')
    const clauses = group.flatMap(({ id, breaks }) => [...breaks, ...(byId.get(id)?.shownBy ?? [])])
    const again = await attempt(
      group.map(({ id }) => asVariant(byId.get(id)!)),
      {
        out: join(folder.path, 'nameless'),
        only: select([...new Set(clauses)].join(' or '), CLAUSES),
        // To load all of them again takes longer than the checks of most deviants.
        files: [...new Set(collected.checks.filter(isOfGroup).map(({ file }) => file))],
        launch: () => launch({ anonymousVariants: [...ids] }),
      },
    )
    collected.checks.push(...again.collected.checks.filter(isOfGroup))
    last = again
  }
  return last
}

/** Groups deviants that one deployment can show at once: a finding tells which of them it is about. */
function withoutCommonClause(rows: readonly ProvenDeviant[]): ProvenDeviant[][] {
  const groups: ProvenDeviant[][] = []
  for (const row of rows) {
    const group = groups.find(members =>
      members.every(({ breaks }) => !breaks.some(clause => row.breaks.includes(clause))),
    )
    if (group === undefined) groups.push([row])
    else group.push(row)
  }
  return groups
}

/** Returns whether requests without a company may show a deviant: of the derived ones, those about credentials alone. */
const mayBeNameless = ({ operator }: ProvenDeviant): boolean =>
  operator === undefined || operator.startsWith('authentication ')

/** Ids of the deviants that break a clause, by clause. */
function breakersOf(all: readonly ProvenDeviant[]): Map<string, string[]> {
  const breakers = new Map<string, string[]>()
  for (const { id, breaks } of all) {
    for (const clause of breaks) breakers.set(clause, [...(breakers.get(clause) ?? []), id])
  }
  return breakers
}

interface Choice {
  chosen: readonly Deviant[]
  harmless: readonly HarmlessVariant[]
  selection?: Selection
  /** Exchanges are written down only where there are few. */
  recorded: boolean
  /** Deviants narrowed to conditions: only those whose condition came up are judged. */
  narrowed?: true
  /** What went wrong while conditions were looked for. */
  troubled?: readonly BenignRow[]
}

/** Which pairs are drawn, of how many deviants, and how many of them: at most these. */
interface Drawing {
  only: string | undefined
  narrowed: number
  pairs: number
  seed: number
  out: string
}

/** Sizes of drawings. With those of a whole run, more than 6,000 deviants are tried. */
const SOME_PAIRS = { narrowed: 300, pairs: 600 }
const PAIRS_OF_WHOLE = { narrowed: 700, pairs: 1700 }
const EVERY_PAIR = { narrowed: Number.POSITIVE_INFINITY, pairs: Number.POSITIVE_INFINITY }

/**
 * Draws deviants, sees in the answers to their checks which conditions would narrow each, and draws from those pairs.
 * A condition that lets nothing through, or keeps nothing back, makes no other deviant.
 */
async function drawPairs({ only, narrowed: most, pairs: mostPairs, seed, out }: Drawing): Promise<Choice> {
  const { pairs } = await import('../../fixtures/deviants/narrowed.ts')
  const { PROBE, told } = await import('../../fixtures/deviants/derived/pairs.ts')
  const wanted = only === undefined ? undefined : select(only, CLAUSES)
  const known = pairs.filter(({ breaks }) => wanted?.matches(breaks) ?? true)
  const rank = (id: string) => seedFor(seed, id)
  const narrowed = new Set(
    [...new Set(known.map(({ of }) => of))].toSorted((one, other) => rank(one) - rank(other)).slice(0, most),
  )
  const candidates = deviants.filter(({ id }) => narrowed.has(id))
  const shown = listenForShown()
  const { selection } = limitedTo(candidates)
  const probes = candidates.map(deviant => ({ ...deviant, id: `${deviant.id}--${PROBE}` }))
  const { collected } = await runWatched({
    deployment: 'embedded',
    seed,
    out,
    prove: { variants: probes.map(asVariant), recorded: false },
    launch: () => launch({ conditions: true }),
    ...(selection === undefined ? {} : { only: selection }),
  })
  shown.close()
  const chosen = known
    .filter(({ of, condition }) => {
      const { shows, keepsBack } = told(of, condition)
      return narrowed.has(of) && shown.ids.has(shows) && shown.ids.has(keepsBack)
    })
    .toSorted((one, other) => rank(one.id) - rank(other.id))
    .slice(0, mostPairs)
  say(
    `Of ${candidates.length} deviants, ${chosen.length} pairs with a condition show in the checks of their clauses.`,
  )
  // Probes change nothing. A check that broke down on one saw no conditions, and its pairs would be missing unnoticed.
  const looked = probes.map(({ id }) => ({ id, allows: 'a probe changes nothing' }))
  const { benign: rows } = matrixOf(collected, knownOf([], looked))
  const troubled = rows.filter(({ findings, errors }) => findings.length + errors.length > 0)
  // Without pairs, the checks of their clauses run all the same, and nothing else.
  return {
    ...limitedTo(chosen.length > 0 ? chosen : candidates),
    chosen,
    harmless: [],
    recorded: false,
    narrowed: true,
    troubled,
  }
}

/** A deviant as the checks that can catch it are told of it. */
const asVariant = ({ id, breaks, kinds, shownBy, anyClause }: Deviant) => ({
  id,
  clauses: breaks,
  ...(anyClause && { anyFinding: anyClause }),
  ...(kinds && { kinds }),
  ...(shownBy && { shownBy }),
})

/** A variant that breaks nothing as checks are told of it: all of them, or those that a seed draws. */
function asHarmless({ id }: HarmlessVariant, all: boolean) {
  const { kinds, version, area } = benign.find(one => one.id === id) ?? {}
  return {
    ...{ id, clauses: 'all' as const },
    ...(kinds === undefined ? {} : { kinds }),
    ...(version === undefined ? {} : { version }),
    ...(all ? {} : { drawn: true as const, ...(area === undefined ? {} : { area }) }),
  }
}

/** Of the derived deviants, one in so many is tried beside those that are written by hand. */
const DERIVED_ONE_IN = 16

/** Of the variants that break nothing, one in so many is tried: most checks of a run would be theirs. */
const BENIGN_ONE_IN = 16

/** Returns the derived deviants that a seed draws; at least one of each clause that no written one breaks. */
function drawn(seed: number): Deviant[] {
  const ranked = everyDerived.map(deviant => ({ deviant, rank: seedFor(seed, deviant.id) }))
  const chosen = ranked.filter(({ rank }) => rank % DERIVED_ONE_IN === 0).map(({ deviant }) => deviant)
  const broken = new Set([...written, ...chosen].flatMap(({ breaks }) => breaks))
  for (const { deviant } of ranked.toSorted((one, other) => one.rank - other.rank)) {
    if (broken.has(deviant.breaks[0])) continue
    chosen.push(deviant)
    for (const clause of deviant.breaks) broken.add(clause)
  }
  return chosen
}

const someBenign = (seed: number) =>
  benign
    .toSorted((one, other) => seedFor(seed, one.id) - seedFor(seed, other.id))
    .slice(0, Math.ceil(benign.length / BENIGN_ONE_IN))

/** Every deviant, and a draw of those narrowed to conditions. */
async function chooseWhole({ all, seed, out }: { all: boolean; seed: number; out: string }): Promise<Choice> {
  const narrowed = await drawPairs({ only: undefined, ...PAIRS_OF_WHOLE, seed, out })
  return {
    chosen: [...deviants, ...allowed, ...narrowed.chosen],
    harmless: all ? benign : someBenign(seed),
    recorded: false,
    narrowed: true,
    troubled: narrowed.troubled ?? [],
  }
}

/** The variants that are asked for, and the checks that can catch them. */
function choose(
  only: string | undefined,
  { derived, all, seed }: { derived: boolean; all: boolean; seed: number },
): Choice {
  if (only === undefined) {
    return derived
      ? { ...limitedTo([...everyDerived, ...allowed]), harmless: [], recorded: false }
      : {
          chosen: [...written, ...drawn(seed), ...allowed],
          harmless: all ? benign : someBenign(seed),
          recorded: false,
        }
  }
  const alone = benign.find(({ id }) => id === only)
  if (alone !== undefined) return { chosen: [], harmless: [alone], recorded: true }
  if (loadDeviants.some(({ id }) => id === only)) {
    throw wrongCall(
      `${only} shows where time is made to pass: ${commandLine('load', '--scenario', 'timeouts', '--variant', only, '--set', 'scale=0.02')} finds it.`,
    )
  }
  const one = [...deviants, ...allowed].find(({ id }) => id === only)
  const known = [...(derived ? everyDerived : deviants), ...allowed]
  const names = Object.fromEntries(deviants.map(({ id, breaks }) => [id, breaks]))
  const wanted = select(only, CLAUSES, names)
  const chosen = one === undefined ? known.filter(({ breaks }) => wanted.matches(breaks)) : [one]
  const harmless = one === undefined && !derived ? benign : []
  return { selection: wanted, ...limitedTo(chosen), harmless, recorded: true }
}

/** Limits the checks to those that can catch a deviant, under any of its clauses. */
function limitedTo(chosen: readonly Deviant[]): Pick<Choice, 'chosen' | 'selection'> {
  const clauses = [...new Set(chosen.flatMap(({ breaks, shownBy = [] }) => [...breaks, ...shownBy]))]
  return clauses.length === 0 ? { chosen } : { chosen, selection: select(clauses.join(' or '), CLAUSES) }
}

/** The variants that a list names at most: when something common breaks, every variant alarms. */
const MOST_LISTED = 20

/** The matrix as a terminal shows it. */
export function matrixText(matrix: Matrix, colour: boolean): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text
  const { control, unproven } = matrix
  // Derived ones are counted by operator.
  const rows = matrix.deviants.filter(({ operator, caught }) => operator === undefined || !caught)
  const width = Math.max(0, ...rows.map(({ id }) => id.length))
  const lines = rows.map(({ id, caught, under, breaks, also, evidence, checks }) => {
    const mark = caught ? paint('green', 'caught') : paint(['red', 'bold'], 'MISSED')
    const found = caught
      ? `${under.join(', ')}${also.length === 0 ? '' : paint('dim', ` (also ${also.length} more)`)}`
      : `${breaks.join(', ')}: ${checks === 0 ? 'no check cites its clauses' : `${checks} checks found nothing${evidence === undefined ? '' : `; ${oneLine(evidence)}`}`}`
    return `${mark}  ${id.padEnd(width)}  ${found}`
  })
  const list = (title: string, entries: readonly string[]) => {
    const shown = entries.slice(0, MOST_LISTED).map(entry => `  ${oneLine(entry)}`)
    const rest = entries.length - shown.length
    if (rest > 0) shown.push(`  and ${rest} more, all of them in prove.md`)
    return shown.length === 0 ? [] : ['', paint('bold', title), ...shown]
  }
  return `${[
    ...lines,
    ...list('Caught for some kinds of product alone', caughtInPart(matrix)),
    ...list('Caught, though listed as allowed', wronglyAllowed(matrix)),
    ...list(
      'False alarms on the untouched deployment',
      control.findings.map(({ clause, check, message }) => `${clause}: ${message} (${check})`),
    ),
    ...list('Could not run on the untouched deployment', control.errors),
    ...list('False alarms on variants that break nothing', benignAlarms(matrix)),
    ...list(LEFT_OPEN, undecidedClauses(matrix)),
    ...list('Binding clauses without a deviant', unproven),
    '',
    ...scoreLines(matrix.score),
    paint('bold', sentence(matrix)),
  ].join('\n')}\n`
}
