import { randomInt } from 'node:crypto'
import { join, relative } from 'node:path'
import { outOfReach } from '../../../fixtures/check/control/reach.ts'
import { partnerWith } from '../../../fixtures/check/session/worker.ts'
import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { launch } from '../../../fixtures/deployments/embedded.ts'
import { listenForShown } from '../../../fixtures/deviants/derived/pairs.ts'
import type { Deviant } from '../../../fixtures/deviants/deviant.ts'
import { print, printJson, say } from '../../../fixtures/output/console.ts'
import { writeJsonNow } from '../../../fixtures/output/files.ts'
import type { CollectedCheck } from '../../../fixtures/run/collected.ts'
import { EXIT, type ExitCode, wrongCall } from '../../../fixtures/run/failure.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import type { FinishedRun, Plan } from '../../../fixtures/run/run.ts'
import { notWritten } from '../../../fixtures/run/run-folder.ts'
import { select } from '../../../fixtures/run/selection.ts'
import { LONGEST_RUN } from '../../../fixtures/run/time.ts'
import {
  isProven,
  LEAST_OF_PARTNER,
  type Matrix,
  matrixOf,
  type ProvenDeviant,
  partsOf,
  sentence,
} from '../../../reports/judge/matrix.ts'
import { oneLine } from '../../../reports/render/plain.ts'
import { inColour, uncoloured, wantsColour } from '../../../reports/terminal/summary.ts'
import { runWatched } from '../deployments/watched-run.ts'
import {
  asHarmless,
  asVariant,
  type Choice,
  choose,
  chooseWhole,
  knownOf,
  limitedTo,
  selectionOf,
} from './choice.ts'
import { fewOf, placesOf, runSecond } from './places.ts'

export interface ProveOptions {
  only?: string
  seed?: number
  out: string
  json?: boolean
  /**
   * Whether all deviants are tried with some that are narrowed to conditions, and all harmless variants with all checks;
   * otherwise a part of those that are not written by hand is drawn.
   */
  whole?: boolean
  /** Whether checks have only a credential, as a partner. */
  partner?: boolean
  /** Whether a few deviants of each kind are drawn. */
  sample?: boolean
  /** Whether clients are tried instead of deployments. */
  clients?: boolean
}

/** Runs the checks against every variant and against the untouched deployment, and prints which variants were caught. */
export async function prove({
  only,
  seed = randomInt(2 ** 31),
  out,
  json,
  whole = false,
  partner = false,
  sample = false,
}: ProveOptions): Promise<ExitCode> {
  if (partner && whole) throw wrongCall('--partner tries every deviant as it is: leave --whole out.')
  const choice = whole ? await chooseWhole(only, { seed, out }) : choose(only, { seed, partner, sample })
  // Of a variant that is named, only whether it is found is asked, and of harmless ones only that nothing is.
  const isNamed = choice.selection === undefined || choice.chosen.some(({ id }) => id === only)
  const asked = only === undefined || json || isNamed ? [] : fewOf(selectionOf(only))
  // Beside the rest, which leaves a core idle.
  const second = asked.length > 0 ? runSecond(asked, { out, seed }) : undefined
  const { matrix, folder, halted, collected, startedAt, finishedAt } = await tryAll(
    { ...choice, whole, partner, sample },
    seed,
    out,
  )
  const isKept = isProven(matrix, partner ? LEAST_OF_PARTNER : 1)
  const document = {
    kit,
    run: folder.run,
    ...(only !== undefined && { only }),
    seed,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    proven: isKept && halted === undefined,
    ...(halted && { halted: halted.sentence }),
    ...matrix,
    ...(halted && { deviants: matrix.deviants.filter(({ caught }) => caught) }),
  }
  publishProof(document, folder.path, { seed, json })
  const isEnded = halted === undefined || halted.reason === 'nothing selected'
  const other = await second
  if (other !== undefined && isEnded) print(placesOf(asked, collected, other))
  if (!json && !isKept && only === undefined)
    print(`To record the exchanges of a few: npm run prove -- --seed ${seed} --only <id or clause>\n`)
  if (halted !== undefined) {
    const rest = matrix.deviants.length - document.deviants.length
    say(`Not completed: ${halted.sentence} ${rest} deviants were not tried to the end.`)
    return halted.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
  }
  return isKept ? EXIT.conforms : EXIT.violates
}

/** Writes a proof into the folder of its run, and prints it as JSON or as a matrix. */
export function publishProof(
  proof: Matrix & { run: string; startedAt: string; finishedAt: string },
  folder: string,
  { seed, json = false }: { seed: number; json: boolean | undefined },
): void {
  try {
    writeJsonNow(join(folder, 'prove.json'), proof)
  } catch (error) {
    throw notWritten(folder, error)
  }
  if (json) {
    printJson(proof)
    return
  }
  print(matrixText(proof, wantsColour(process.stdout, process.env)))
  const seconds = (Date.parse(proof.finishedAt) - Date.parse(proof.startedAt)) / 1000
  print(`${seconds.toFixed(1)} s. Seed: ${seed}. Matrix: ${relative(process.cwd(), folder)}/prove.json\n`)
}

interface Tried extends Pick<FinishedRun, 'folder' | 'startedAt' | 'finishedAt' | 'halted' | 'collected'> {
  matrix: Matrix
}

/**
 * Tries every variant with the companies that its checks mint: first with the checks that decide every clause, and those that
 * these miss under other conditions, too. A request without a company reaches no variant, so deviants that are missed all the
 * same are tried once more on a deployment in which they also answer such requests.
 */
async function tryAll(
  {
    chosen,
    harmless,
    selection,
    recorded,
    whole,
    partner,
    sample,
    narrowed,
    troubled = [],
  }: Choice & { whole: boolean; partner: boolean; sample: boolean },
  seed: number,
  out: string,
): Promise<Tried> {
  const attempt: Attempt = (variants, { deciding = false, onVariants = false, ...more }) =>
    runWatched(
      {
        deployment: 'embedded',
        seed,
        maxDuration: LONGEST_RUN,
        prove: { variants, recorded, deciding, onVariants, ...(partner && { asPartner: true }) },
        ...more,
      },
      // Findings on deviants are expected, and are not counted as findings of the run.
      now => ({ ...now, findings: 0 }),
    )
  const shown = listenForShown()
  const lacks = (clauses: Deviant['breaks']) => outOfReach(clauses, partnerWith(''))
  const isTried = ({ breaks, shownBy = [] }: Deviant) => lacks([...breaks, ...shownBy]) === undefined
  const tried = partner ? chosen.filter(isTried) : chosen
  const benign = harmless.map(one => asHarmless(one, whole))
  const start = () =>
    launch({
      deviants: narrowed ? 'narrowed' : partner ? 'watched' : 'index',
      // Each check of each deviant has a company of its own.
      mostCredentials: Number.POSITIVE_INFINITY,
    })
  // A partner has no more requests for other conditions.
  const isCovering = !partner && tried.length > 0
  const first = await attempt([...tried.map(asVariant), ...(isCovering ? [] : benign)], {
    out,
    launch: start,
    only: selection,
    deciding: isCovering,
  })
  const { folder, collected, startedAt } = first
  const beyond = new Set(
    isCovering
      ? matrixOf(collected, knownOf(tried, []))
          .deviants.filter(isMissed)
          .map(({ id }) => id)
      : [],
  )
  const further = tried.filter(({ id }) => beyond.has(id))
  let second = first
  if (isCovering && first.halted === undefined && further.length + benign.length > 0) {
    second = await attempt([...further.map(asVariant), ...benign], {
      out: join(folder.path, 'conditions'),
      launch: start,
      only: benign.length > 0 ? selection : limitedTo(further).selection,
      continued: true,
      // Under all conditions, harmless variants are as good: checks of the untouched one would be a third of all requests.
      onVariants: sample,
    })
    for (const part of ['checks', 'moduleErrors', 'unhandledErrors'] as const)
      (collected[part] as unknown[]).push(...second.collected[part])
  }
  shown.close()
  // For deviants that change rules, it is unknown whether the rule was used.
  const silent = new Set(
    chosen.filter(({ variant }) => variant.patchResponse === undefined).map(({ id }) => id),
  )
  const judged = chosen.filter(({ id, of }) => of === undefined || shown.ids.has(id))
  if (narrowed) {
    const idle = chosen.length - judged.length
    say(
      `Of ${chosen.length} deviants, ${idle} were at a condition that came up in no check of their clauses.`,
    )
  }
  const cameUp = ({ id }: ProvenDeviant) => shown.ids.has(id) || silent.has(id)
  const known = { ...knownOf(judged, harmless), ...(partner && { partner: { lacks, cameUp } }) }
  const missed = () =>
    matrixOf(collected, known).deviants.filter(
      row => !row.caught && row.checks > 0 && mayBeNameless(row, partner),
    )
  const last = await tryNameless({ ...second, folder, collected }, missed, chosen, attempt)
  const matrix = matrixOf(collected, known)
  const conditions = matrix.deviants.filter(row => beyond.has(row.id) && !isMissed(row)).map(({ id }) => id)
  return {
    ...last,
    matrix: { ...matrix, conditions, benign: [...matrix.benign, ...troubled] },
    folder,
    startedAt,
  }
}

const isMissed = ({ caught, missedFor }: Matrix['deviants'][number]): boolean =>
  !caught || missedFor.length > 0

type Attempt = (
  variants: NonNullable<Plan['prove']>['variants'],
  more: Pick<Plan, 'out' | 'only' | 'files' | 'launch' | 'continued'> & {
    deciding?: boolean
    onVariants?: boolean
  },
) => Promise<FinishedRun>

/**
 * Tries missed deviants once more if requests without a company may show them, and adds the result to the first run. One that
 * others of its group may have hidden is then tried alone.
 */
async function tryNameless(
  first: FinishedRun,
  missed: () => readonly ProvenDeviant[],
  chosen: readonly Deviant[],
  attempt: Attempt,
): Promise<FinishedRun> {
  const byId = new Map(chosen.map(one => [one.id, one]))
  const { folder, collected } = first
  let last = first
  const groups = withoutCommonClause(missed())
  for (const group of groups) {
    if (last.halted !== undefined) break
    const ids = new Set(group.map(({ id }) => id))
    const isOfGroup = ({ report }: CollectedCheck) => ids.has(report?.variant ?? '')
    const clauses = group.flatMap(({ id, breaks }) => [...breaks, ...(byId.get(id)?.shownBy ?? [])])
    const again = await attempt(
      group.map(({ id }) => asVariant(byId.get(id)!)),
      {
        out: join(folder.path, 'nameless'),
        only: select([...new Set(clauses)].join(' or '), CLAUSES),
        // Loading all files takes longer than most deviants' checks.
        files: [...new Set(collected.checks.filter(isOfGroup).map(({ file }) => file))],
        launch: () => launch({ anonymousVariants: [...ids] }),
        continued: true,
      },
    )
    collected.checks.push(...again.collected.checks.filter(isOfGroup))
    if (group.length > 1) groups.push(...missed().flatMap(row => (ids.has(row.id) ? [[row]] : [])))
    last = again
  }
  return last
}

/** Groups deviants that one deployment can have at once, because no two break the same clause. */
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

/**
 * Returns whether requests without a company may show a deviant: any derived one, or, for a partner, one about credentials.
 */
const mayBeNameless = ({ operator, breaks }: ProvenDeviant, partner: boolean): boolean =>
  partner
    ? breaks.some(clause => clause.startsWith('AUTH-'))
    : operator === undefined || operator.startsWith('authentication ')

/** The most variants that a list names: if something common breaks, every variant raises alarms. */
const MOST_LISTED = 20

/** Returns the matrix as text for a terminal. */
function matrixText(matrix: Matrix, colour: boolean): string {
  const paint = colour ? inColour : uncoloured
  // Derived deviants are only counted.
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
    if (rest > 0) shown.push(`  and ${rest} more, all of them in prove.json`)
    return shown.length === 0 ? [] : ['', paint('bold', title), ...shown]
  }
  return `${[
    ...lines,
    ...partsOf(matrix).flatMap(([title, entries]) => list(title, entries)),
    '',
    paint('bold', sentence(matrix)),
  ].join('\n')}\n`
}
