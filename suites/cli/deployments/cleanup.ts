import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  isSamePlace,
  LEDGER_FILE,
  type LedgerEntry,
  LedgerError,
  readJournal,
} from '../../../fixtures/client/money/index.ts'
import type { Deployment } from '../../../fixtures/deployments/definition/index.ts'
import {
  findDefinition,
  findStatedDefinition,
  loadDeployment,
  testedLine,
  unverified,
} from '../../../fixtures/deployments/loading/index.ts'
import { namesIn } from '../../../fixtures/ground/read-file.ts'
import type { Leftover } from '../../../fixtures/ground/record.ts'
import { commandLine, optionsOfCall, stated } from '../../../fixtures/output/command-line.ts'
import { print, say } from '../../../fixtures/output/console.ts'
import {
  acknowledge,
  acknowledgedIn,
  withAcknowledgement,
} from '../../../fixtures/run/cleanup/acknowledged.ts'
import {
  cleanUp,
  doubtedBy,
  isAnythingStanding,
  LONGEST_CLEANUP,
  leftoverOf,
} from '../../../fixtures/run/cleanup/cleanup.ts'
import { EXIT, type ExitCode, incomplete, wrongCall } from '../../../fixtures/run/failure.ts'
import { claimForCleanup, noteOfRun } from '../../../fixtures/run/run-folder.ts'
import { folderNamed, readPartOf } from '../../../reports/folder/write.ts'
import { leftoverLine } from '../../../reports/render/digest.ts'
import { oneLine } from '../../../reports/render/plain.ts'
import { readableRecordSchema } from '../../../reports/schema.ts'

interface CleanupOptions {
  deployment?: string
  /** The entries of the journal that somebody has looked at, `lines`, or `all`. */
  acknowledge?: readonly string[]
  /** What was found out about them. */
  because?: string
}

const LEFTOVERS = readableRecordSchema.pick({ leftovers: true })

/** What stands for the lines of a journal on which nothing can be done, and for everything that is listed. */
const LINES = 'lines'
const ALL = 'all'

const NO_PLACE =
  'The journal does not say at which address it booked, so nothing is sent: look at the deployment of that run.\n'

/** Returns an entry of a journal for which nothing is sent, as what may still be booked. */
const listed = (entry: LedgerEntry): Leftover =>
  leftoverOf({ ...entry, reason: entry.reason ?? 'it was booked' })

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
    const { definition: used, unproven = [] } = noteOfRun(dir)
    // A killed run may have no record, and one of a disposable deployment no journal.
    if (used === undefined && !existsSync(join(dir, LEDGER_FILE))) readPartOf(dir, LEFTOVERS)
    if (options.acknowledge !== undefined || options.because !== undefined) return acknowledged(dir, options)
    const release = claimForCleanup(dir)
    return await cleanUpRun(run, { ...options, dir, used, doubted: doubtedBy(unproven) }).finally(release)
  } catch (error) {
    if (error instanceof LedgerError) throw incomplete(oneLine(error.message), { cause: error })
    throw error
  }
}

async function cleanUpRun(
  run: string,
  {
    dir,
    used,
    doubted,
    ...options
  }: CleanupOptions & { dir: string; used: string | undefined; doubted: ReturnType<typeof doubtedBy> },
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
  const { account, open, damaged } = journalIn(dir)
  const refusal = whyNotHere(run, account.places, deployment)
  if (refusal !== undefined) throw wrongCall(oneLine(refusal))
  if (account.places.length === 0) {
    print(NO_PLACE)
    return told(dir, open.map(listed), { damaged, mayHelp: false })
  }
  if (!isAnythingStanding(dir)) return nothing()
  say(testedLine(definition, deployment, options.deployment ?? used))
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interrupted.abort(new Error('it was interrupted')))
  const { done, leftovers, refusals, mayHelp, read } = await cleanUp(deployment, dir, {
    patience: deployment.traffic.patience * 60_000,
    longest: LONGEST_CLEANUP,
    signal: interrupted.signal,
    handed: true,
    doubted,
  })
  for (const sentence of done) print(`${oneLine(sentence)}\n`)
  if (read.of > 0) print(`Read ${read.bookings} of ${read.of} bookings that had been cancelled.\n`)
  for (const sentence of [refusals ?? [], unverified()].flat()) print(`${oneLine(sentence)}\n`)
  const code = told(dir, leftovers, { damaged, mayHelp })
  if (interrupted.signal.aborted) return EXIT.interrupted
  return leftovers.length + damaged + done.length === 0 ? nothing() : code
}

/** Reads the journal in a folder. Each one begins with its address: where that is missing, other lines may be missing. */
function journalIn(dir: string) {
  const { damaged, ...read } = readJournal(dir)
  const isCut = existsSync(join(dir, LEDGER_FILE)) && read.account.places.length === 0
  return { ...read, damaged: isCut ? damaged + 1 : damaged }
}

/** Prints what may still be booked, and what to do about what nobody has looked at: another cleanup only if it may help. */
function told(
  dir: string,
  left: readonly Leftover[],
  { damaged, mayHelp }: { damaged: number; mayHelp: boolean },
): ExitCode {
  const looked = acknowledgedIn(dir)
  const leftovers = left.map(one => withAcknowledgement(one, looked))
  for (const one of leftovers)
    print(`${one.acknowledged === undefined ? 'Left' : 'Looked at'}: ${oneLine(leftoverLine(one))}\n`)
  const isUnread = damaged > 0 && !looked.some(({ entry }) => entry === LINES)
  if (isUnread)
    print(
      `${damaged === 1 ? '1 line' : `${damaged} lines`} of ${relative(process.cwd(), join(dir, LEDGER_FILE))} cannot be read: look at the deployment for bookings of that run.\n`,
    )
  const entries = leftovers.flatMap(({ entry, acknowledged: by }) => (by === undefined ? (entry ?? []) : []))
  const [entry, ...others] = [...entries, ...(isUnread ? [LINES] : [])]
  if (entry === undefined) return EXIT.conforms
  const again = ['cleanup', relative(process.cwd(), dir) || '.', ...stated(optionsOfCall(), 'deployment')]
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
  const { open, damaged } = journalIn(dir)
  const all = open.map(listed)
  // What stands behind refusals has no open entry in the journal.
  const others = recordedIn(dir).filter(one => !all.some(known => known.entry === one.entry))
  const known = [...all, ...others].flatMap(one => one.entry ?? [])
  if (damaged > 0) known.push(LINES)
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
  const shown = [...all, ...others.filter(({ entry = '' }) => named.includes(entry))]
  return told(dir, shown, { damaged, mayHelp: false })
}

/** Returns what the record of a run lists as possibly booked; nothing if the run has none that can be read. */
function recordedIn(dir: string): Leftover[] {
  try {
    return readPartOf(dir, LEFTOVERS).leftovers as Leftover[]
  } catch {
    return []
  }
}

/** Returns why this definition must not be used to cancel: elsewhere the same ids are somebody else's bookings. */
function whyNotHere(run: string, places: readonly string[], deployment: Deployment): string | undefined {
  const elsewhere = places.find(baseUrl => !isSamePlace({ baseUrl }, deployment))
  return elsewhere === undefined
    ? undefined
    : `The run in ${run} booked at ${elsewhere}, and the definition is one of ${deployment.baseUrl}, where the same numbers are bookings of somebody else: give the definition of that run with --deployment.`
}
