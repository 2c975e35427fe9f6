import { once } from 'node:events'
import { join, relative } from 'node:path'
import { EXCHANGES_FILE } from '../../../fixtures/client/recording/index.ts'
import { type LoadedTls, loadTls, tlsProblems } from '../../../fixtures/deployments/address/index.ts'
import { TLS } from '../../../fixtures/deployments/environment/index.ts'
import { unverified } from '../../../fixtures/deployments/loading/index.ts'
import { steadyNow } from '../../../fixtures/ground/time.ts'
import { say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, wrongCall } from '../../../fixtures/run/failure.ts'
import { onInterrupt } from '../../../fixtures/run/interrupt.ts'
import { DEFAULT_OUT, makeRunFolder } from '../../../fixtures/run/run-folder.ts'
import { type ReverseProxy, startProxy, type Upstream, upstreamAt } from '../../../fixtures/watch/proxy.ts'
import { publish } from '../../../reports/folder/write.ts'
import { count } from '../../../reports/render/plain.ts'
import { endAll, runOwnCommand, withoutProxyHere } from '../own-command.ts'
import { portTaken } from '../port-taken.ts'
import { exitCodeOf } from './fail-on.ts'
import type { FailOn } from './sides.ts'
import type { Counts } from './watch-messages.ts'
import { type JudgeThread, startJudge } from './watch-thread.ts'

interface WatchOptions {
  upstream: string
  port: number
  exec?: string
  /** Whether all that the companies send passes here. */
  whole?: boolean
  failOn: FailOn
  out?: string
  json?: boolean
}

/** Milliseconds between two looks at what is complete: what overlaps is compared with one another, so few at a time. */
const TICK = 250
const MINUTE = 60_000
/** Milliseconds after which the same reason why requests cannot be sent is said again. */
const AGAIN_AFTER = MINUTE

/** Exit codes of a shell that cannot run, or does not find, a command. */
const NOT_STARTED = [126, 127]

/** Passes requests on to a service, judges its answers, and writes record and reports. Sends nothing by itself. */
export async function watch(options: WatchOptions): Promise<ExitCode> {
  const { port, exec, failOn, out = DEFAULT_OUT, json } = options
  const upstream = upstreamFor(options.upstream)
  const tls = tlsOfEnvironment()
  const startedAt = new Date(steadyNow())
  const interrupted = new AbortController()
  const release = onInterrupt(
    () => interrupted.abort(),
    () => undefined,
  )
  let judge: JudgeThread | undefined
  const starting = Promise.withResolvers<void>()
  const proxy = await startProxy({
    upstream,
    port,
    tls,
    take: passed => judge?.take(passed),
    // What comes before it can be judged would be missing from the history.
    room: () => (judge === undefined ? starting.promise : judge.room()),
    notReached: notReached(upstream),
  }).catch((error: unknown) => {
    release()
    throw portTaken(error)
  })
  const address = `http://127.0.0.1:${proxy.port}`
  try {
    const folder = makeRunFolder(out, 'watch', 'watch', startedAt)
    judge = await startJudge({
      run: folder.run,
      dir: folder.path,
      base: upstream.href,
      startedAt,
      every: MINUTE,
      whole: options.whole ?? false,
      onFinding: ({ clause, level, message }) => say(`${clause} (${level}): ${message}`),
      onUnwritten: say,
    })
    starting.resolve()
    const ticking = setInterval(() => judge?.tick(proxy.earliest()), TICK)
    try {
      say([greeting(address, upstream, exec), ...unverified()].join(' '))
      const ran = await Promise.race([until(exec, address, interrupted.signal), judge.broken])
      clearInterval(ticking)
      await proxy.stop()
      const isCut = exec !== undefined && interrupted.signal.aborted
      const { record, counts, broken } = await judge.end(isCut ? 'it was interrupted' : undefined)
      folder.release()
      for (const sentence of closing(counts, broken, proxy, ran, folder.path)) say(sentence)
      if (ran !== undefined && NOT_STARTED.includes(ran.code ?? 0) && counts.exchanges === 0)
        throw wrongCall(
          `The command could not be started (the shell ended with ${ran.code}): give one that runs in this folder with --exec.`,
        )
      await publish(record, folder.path, { json })
      if (isCut) return EXIT.interrupted
      const found = exitCodeOf(record, failOn)
      return ran !== undefined && ran.code !== 0 && found === EXIT.conforms ? EXIT.violates : found
    } finally {
      clearInterval(ticking)
    }
  } finally {
    release()
    await proxy.stop()
  }
}

/** Waits for the end of the command, or without one for an interrupt. */
async function until(
  exec: string | undefined,
  address: string,
  signal: AbortSignal,
): Promise<{ code: number | null } | undefined> {
  if (exec === undefined) {
    if (!signal.aborted) await once(signal, 'abort')
    return undefined
  }
  const env = { ...process.env, ...withoutProxyHere(process.env), TSS_PROXY_URL: address }
  const { code, group } = await runOwnCommand(exec, env, signal)
  if (group !== undefined) endAll([group])
  return { code }
}

/** Returns the service to pass requests on to. @throws {Failure} */
function upstreamFor(address: string): Upstream {
  const upstream = upstreamAt(address)
  if (typeof upstream === 'string') throw wrongCall(`The address given with --upstream ${upstream}.`)
  return upstream
}

/** Returns the certificates that the environment names. @throws {Failure} */
function tlsOfEnvironment(): LoadedTls | undefined {
  const parts = Object.entries(TLS).flatMap(([part, variable]) => {
    const value = (process.env[variable] ?? '').trim()
    return value === '' ? [] : [[part, value] as const]
  })
  if (parts.length === 0) return undefined
  const stated = Object.fromEntries(parts)
  const [problem] = tlsProblems(stated)
  if (problem === undefined) return loadTls(stated)
  const part = problem.path.replace('tls.', '') as keyof typeof TLS
  throw wrongCall(`${TLS[part]} ${problem.message}.`)
}

/** Returns a listener that says why requests could not be sent, and says the same again only after a while. */
function notReached({ href }: Upstream) {
  const told = new Map<string, number>()
  return ({ message, remedy }: { message: string; remedy: string }) => {
    const last = told.get(message)
    if (last !== undefined && performance.now() - last < AGAIN_AFTER) return
    told.set(message, performance.now())
    say(`${href} could not be reached: ${message}; ${remedy}. The client was answered with 502.`)
  }
}

const greeting = (address: string, { href }: Upstream, exec: string | undefined): string =>
  `Requests to ${address} are passed on to ${href}, unchanged, and what it answers is judged. ${
    exec === undefined
      ? 'Point your clients there. Ctrl-C ends it, and writes the record and its reports.'
      : 'The command finds this address in TSS_PROXY_URL.'
  }`

/** Returns what has to be said of the end besides the verdict. */
function closing(
  { exchanges, clients, unknownBodies, hidden }: Counts,
  broken: ReadonlyMap<string, number>,
  { counts: { others, refused } }: ReverseProxy,
  ran: { code: number | null } | undefined,
  dir: string,
): string[] {
  const { requests, answers } = unknownBodies
  return [
    ...(ran === undefined || ran.code === 0
      ? []
      : [ran.code === null ? 'The command was stopped.' : `The command has ended with ${ran.code}.`]),
    `${count(exchanges, 'request')} of ${count(clients, 'credential')} seen${others === 0 ? '' : `; ${count(others, 'other')} passed on unjudged, since their paths do not begin with /api/v1/ or /api/v2/`}.`,
    ...[...broken].flatMap(([clause, times]) =>
      times > 1 ? [`${clause} was found broken ${times} times.`] : [],
    ),
    ...(refused === 0 ? [] : [`${count(refused, 'request')} refused: their answers say why.`]),
    ...(requests + answers === 0
      ? []
      : [
          `The bodies of ${count(requests, 'request')} and ${count(answers, 'answer')} were too long, or did not come whole, and are judged by nobody.`,
        ]),
    ...(exchanges === 0
      ? []
      : [
          `The recording is ${join(relative(process.cwd(), dir), EXCHANGES_FILE)}; ${count(hidden, 'word or number', 'words and numbers')} of free text are hidden in it.`,
        ]),
    ...(exchanges === 0 && others > 0
      ? ['None was a call of the API: give what stands before /api/v1 and /api/v2 with --upstream.']
      : []),
  ]
}
