import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  type BookedBy,
  isSamePlace,
  LEDGER_FILE,
  LedgerError,
  openedJournal,
  placesOf,
} from '../../fixtures/client/money/index.ts'
import type { Deployment } from '../../fixtures/deployments/definition/index.ts'
import {
  findDefinition,
  findStatedDefinition,
  loadDeployment,
  testedLine,
  unverified,
} from '../../fixtures/deployments/loading/index.ts'
import { namesIn } from '../../fixtures/ground/read-file.ts'
import type { Leftover } from '../../fixtures/ground/record.ts'
import { commandLine, optionsOfCall, stated } from '../../fixtures/output/command-line.ts'
import { print, say } from '../../fixtures/output/console.ts'
import { acknowledge, acknowledgedIn, withAcknowledgement } from '../../fixtures/run/acknowledged.ts'
import {
  type CleanedUp,
  cleanUp,
  isAnythingStanding,
  LONGEST_CLEANUP,
  leftoverOf,
} from '../../fixtures/run/cleanup.ts'
import { EXIT, type ExitCode, incomplete, wrongCall } from '../../fixtures/run/failure.ts'
import { claimForCleanup, noteOfRun } from '../../fixtures/run/run-folder.ts'
import { folderNamed, readPartOf } from '../../reports/folder/read.ts'
import { leftoverLine } from '../../reports/render/digest-lines.ts'
import { oneLine } from '../../reports/render/plain.ts'
import { readableRecordSchema } from '../../reports/schema.ts'

interface CleanupOptions {
  deployment?: string
  /** The entries of the journal that somebody has looked at, `lines`, or `all`. */
  acknowledge?: readonly string[]
  /** What was found out about them. */
  because?: string
}

/** What stands for the lines of a journal on which nothing can be done, and for everything that is listed. */
const LINES = 'lines'
const ALL = 'all'

/**
 * Cancels what a killed run left booked, and prints what it did; or writes into the folder that somebody has looked at
 * entries, and sends nothing.
 *
 * @throws {DefinitionError | Failure} before anything is sent
 */
export async function cleanup(run: string, options: CleanupOptions): Promise<ExitCode> {
  try {
    const dir = folderNamed(run)
    if (namesIn(dir) === undefined)
      throw wrongCall(
        `There is no folder ${run} that can be read: name the folder of a run, such as one under reports/out.`,
      )
    const { definition: used } = noteOfRun(dir)
    if (options.acknowledge !== undefined || options.because !== undefined) return acknowledged(dir, options)
    const release = claimForCleanup(dir)
    return await cleanUpRun(run, { ...options, dir, used }).finally(release)
  } catch (error) {
    if (error instanceof LedgerError) throw incomplete(oneLine(error.message), { cause: error })
    throw error
  }
}

async function cleanUpRun(
  run: string,
  { dir, used, ...options }: CleanupOptions & { dir: string; used: string | undefined },
): Promise<ExitCode> {
  const nothing = () => {
    print(`Nothing is left to cancel in ${run}.\n`)
    return EXIT.conforms
  }
  if (!existsSync(join(dir, LEDGER_FILE))) return nothing()
  const definition =
    options.deployment !== undefined || used === undefined
      ? findDefinition(options.deployment, process.cwd())
      : findStatedDefinition(used, process.cwd())
  const deployment = await loadDeployment(definition)
  const refusal = whyNotHere(run, placesOf(dir), deployment)
  if (refusal !== undefined) throw wrongCall(oneLine(refusal))
  if (!isAnythingStanding(dir, deployment)) return nothing()
  say(testedLine(definition, deployment, options.deployment ?? used))
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort(new Error('it was interrupted')))
  const {
    done,
    leftovers: left,
    lines,
    mayHelp,
    read,
  } = await cleanUp(deployment, dir, {
    patience: deployment.traffic.patience * 60_000,
    longest: LONGEST_CLEANUP,
    signal: interrupted.signal,
    handed: true,
  })
  for (const sentence of done) print(`${oneLine(sentence)}\n`)
  if (read.of > 0) print(`Read ${read.bookings} of ${read.of} bookings that had been cancelled.\n`)
  const looked = acknowledgedIn(dir)
  const leftovers = left.map(one => withAcknowledgement(one, looked))
  tell(leftovers)
  for (const sentence of aboutLines(join(run, LEDGER_FILE), lines)) print(`${oneLine(sentence)}\n`)
  for (const sentence of unverified()) print(`${sentence}\n`)
  if (interrupted.signal.aborted) return EXIT.interrupted
  if (leftovers.length + lines.damaged + lines.unsealed > 0) return goOn(dir, leftovers, lines, mayHelp)
  return done.length === 0 ? nothing() : EXIT.conforms
}

/** Prints what may still be booked. */
function tell(leftovers: readonly Leftover[]): void {
  for (const one of leftovers)
    print(`${one.acknowledged === undefined ? 'Left' : 'Looked at'}: ${oneLine(leftoverLine(one))}\n`)
}

/** Says what to do about what nobody has looked at: another cleanup only if it may help. @returns 1 if there is any */
function goOn(
  dir: string,
  leftovers: readonly Leftover[],
  lines: CleanedUp['lines'],
  mayHelp: boolean,
): ExitCode {
  const again = ['cleanup', relative(process.cwd(), dir), ...stated(optionsOfCall(), 'deployment')]
  const open = leftovers.filter(one => one.acknowledged === undefined)
  // The bookings of unsealed lines are listed.
  const unread = lines.damaged > 0 || (lines.unsealed > 0 && leftovers.length === 0)
  const isUnread = unread && !acknowledgedIn(dir).some(({ entry }) => entry === LINES)
  if (open.length === 0 && !isUnread) return EXIT.conforms
  // What stands behind refusals has an entry in the record alone, if there is one.
  const known = new Set([
    ...openedJournal(dir).open.map(({ id }) => id),
    ...recordedIn(dir).map(one => one.entry),
  ])
  const entries = open.flatMap(({ entry }) => (entry !== undefined && known.has(entry) ? [entry] : []))
  const [entry, ...others] = [...entries, ...(isUnread ? [LINES] : [])]
  if (entry === undefined) {
    print(
      'Look for these bookings at the deployment and cancel them by hand: the journal holds no more about them.\n',
    )
    return EXIT.violates
  }
  const which = others.length === 0 ? entry : ALL
  print(
    `${mayHelp ? `Go on with ${commandLine(...again)}, or look` : 'Look'} at the deployment, cancel by hand, and say so: ${commandLine(...again, '--acknowledge', which, '--because', 'cancelled by hand')}.\n`,
  )
  return EXIT.violates
}

/** Writes into the folder of a run that somebody has looked at entries of its journal. Sends nothing. */
function acknowledged(dir: string, { acknowledge: entries = [], because }: CleanupOptions): ExitCode {
  if (entries.length === 0 || because === undefined || because.trim() === '')
    throw wrongCall(
      'Nothing was acknowledged: --acknowledge names the entry, and --because says what was found out about it.',
    )
  // Nothing is sent, so lines count whoever wrote them.
  const { open, lines } = openedJournal(dir)
  const all = open.map(one => leftoverOf({ ...one, reason: one.reason ?? one.cause ?? 'it was booked' }))
  // What stands behind refusals has no open entry in the journal.
  const others = recordedIn(dir).filter(one => !all.some(known => known.entry === one.entry))
  const known = [...all, ...others].flatMap(one => one.entry ?? [])
  if (lines.damaged + lines.unsealed > 0) known.push(LINES)
  const wrong = entries.find(entry => entry !== ALL && !known.includes(entry))
  if (wrong !== undefined)
    throw wrongCall(
      `There is no entry ${oneLine(wrong)} in the journal of ${relative(process.cwd(), dir)}${known.length === 0 ? ', in which nothing is left' : `: it has ${known.slice(0, 8).map(oneLine).join(', ')}`}.`,
    )
  const named = entries.includes(ALL) ? known : entries
  try {
    acknowledge(dir, named, { because: because.trim(), at: new Date().toISOString() })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw incomplete(`It could not be written into ${dir} (${code}): allow writing there.`, { cause: error })
  }
  const looked = acknowledgedIn(dir)
  const shown = [...all, ...others.filter(({ entry = '' }) => named.includes(entry))]
  const leftovers = shown.map(one => withAcknowledgement(one, looked))
  tell(leftovers)
  return goOn(dir, leftovers, lines, false)
}

/** Returns what the record of a run lists as possibly booked; nothing if the run has none that can be read. */
function recordedIn(dir: string): Leftover[] {
  try {
    return readPartOf(dir, readableRecordSchema.pick({ leftovers: true })).leftovers as Leftover[]
  } catch {
    return []
  }
}

/** Returns why this definition must not be used to cancel: elsewhere the same ids are somebody else's bookings. */
function whyNotHere(run: string, places: readonly BookedBy[], deployment: Deployment): string | undefined {
  const elsewhere = places.find(place => !isSamePlace(place, deployment))
  return elsewhere === undefined
    ? undefined
    : `The run in ${run} booked at ${elsewhere.baseUrl}, and the definition is one of ${deployment.baseUrl}, where the same numbers are bookings of somebody else: give the definition of that run with --deployment.`
}

/** Returns sentences about the lines of a journal on which nothing could be done. */
function aboutLines(journal: string, { damaged, unsealed, sealed }: CleanedUp['lines']): string[] {
  const lines = (count: number) => (count === 1 ? '1 line' : `${count} lines`)
  const why = 'edited, written by an earlier version of the kit, or with a credential that has changed since'
  return [
    ...(unsealed === 0
      ? []
      : sealed === 0
        ? [
            `No line of ${journal} is sealed with a credential of the definition (${why}), so nothing was sent: look at the deployment for bookings of that run.`,
          ]
        : [
            `Nothing was sent for ${lines(unsealed)} of ${journal} without a seal of a credential of the definition (${why}).`,
          ]),
    ...(damaged === 0
      ? []
      : [`${lines(damaged)} of ${journal} cannot be read: look at the deployment for bookings of that run.`]),
  ]
}
