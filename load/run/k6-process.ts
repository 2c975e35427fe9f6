import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocked } from '../../fixtures/check/evidence/assume.ts'
import { type LoadedTls, openKey, proxyVariables } from '../../fixtures/deployments/address/index.ts'
import { memoryAllowed } from '../../fixtures/run/allowed.ts'
import { CREDENTIAL, known } from '../../fixtures/secrets/known.ts'
import { K6_ENVIRONMENT } from '../k6/index.ts'
import { killGroup, runProgram } from '../k6/program.ts'
import { ENV, PLAN_FILE, type Plan } from '../plan/plan.ts'

/**
 * Passes private certificate authorities of Node, and of a definition, on to k6. Go reads one file instead of its default; if
 * there are several, they are joined into one at `path`.
 *
 * @param own the authorities of the definition, as text
 */
export function authoritiesFor(
  { NODE_EXTRA_CA_CERTS: further, SSL_CERT_FILE: usual }: NodeJS.ProcessEnv,
  path: string,
  own?: string,
): { SSL_CERT_FILE?: string } {
  const files = [...new Set([usual, further].filter(file => file !== undefined))]
  if (own === undefined && further === undefined) return {}
  if (own === undefined && files.length === 1) return { SSL_CERT_FILE: files[0]! }
  // Neither Node nor Go fails for a missing file.
  const texts = files.flatMap(file => (existsSync(file) ? [readFileSync(file, 'utf8')] : []))
  writeFileSync(path, [...texts, ...(own === undefined ? [] : [own])].join('\n'))
  return { SSL_CERT_FILE: path }
}

/** The names of the files that a k6 process leaves in its folder. */
export const RAW = {
  plan: PLAN_FILE,
  script: 'script.js',
  samples: 'samples.csv',
  answers: 'answers.ndjson',
  log: 'k6.log',
  dashboard: 'dashboard.html',
  authorities: 'authorities.pem',
} as const

/** The parameters of one k6 process. */
export interface K6Run {
  /** The path of the executable. */
  k6: string
  /** The script (see `bundleScenario`). */
  script: string
  plan: Plan
  /** The credentials in the order of `plan.senders`. */
  tokens: readonly string[]
  /** Certificates of the connection. */
  tls?: LoadedTls | undefined
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>>
  /** The folder for its output. It is created if necessary. */
  dir: string
  /** Ends it: gracefully at first, by force after `GRACE`. */
  signal?: AbortSignal
  /** It is not ended before this. */
  settled?: (() => Promise<void>) | undefined
  /** The maximum memory in bytes. */
  mostMemory?: number
}

/** The time in milliseconds that k6 may take to finish its requests once it is asked to end. */
const GRACE = 5_000

/**
 * Runs k6 once, without the caller's k6 settings and telemetry, and with secrets only in its environment. @throws
 * {Error} with the last output of k6, if it did not finish @throws {Inconclusive} if answers made it fail
 */
export async function runK6(run: K6Run): Promise<void> {
  const { k6, dir, signal, tls } = run
  writeInput(run)
  const file = (name: keyof typeof RAW) => join(dir, RAW[name])
  // k6 would create world-readable files, and the console contains unredacted answers.
  writeFileSync(file('answers'), '', { mode: 0o600 })
  const log = openSync(file('log'), 'w', 0o600)
  const [command, guarded] = endingWithUs(k6)
  const child = spawn(
    command,
    [
      ...guarded,
      'run',
      '--quiet',
      '--no-color',
      '--log-format=raw',
      // It is judged from the samples, and would bury k6's own messages.
      '--summary-mode=disabled',
      `--console-output=${file('answers')}`,
      '--out=csv',
      file('script'),
    ],
    {
      env: { ...environment(run), ...proxyVariables(run.plan.baseUrl), ...certificates(tls, dir) },
      stdio: ['ignore', log, log, 'pipe'],
      // A terminal sends Ctrl-C to its whole process group; the kit decides when k6 ends.
      detached: true,
    },
  )
  closeSync(log)
  let late: NodeJS.Timeout | undefined
  const end = async () => {
    await run.settled?.()
    if (child.kill('SIGINT')) late = setTimeout(() => child.kill('SIGKILL'), GRACE)
  }
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const memory = watchMemory(child.pid, run.mostMemory ?? MOST_MEMORY, onExit)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', error =>
        reject(new Error(`${k6} could not be started: ${error.message}.`, { cause: error })),
      )
      child.once('exit', resolve)
    })
    if (signal?.aborted !== true && code !== 0) throw whyEnded(run, code, memory.exceeded())
    insistOnWhole(run)
  } finally {
    memory.stop()
    clearTimeout(late)
    signal?.removeEventListener('abort', end)
    process.off('exit', onExit)
    // Ends the rest of its process group. Windows has no groups.
    if (process.platform !== 'win32') killGroup(child.pid)
  }
}

/** The maximum memory of k6 in bytes, more than thousands of hotel answers need. */
const MOST_MEMORY = Math.min(memoryAllowed() / 2, 6 * 2 ** 30)

/** Ends k6 if answers make it exceed its memory, where the system reports it. */
function watchMemory(
  pid: number | undefined,
  most: number,
  end: () => void,
): { exceeded(): number | undefined; stop(): void } {
  let exceeded: number | undefined
  const look = () => {
    const bytes = memoryOf(pid)
    if (bytes === undefined || bytes <= most) return
    exceeded = most
    end()
  }
  const timer = setInterval(look, MEMORY_EVERY)
  return { exceeded: () => exceeded, stop: () => clearInterval(timer) }
}

/** The interval in milliseconds. Meanwhile k6 can decompress a few hundred megabytes. */
const MEMORY_EVERY = 100

function memoryOf(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/** Returns why k6 did not finish. A crash because of an answer is not a fault of the kit. */
function whyEnded(
  { plan: { scenario, stage, baseUrl }, dir }: K6Run,
  code: number | null,
  exceeded: number | undefined,
): Error {
  const log = join(dir, RAW.log)
  const broken =
    exceeded === undefined
      ? FATAL.exec(readFileSync(log, 'utf8'))?.[0]
      : `it took more than ${(exceeded / 2 ** 30).toFixed(1)} GB of memory`
  if (broken !== undefined)
    return blocked(`k6 failed because of an answer of ${baseUrl}, in stage ${stage}: ${broken}`)
  return new Error(`k6 ended with ${code ?? 'a signal'} in ${scenario}, stage ${stage}: ${lastWords(log)}`)
}

/** @throws {Error} if the script threw an error in an iteration, which k6 only logs */
function insistOnWhole({ plan: { scenario, stage }, dir }: K6Run): void {
  const thrown = THROWN.exec(readFileSync(join(dir, RAW.log), 'utf8'))?.[1]
  if (thrown !== undefined)
    throw new Error(`The script failed in ${scenario}, stage ${stage}: ${thrown.slice(0, WORDS)}`)
}

/** Matches an exception of the script in k6's log: its message and where it was thrown. */
const THROWN = /^(\w*Error\b.*)\n\s+at .*script\.js/m

/** Matches a fatal error of Go, such as a stack overflow because of deeply nested lists. */
const FATAL = /^fatal error: (?:stack overflow|.*out of memory.*)$/m

/** The part of a k6 process that an archive holds. */
type K6Input = Pick<K6Run, 'plan' | 'script' | 'dir'>

/** Writes a plan and its script as an archive for `k6 run` to a file that is there. It holds nothing of the environment. */
export async function archiveK6(
  { k6, signal, ...input }: K6Input & { k6: string; signal: AbortSignal },
  file: string,
): Promise<void> {
  const { dir } = input
  writeInput(input)
  const args = ['archive', '--quiet', '--no-color', `--archive-out=${file}`, join(dir, RAW.script)]
  const { code, stderr } = await runProgram(k6, args, { env: bareEnvironment(dir), signal })
  rmSync(dir, { recursive: true })
  if (code !== 0) throw new Error(`k6 could not write ${file}: ${stderr.trim().slice(-WORDS)}`)
}

/** Writes the plan and the script, readable by their owner only. */
function writeInput({ plan, script, dir }: K6Input): void {
  mkdirSync(dir, { recursive: true })
  // A plan contains parts of catalogs.
  writeFileSync(join(dir, RAW.plan), `${known.replace(JSON.stringify(plan, null, 2), CREDENTIAL)}\n`, {
    mode: 0o600,
  })
  writeFileSync(join(dir, RAW.script), script, { mode: 0o600 })
}

/**
 * Returns a command that runs a program and ends it when this process ends for any reason: a shell in its process
 * group waits for the end of a pipe. The program has the process id of the command.
 */
function endingWithUs(program: string): [command: string, args: string[]] {
  if (process.platform === 'win32') return [program, []]
  const seconds = GRACE / 1000
  const watch = `(cat <&3 >/dev/null 2>&1; kill -TERM $$; sleep ${seconds}; kill -KILL 0)`
  return ['/bin/sh', ['-c', `${watch} & exec 3<&-; exec "$0" "$@"`, program]]
}

/** Returns variables for the format of `--out csv`. JSON would take k6 three times as long. */
const samplesTo = (path: string): Record<string, string> => ({
  K6_CSV_FILENAME: path,
  K6_CSV_TIME_FORMAT: 'unix_micro',
})

/** The variables of the caller that every process needs. None begins with K6_, which would change the run. */
const PASSED = 'PATH TMPDIR TEMP TMP SystemRoot SSL_CERT_FILE SSL_CERT_DIR GOMAXPROCS GOGC'.split(' ')

function bareEnvironment(dir: string): NodeJS.ProcessEnv {
  const passed = PASSED.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  // k6 looks for its user's settings there and finds none.
  return { ...Object.fromEntries(passed), HOME: dir, ...K6_ENVIRONMENT }
}

function environment({ plan, tokens, headers = {}, dir }: K6Run): NodeJS.ProcessEnv {
  return {
    // Logging answers makes much garbage. Collecting it less often saves a fifth of the processor time, and k6 takes little
    // more memory: half a gigabyte with a hundred clients. Near the memory at which it is ended, it is collected as usual.
    GOGC: '1000',
    GOMEMLIMIT: `${Math.floor(MOST_MEMORY / 2)}`,
    ...bareEnvironment(dir),
    ...samplesTo(join(dir, RAW.samples)),
    ...(longEnough(plan)
      ? {
          K6_WEB_DASHBOARD: 'true',
          K6_WEB_DASHBOARD_PORT: '-1',
          K6_WEB_DASHBOARD_PERIOD: '1s',
          K6_WEB_DASHBOARD_EXPORT: join(dir, RAW.dashboard),
        }
      : {}),
    [ENV.tokens]: tokens.join('\n'),
    ...(Object.keys(headers).length === 0 ? {} : { [ENV.headers]: JSON.stringify(headers) }),
  }
}

/** Returns the variables for certificates. k6 cannot open a key that has a passphrase. */
const certificates = (tls: LoadedTls | undefined, dir: string): NodeJS.ProcessEnv => ({
  ...authoritiesFor(process.env, join(dir, RAW.authorities), tls?.ca),
  ...(tls?.cert === undefined ? {} : { [ENV.cert]: tls.cert, [ENV.key]: openKey(tls) }),
})

/** Returns whether a stage lasts a few periods of the dashboard, whose export otherwise has no graphs. */
const longEnough = ({ settings }: Plan): boolean => {
  const { duration = 0, minutes = 0, speed = 1, keys = 0, rate = 1, during = 0 } = settings
  return Math.max(duration, (minutes * 60) / speed, keys / rate, during) >= 5
}

const WORDS = 600

function lastWords(log: string): string {
  const text = readFileSync(log, 'utf8').trim()
  return text === '' ? 'it said nothing.' : text.slice(-WORDS)
}
