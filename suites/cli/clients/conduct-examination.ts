import { once } from 'node:events'
import { type Examiner, type Session, withExaminer } from '../../../fixtures/examine/examiner.ts'
import { judgeSession } from '../../../fixtures/examine/judge.ts'
import { ASKS, type Situation } from '../../../fixtures/examine/situations/situation.ts'
import type { ProductId } from '../../../fixtures/ground/products.ts'
import { steadyNow } from '../../../fixtures/ground/time.ts'
import { say } from '../../../fixtures/output/console.ts'
import { childEnvironment } from '../../../fixtures/run/child-environment.ts'
import { EXIT, type ExitCode, wrongCall } from '../../../fixtures/run/failure.ts'
import { onInterrupt } from '../../../fixtures/run/interrupt.ts'
import { DEFAULT_OUT, makeRunFolder } from '../../../fixtures/run/run-folder.ts'
import { publish } from '../../../reports/folder/write.ts'
import { outcomeOf } from '../../../reports/judge/outcome.ts'
import { count } from '../../../reports/render/plain.ts'
import { endAll, reaches, runOwnCommand, withoutProxyHere } from '../own-command.ts'
import { CLIENT, cutIn, examinationRecord } from './examination-record.ts'

export interface Examination extends ExamineOptions {
  products: readonly ProductId[]
  chosen: readonly Situation[]
  /** Whether every clause about its products must be exercised. */
  whole: boolean
  /** Called at the start without a command. The callee then begins and ends the situations. */
  attend?(attended: Attended): void
}

/** A situation of an examination. */
export interface SituationState {
  situation: Situation
  state: 'waiting' | 'under way' | 'done' | 'cut'
}

/** An examination whose situations somebody begins and ends. */
export interface Attended {
  run: string
  baseUrl: string
  session: Session
  situations: readonly SituationState[]
  begin(situation: Situation): Promise<void>
  /** Ends the current situation: the client has finished, or is cut off. */
  finish(end: 'done' | 'cut'): Promise<void>
  /** Ends the examination. */
  end(): void
  /** Returns the number of requests whose sender is unknown. */
  strangers(): number
}

const INTERRUPTED = 'it was interrupted'

/** Exit codes of a shell that cannot run, or does not find, a command. */
const NOT_STARTED = [126, 127]

/** A command may take ten minutes more than this multiple of a correct client's time. */
const GENEROUS = 3

/** Watches a client in the situations, judges it, and writes record and reports. */
export async function conductExamination(examination: Examination): Promise<ExitCode> {
  const { out = DEFAULT_OUT, products, whole, json } = examination
  const startedAt = new Date(steadyNow())
  const folder = makeRunFolder(out, 'examine', 'examine', startedAt)
  const interrupted = new AbortController()
  const release = onInterrupt(
    () => interrupted.abort(),
    () => undefined,
  )
  try {
    const seen = await withExaminer({ dir: folder.path, warn: say }, async examiner => {
      const session = await watch(examiner, examination, folder.run, interrupted.signal)
      if (examiner.strangers() > 0) {
        say(
          `${examiner.strangers()} requests came without a credential that the examiner knows; nobody is judged by them.`,
        )
      }
      const judged = judgeSession(CLIENT, session, products)
      const isCut = interrupted.signal.aborted
      session.tell({ products, whole: whole && !isCut, ...(isCut && { halted: INTERRUPTED }) })
      return { baseUrl: examiner.baseUrl, judged, cut: cutIn(session.traffic().windows) }
    })
    folder.release()
    const isCut = interrupted.signal.aborted
    const record = examinationRecord({
      ...seen,
      run: folder.run,
      products,
      whole: whole && !isCut,
      ...(isCut && { cut: [], halted: INTERRUPTED }),
      startedAt,
      finishedAt: new Date(steadyNow()),
    })
    await publish(record, folder.path, { json, quiet: examination.attend !== undefined })
    return isCut ? EXIT.interrupted : outcomeOf(record).exitCode
  } finally {
    release()
  }
}

/** Takes a client through the situations, driven by a command or by whoever attends. */
async function watch(
  examiner: Examiner,
  { chosen, exec, env, attend }: Examination,
  run: string,
  signal: AbortSignal,
): Promise<Session> {
  const ended = new AbortController()
  const over = AbortSignal.any([signal, ended.signal])
  const session = await examiner.open(CLIENT)
  const attended = attendedBy(examiner, session, chosen, { run, end: () => ended.abort() })
  if (exec === undefined) {
    attend?.(attended)
    if (!over.aborted) await once(over, 'abort')
    await session.finish('cut')
    return session
  }
  const groups = new Set<number>()
  const minutes = Math.ceil(chosen.reduce((sum, situation) => sum + situation.minutes, 0))
  say(
    `${count(chosen.length, 'situation')}, about ${count(minutes, 'minute')} in all. In each, the command finds TSS_BASE_URL, TSS_TOKEN, TSS_SITUATION and TSS_ASK in its environment.`,
  )
  try {
    for (const situation of chosen) {
      if (over.aborted) break
      await runFor({ exec, env }, groups, { situation, attended, signal: over })
    }
    await session.finish('cut')
    return session
  } finally {
    if (endAll([...groups], session.token) && !signal.aborted)
      say('What the client had left running is ended.')
  }
}

function attendedBy(
  { baseUrl, strangers }: Examiner,
  session: Session,
  chosen: readonly Situation[],
  of: Pick<Attended, 'run' | 'end'>,
): Attended {
  const situations: SituationState[] = chosen.map(situation => ({ situation, state: 'waiting' }))
  const mark = (how: 'done' | 'cut') => {
    for (const row of situations) if (row.state === 'under way') row.state = how
  }
  return {
    ...of,
    baseUrl,
    session,
    situations,
    strangers,
    async begin(situation) {
      mark('cut')
      await session.begin(situation)
      situations.find(row => row.situation === situation)!.state = 'under way'
    },
    async finish(how) {
      await session.finish(how)
      mark(how)
    },
  }
}

interface Turn {
  situation: Situation
  attended: Attended
  signal: AbortSignal
}

const announced = ({ id, provokes, ask, correct }: Situation): string =>
  `\n${id}: ${provokes}.\n  Your client is to ${ASKS[ask]}.\n  A correct client ${correct}.`

/**
 * What clients get besides: where the libraries of their language are. A proxy is not among it. Of one that `--env` or their own
 * settings name, this machine is taken out (`NO_PROXY`): it would take the calls away from the examiner.
 */
const FOR_CLIENTS = [
  ...'CI NO_COLOR JAVA_HOME NODE_PATH NODE_EXTRA_CA_CERTS PYTHONPATH VIRTUAL_ENV CONDA_PREFIX'.split(' '),
  ...'GEM_HOME GEM_PATH GOPATH GOROOT DOTNET_ROOT LD_LIBRARY_PATH DYLD_LIBRARY_PATH'.split(' '),
]

/** Runs a command as the client in a situation, which ends with the command. Adds its process group if that lives on. */
async function runFor(
  { exec: command, env: own = [] }: { exec: string; env?: readonly string[] | undefined },
  groups: Set<number>,
  { situation, attended, signal }: Turn,
): Promise<void> {
  const { session, baseUrl } = attended
  say(announced(situation))
  await attended.begin(situation)
  const limit = AbortSignal.timeout((situation.minutes * GENEROUS + 10) * 60_000)
  const env = {
    ...childEnvironment(process.env, [...FOR_CLIENTS, ...own]),
    ...withoutProxyHere(process.env),
    TSS_BASE_URL: baseUrl,
    TSS_TOKEN: session.token,
    TSS_SITUATION: situation.id,
    TSS_ASK: situation.ask,
  }
  const stopping = AbortSignal.any([signal, limit])
  const { code, group } = await runOwnCommand(command, env, stopping, session.token)
  if (group !== undefined && reaches(group, 0)) groups.add(group)
  const isSilent = session.requests() === 0
  if (code !== null && NOT_STARTED.includes(code) && isSilent) {
    await session.finish('cut')
    throw wrongCall(
      `The command could not be started (the shell ended with ${code}): give one that runs in this folder with --exec.`,
    )
  }
  if (code === null) {
    await session.finish('cut')
    const how = limit.aborted ? 'took too long and was stopped' : 'was stopped, or could not be started'
    return say(`  The command ${how}: what it would have done next is not known.`)
  }
  // If nothing was made to go wrong, a failing client counts as not finished.
  if (code !== 0 && situation.id === 'normal-day') await session.finish('cut')
  else await attended.finish('done')
  const names = Object.keys(process.env).filter(name => /^(?:https?|all)_proxy$/i.test(name))
  const hint =
    !isSilent || names.length === 0
      ? ''
      : ` ${names.join(', ')} is set here: does it send calls for ${new URL(baseUrl).hostname} to a proxy?`
  say(`  The command has ended with ${code}. ${seenIn(session, situation)}${hint}`)
}

/** Returns a sentence about the result of a situation. */
function seenIn(session: Session, { id }: Situation): string {
  const report = judgeSession(CLIENT, session).find(({ situation }) => situation === id)?.report
  if (report === undefined) return 'It sent nothing.'
  const broken = [...new Set(report.findings.map(({ clause }) => clause))]
  const { v1, v2 } = report.requests
  return `${v1 + v2} requests; ${broken.length === 0 ? 'nothing was found' : `broken: ${broken.join(', ')}`}.`
}

export interface ExamineOptions {
  situation?: readonly string[]
  products?: readonly string[]
  exec?: string
  /** Variables of the environment that the command gets besides those of every program. */
  env?: readonly string[]
  list?: boolean
  out?: string
  json?: boolean
}
