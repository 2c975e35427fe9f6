import { once } from 'node:events'
import { type Examiner, type Session, withExaminer } from '../../fixtures/examine/examiner.ts'
import { judgeSession } from '../../fixtures/examine/judge.ts'
import { ASKS, type Situation } from '../../fixtures/examine/situations/situation.ts'
import { type ClientState, type StatusActions, startStatus } from '../../fixtures/examine/status.ts'
import type { ProductId } from '../../fixtures/ground/products.ts'
import { print, say } from '../../fixtures/output/console.ts'
import { childEnvironment } from '../../fixtures/run/child-environment.ts'
import { EXIT, type ExitCode, wrongCall } from '../../fixtures/run/failure.ts'
import { onInterrupt } from '../../fixtures/run/interrupt.ts'
import { DEFAULT_OUT, makeRunFolder } from '../../fixtures/run/run-folder.ts'
import { publish } from '../../reports/folder/write.ts'
import { outcomeOf } from '../../reports/judge/outcome.ts'
import { count } from '../../reports/render/plain.ts'
import { nextLine } from './ask.ts'
import { CLIENT, examinationRecord } from './examination-record.ts'
import { endAll, reaches, runOwnCommand, withoutProxyHere } from './own-command.ts'
import { portTaken } from './port-taken.ts'

export interface Examination extends ExamineOptions {
  products: readonly ProductId[]
  chosen: readonly Situation[]
  /** Whether every clause about its products must be exercised. */
  whole: boolean
  /** Called at the start. The callee then begins and ends the situations, instead of a command or a terminal. */
  attend?(attended: Attended): void
}

/** An examination whose situations somebody else begins and ends. */
export interface Attended extends StatusActions {
  run: string
  /** Returns the number of requests whose sender is unknown. */
  strangers(): number
}

/** Exit codes of a shell that cannot run, or does not find, a command. */
const NOT_STARTED = [126, 127]

/** A command may take ten minutes more than this multiple of a correct client's time. */
const GENEROUS = 3

/** Watches a client in the situations, judges it, and writes record and reports. */
export async function conductExamination(examination: Examination): Promise<ExitCode> {
  const { out = DEFAULT_OUT, port, products, whole, json } = examination
  const startedAt = new Date()
  const folder = makeRunFolder(out, 'examine', 'examine', startedAt)
  const interrupted = new AbortController()
  const release = onInterrupt(
    () => interrupted.abort(),
    () => undefined,
  )
  try {
    const seen = await withExaminer({ dir: folder.path, port, warn: say }, async examiner => {
      const session = await watch(examiner, examination, folder.run, interrupted.signal)
      if (examiner.strangers() > 0) {
        say(
          `${examiner.strangers()} requests came without a credential that the examiner knows; nobody is judged by them.`,
        )
      }
      const judged = judgeSession(CLIENT, session, products)
      return { baseUrl: examiner.baseUrl, judged, cut: cutIn(session) }
    })
    folder.release()
    const isCut = interrupted.signal.aborted
    const record = examinationRecord({
      ...seen,
      run: folder.run,
      products,
      whole: whole && !isCut,
      ...(isCut && { cut: [], halted: 'it was interrupted' }),
      startedAt,
      finishedAt: new Date(),
    })
    await publish(record, folder.path, { json, quiet: examination.attend !== undefined })
    return isCut ? EXIT.interrupted : outcomeOf(record).exitCode
  } catch (error) {
    throw portTaken(error)
  } finally {
    release()
  }
}

/** Returns the situations that were begun, and never reported as finished. */
function cutIn(session: Session): string[] {
  const ends = Map.groupBy(session.traffic().windows, ({ situation }) => situation)
  return [...ends].flatMap(([situation, all]) => (all.some(({ end }) => end === 'done') ? [] : [situation]))
}

/**
 * Takes a client through the situations, driven by a command, a person at the terminal, or a script through the status API.
 */
async function watch(
  examiner: Examiner,
  { chosen, exec, env, attend }: Examination,
  run: string,
  signal: AbortSignal,
): Promise<Session> {
  const ended = new AbortController()
  const session = await examiner.open(CLIENT)
  const situations = chosen.map(situation => ({ situation, state: 'waiting' as const }))
  const actions = actionsOf(examiner.baseUrl, { session, situations }, () => ended.abort())
  const over = AbortSignal.any([signal, ended.signal])
  if (attend !== undefined) {
    attend({ ...actions, run, strangers: examiner.strangers })
    await aborted(over)
    await session.finish('cut')
    return session
  }
  const groups = new Set<number>()
  const status = await startStatus(actions, 0)
  try {
    say(greeting(actions, status.address, chosen, exec))
    for (const { situation } of situations) {
      if (over.aborted) break
      const turn = { situation, actions, signal: over }
      if (exec !== undefined) await runFor({ exec, env }, groups, turn)
      else if (process.stdin.isTTY) await askFor(turn)
      else break
    }
    if (exec === undefined && !process.stdin.isTTY) await aborted(over)
    await session.finish('cut')
    return session
  } finally {
    // Without a command, whoever has the credential was not started here.
    if (exec !== undefined && endAll([...groups], session.token) && !signal.aborted)
      say('What the client had left running is ended.')
    await status.stop()
  }
}

const aborted = async (signal: AbortSignal) => signal.aborted || once(signal, 'abort')

function actionsOf(baseUrl: string, client: ClientState, end: () => void): StatusActions {
  const { session, situations } = client
  const mark = (how: 'done' | 'cut') => {
    for (const row of situations) if (row.state === 'under way') row.state = how
  }
  return {
    baseUrl,
    client,
    async begin(situation) {
      mark('cut')
      await session.begin(situation)
      situations.find(row => row.situation === situation)!.state = 'under way'
    },
    async finish(how) {
      await session.finish(how)
      mark(how)
    },
    end,
  }
}

interface Turn {
  situation: Situation
  actions: StatusActions
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
  { situation, actions, signal }: Turn,
): Promise<void> {
  const { session } = actions.client
  say(announced(situation))
  await actions.begin(situation)
  const limit = AbortSignal.timeout((situation.minutes * GENEROUS + 10) * 60_000)
  const env = {
    ...childEnvironment(process.env, [...FOR_CLIENTS, ...own]),
    ...withoutProxyHere(process.env),
    TSS_BASE_URL: actions.baseUrl,
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
  else await actions.finish('done')
  const names = Object.keys(process.env).filter(name => /^(?:https?|all)_proxy$/i.test(name))
  const hint =
    !isSilent || names.length === 0
      ? ''
      : ` ${names.join(', ')} is set here: does it send calls for ${new URL(actions.baseUrl).hostname} to a proxy?`
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

/** Waits until somebody reports that the client has finished. */
async function askFor({ situation, actions, signal }: Turn): Promise<void> {
  const { session } = actions.client
  await actions.begin(situation)
  say(`${announced(situation)}\n  Press Enter when it has finished, or type skip.`)
  const line = (await nextLine(process.stdin, signal)) ?? 'skip'
  if (line.trim() === 'skip') return session.finish('cut')
  await actions.finish('done')
  say(`  ${seenIn(session, situation)}`)
}

function greeting(
  { baseUrl, client: { session, situations } }: StatusActions,
  status: string,
  chosen: readonly Situation[],
  exec: string | undefined,
): string {
  const minutes = Math.ceil(chosen.reduce((sum, situation) => sum + situation.minutes, 0))
  if (exec !== undefined)
    return `${count(chosen.length, 'situation')}, about ${count(minutes, 'minute')} in all. In each, the command finds TSS_BASE_URL, TSS_TOKEN, TSS_SITUATION and TSS_ASK in its environment. Status: ${status}`
  print(`The examiner is running.

  Base address  ${baseUrl}
  Credential    ${session.token}
  Status        ${status}

${count(situations.length, 'situation')}, about ${count(minutes, 'minute')} in all. Point your client at the base address; each situation
tells what it is to do. ${process.stdin.isTTY ? 'Scripts' : 'Standard input is no terminal, so nobody is asked to press Enter here: scripts'} begin and end them by themselves:

  curl -X POST ${status}/situations/${situations[0]?.situation.id}   and, when the client has finished,
  curl -X POST ${status}/done                     and, after the last one,
  curl -X POST ${status}/end                      which judges and writes the reports. Ctrl-C does so as well.

`)
  return ''
}

export interface ExamineOptions {
  situation?: readonly string[]
  products?: readonly string[]
  exec?: string
  /** Variables of the environment that the command gets besides those of every program. */
  env?: readonly string[]
  port: number
  list?: boolean
  out?: string
  json?: boolean
}
