import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type Examiner, type Session, withExaminer } from '../../fixtures/examine/examiner.ts'
import { judgeSession } from '../../fixtures/examine/judge.ts'
import { ASKS, type Situation } from '../../fixtures/examine/situations/situation.ts'
import { type ClientState, type StatusActions, startStatus } from '../../fixtures/examine/status.ts'
import type { ProductId } from '../../fixtures/ground/products.ts'
import { print, say } from '../../fixtures/output/console.ts'
import { childEnvironment } from '../../fixtures/run/child-environment.ts'
import { EXIT, type ExitCode, incomplete, wrongCall } from '../../fixtures/run/failure.ts'
import { onInterrupt } from '../../fixtures/run/interrupt.ts'
import { DEFAULT_OUT, makeRunFolder, type RunFolder } from '../../fixtures/run/run-folder.ts'
import { publish } from '../../reports/folder/write.ts'
import { outcomeOf } from '../../reports/judge/outcome.ts'
import { count } from '../../reports/render/plain.ts'
import { nextLine } from './ask.ts'
import { examinationRecord } from './examination-record.ts'
import { reaches, withoutProxyHere } from './own-command.ts'

export interface Examination extends ExamineOptions {
  products: readonly ProductId[]
  chosen: readonly Situation[]
  /** Whether every clause about its products must be exercised. */
  whole: boolean
  /** Called at the start. The callee then begins and ends the situations, instead of a command or a terminal. */
  attend?(attended: Attended): void
}

/** An examination whose situations somebody else begins and ends. */
export interface Attended {
  run: string
  actions: StatusActions
  client: ClientState
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
      const clients = await watch(examiner, examination, folder.run, interrupted.signal)
      if (examiner.strangers() > 0) {
        say(
          `${examiner.strangers()} requests came without a credential that the examiner knows; nobody is judged by them.`,
        )
      }
      const judged = clients.filter(isPresent(clients)).map(({ name, session }) => ({
        name,
        judged: judgeSession(name, session, products),
        cut: cutIn(session),
      }))
      return { baseUrl: examiner.baseUrl, judged }
    })
    folder.release()
    const finishedAt = new Date()
    let worst: ExitCode = EXIT.conforms
    for (const [at, { name, judged, cut }] of seen.judged.entries()) {
      const own: Pick<RunFolder, 'run' | 'path'> =
        at === 0 ? folder : makeRunFolder(out, 'examine', 'examine', startedAt)
      const record = examinationRecord({
        run: own.run,
        client: { name, baseUrl: seen.baseUrl },
        products,
        judged,
        cut: interrupted.signal.aborted ? [] : cut,
        whole: whole && !interrupted.signal.aborted,
        patience: examination.patience,
        halted: interrupted.signal.aborted ? 'it was interrupted' : undefined,
        startedAt,
        finishedAt,
      })
      await publish(record, own.path, { json, quiet: examination.attend !== undefined })
      worst = worse(worst, outcomeOf(record).exitCode)
    }
    return interrupted.signal.aborted ? EXIT.interrupted : worst
  } catch (error) {
    throw portTaken(error) ?? error
  } finally {
    release()
  }
}

/** Returns the situations that were begun, and never reported as finished. */
function cutIn(session: Session): string[] {
  const ends = Map.groupBy(session.traffic().windows, ({ situation }) => situation)
  return [...ends].flatMap(([situation, all]) => (all.some(({ end }) => end === 'done') ? [] : [situation]))
}

/** Returns an error that says what to do about a port that is not available; `undefined` for other errors. */
function portTaken(error: unknown): Error | undefined {
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number }
  if (syscall !== 'listen') return undefined
  return incomplete(
    `Port ${port} cannot be listened on (${code}): give another with --port, or 0 for a free one.`,
    { cause: error },
  )
}

/**
 * Returns whether a client is judged. The first client always exists; it is left out if unused while scripts added others.
 */
const isPresent =
  (clients: readonly ClientState[]) =>
  (client: ClientState): boolean =>
    clients.length === 1 ||
    client.session.traffic().exchanges.length > 0 ||
    client.situations.some(({ state }) => state !== 'waiting')

const worse = (one: ExitCode, other: ExitCode): ExitCode => (one > other ? one : other)

/**
 * Takes a client through the situations, driven by a command, a person at the terminal, or a script through the status API.
 */
async function watch(
  examiner: Examiner,
  examination: Examination,
  run: string,
  signal: AbortSignal,
): Promise<ClientState[]> {
  const { chosen, client = 'client', exec, env, attend } = examination
  const clients: ClientState[] = []
  const ended = new AbortController()
  const actions = actionsOf(examiner, { chosen, clients, end: () => ended.abort() })
  const first = await actions.add(client)
  const over = AbortSignal.any([signal, ended.signal])
  const groups = new Set<number>()
  if (attend !== undefined) {
    attend({ run, actions, client: first, strangers: examiner.strangers })
    await aborted(over)
    await first.session.finish('cut')
    return clients
  }
  const status = await startStatus(actions, 0)
  try {
    say(greeting(examiner, first, status.address, chosen, exec))
    for (const { situation } of first.situations) {
      if (over.aborted) break
      const turn = { state: first, situation, actions, signal: over }
      if (exec !== undefined) await runFor({ exec, env }, examiner, groups, turn)
      else if (process.stdin.isTTY) await askFor(turn)
      else break
    }
    if (exec === undefined && !process.stdin.isTTY) await aborted(over)
    for (const { session } of clients) await session.finish('cut')
    return clients
  } finally {
    // Without a command, whoever has the credential was not started here.
    if (exec !== undefined && endAll([...groups], first.session.token) && !signal.aborted)
      say('What the client had left running is ended.')
    await status.stop()
  }
}

const aborted = async (signal: AbortSignal) => signal.aborted || once(signal, 'abort')

function actionsOf(
  examiner: Examiner,
  { chosen, clients, end }: { chosen: readonly Situation[]; clients: ClientState[]; end(): void },
): StatusActions {
  const mark = (client: ClientState, how: 'done' | 'cut') => {
    for (const row of client.situations) if (row.state === 'under way') row.state = how
  }
  return {
    baseUrl: examiner.baseUrl,
    clients: () => clients,
    async add(name) {
      const session = await examiner.open(name)
      const situations = chosen.map(situation => ({ situation, state: 'waiting' as const }))
      const client: ClientState = { name, session, situations }
      clients.push(client)
      return client
    },
    async begin(client, situation) {
      mark(client, 'cut')
      await client.session.begin(situation)
      client.situations.find(row => row.situation === situation)!.state = 'under way'
    },
    async finish(client, end) {
      await client.session.finish(end)
      mark(client, end)
    },
    end,
  }
}

interface Turn {
  state: ClientState
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
  { exec: command, env = [] }: { exec: string; env?: readonly string[] | undefined },
  examiner: Examiner,
  groups: Set<number>,
  { state, situation, actions, signal }: Turn,
): Promise<void> {
  say(announced(situation))
  await actions.begin(state, situation)
  const limit = AbortSignal.timeout((situation.minutes * GENEROUS + 10) * 60_000)
  const child = spawn(command, {
    shell: true,
    env: {
      ...childEnvironment(process.env, [...FOR_CLIENTS, ...env]),
      ...withoutProxyHere(process.env),
      TSS_BASE_URL: examiner.baseUrl,
      TSS_TOKEN: state.session.token,
      TSS_SITUATION: situation.id,
      TSS_ASK: situation.ask,
    },
    // Its stdout goes to stderr, since stdout is for the summary.
    stdio: ['ignore', 2, 2],
    // A shell starts the client, and both must be ended.
    detached: process.platform !== 'win32',
  })
  const stop = () => endGroup(child, state.session.token)
  const stopping = AbortSignal.any([signal, limit])
  stopping.addEventListener('abort', stop, { once: true })
  process.once('exit', stop)
  const code = await new Promise<number | null>(resolve => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  stopping.removeEventListener('abort', stop)
  process.off('exit', stop)
  if (child.pid !== undefined && reaches(-child.pid, 0)) groups.add(child.pid)
  const isSilent = state.session.requests() === 0
  if (code !== null && NOT_STARTED.includes(code) && isSilent) {
    await state.session.finish('cut')
    throw wrongCall(
      `The command could not be started (the shell ended with ${code}): give one that runs in this folder with --exec.`,
    )
  }
  if (code === null) {
    await state.session.finish('cut')
    const how = limit.aborted ? 'took too long and was stopped' : 'was stopped, or could not be started'
    return say(`  The command ${how}: what it would have done next is not known.`)
  }
  // If nothing was made to go wrong, a failing client counts as not finished.
  if (code !== 0 && situation.id === 'normal-day') await state.session.finish('cut')
  else await actions.finish(state, 'done')
  const names = Object.keys(process.env).filter(name => /^(?:https?|all)_proxy$/i.test(name))
  const hint =
    !isSilent || names.length === 0
      ? ''
      : ` ${names.join(', ')} is set here: does it send calls for ${new URL(examiner.baseUrl).hostname} to a proxy?`
  say(`  The command has ended with ${code}. ${seenIn(state, situation)}${hint}`)
}

/** Milliseconds that a client has to end after it is asked to. */
const GRACE = 1_000

/** Ends a client and every process it started, in whatever process group. */
function endGroup(child: ChildProcess, token: string): void {
  const { pid } = child
  if (pid === undefined || process.platform === 'win32') return void child.kill()
  endAll([pid], token)
}

/** Ends process groups and every process with a credential. Returns whether there was one. */
function endAll(groups: readonly number[], token: string): boolean {
  const send = (signal: NodeJS.Signals) =>
    [...groups.map(group => -group), ...processesWith(token)].filter(target => reaches(target, signal))
  const isAny = send('SIGTERM').length > 0
  if (isAny) setTimeout(() => send('SIGKILL'), GRACE)
  return isAny
}

/** Returns the processes with the credential of an examination in their environment (Linux only). */
function processesWith(token: string): number[] {
  if (process.platform !== 'linux') return []
  const variable = `TSS_TOKEN=${token}\0`
  return readdirSync('/proc').flatMap(name => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(variable)
        ? [Number(name)]
        : []
    } catch {
      // The process has ended, or belongs to another user.
      return []
    }
  })
}

/** Returns a sentence about the result of a situation. */
function seenIn({ name, session }: ClientState, { id }: Situation): string {
  const report = judgeSession(name, session).find(({ situation }) => situation === id)?.report
  if (report === undefined) return 'It sent nothing.'
  const broken = [...new Set(report.findings.map(({ clause }) => clause))]
  const { v1, v2 } = report.requests
  return `${v1 + v2} requests; ${broken.length === 0 ? 'nothing was found' : `broken: ${broken.join(', ')}`}.`
}

/** Waits until somebody reports that the client has finished. */
async function askFor({ state, situation, actions, signal }: Turn): Promise<void> {
  await actions.begin(state, situation)
  say(`${announced(situation)}\n  Press Enter when it has finished, or type skip.`)
  const line = (await nextLine(process.stdin, signal)) ?? 'skip'
  if (line.trim() === 'skip') return state.session.finish('cut')
  await actions.finish(state, 'done')
  say(`  ${seenIn(state, situation)}`)
}

function greeting(
  examiner: Examiner,
  { session, situations }: ClientState,
  status: string,
  chosen: readonly Situation[],
  exec: string | undefined,
): string {
  const minutes = Math.ceil(chosen.reduce((sum, situation) => sum + situation.minutes, 0))
  if (exec !== undefined)
    return `${count(chosen.length, 'situation')}, about ${count(minutes, 'minute')} in all. In each, the command finds TSS_BASE_URL, TSS_TOKEN, TSS_SITUATION and TSS_ASK in its environment. Status: ${status}`
  print(`The examiner is running.

  Base address  ${examiner.baseUrl}
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
  patience: number
  port: number
  /** The name of the client in the record. */
  client?: string
  list?: boolean
  out?: string
  json?: boolean
}
