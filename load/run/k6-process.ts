import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { blocked } from '../../fixtures/check/evidence/inconclusive.ts'
import { CREDENTIAL, known } from '../../fixtures/secrets/known.ts'
import { K6_ENVIRONMENT } from '../k6/index.ts'
import { killGroup, runProgram } from '../k6/program.ts'
import { ENV, type Plan } from '../plan/plan.ts'
import { authoritiesFor } from './authorities.ts'

/** Names of what one k6 process leaves in its folder. */
export const RAW = {
  plan: 'plan.json',
  script: 'script.js',
  samples: 'samples.csv',
  answers: 'answers.ndjson',
  log: 'k6.log',
  dashboard: 'dashboard.html',
  authorities: 'authorities.pem',
} as const

/** k6 could not be run, or ended otherwise than by finishing its script. */
export class K6Failed extends Error {
  override readonly name = 'K6Failed'
}

/** The settings of one k6 process. */
export interface K6Run {
  /** Path of the executable. */
  k6: string
  /** The script that it runs (see `bundleScenario`). */
  script: string
  plan: Plan
  /** Credentials in the order of `plan.senders`. */
  tokens: readonly string[]
  /** Folder for what it leaves; made if need be. */
  dir: string
  /** Further options, such as an execution segment. */
  args?: readonly string[]
  /** Ends it: gracefully at first, for good after `GRACE`. */
  signal?: AbortSignal
  /** Bytes of memory that it may take. */
  mostMemory?: number
}

/** Time that k6 may take to finish what is under way once it is asked to end, in milliseconds. */
const GRACE = 5_000

/** Names of what is written for k6 processes on other machines. */
export const ARCHIVE = 'archive.tar'

/**
 * Writes the plan of a stage and an archive of its script, with the plan in it, for k6 processes on other machines.
 *
 * @throws {K6Failed} when k6 cannot make the archive
 */
export async function archiveStage(run: K6Run): Promise<void> {
  const { k6, plan, tokens, dir } = run
  const { planFile, script } = writeInput(run)
  // An archive remembers variables that are given as options: the plan's file, and no credential.
  const args = ['archive', `-e=${ENV.planFile}=${planFile}`, `--archive-out=${join(dir, ARCHIVE)}`, script]
  const { signal } = new AbortController()
  const { code, stderr } = await runProgram(k6, args, { env: environment(plan, tokens, dir), signal })
  rmSync(script)
  if (code !== 0) throw new K6Failed(`k6 could not archive ${plan.scenario}: ${stderr.trim().slice(-WORDS)}`)
}

/**
 * Runs k6 once, with nothing of the caller's k6 settings, no telemetry, and secrets in its environment alone.
 *
 * @throws {K6Failed} with the last words of k6, when it ended for any other reason than having finished
 * @throws {Inconclusive} where it was the answers that ended it
 */
export async function runK6(run: K6Run): Promise<void> {
  const { k6, plan, tokens, dir, args = [], signal } = run
  const { script } = writeInput(run)
  const file = (name: keyof typeof RAW) => join(dir, RAW[name])
  // What k6 creates itself would be readable by everybody; the console holds answers as they came.
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
      // Both are judged from the samples, and would drown what k6 has to complain of.
      '--summary-mode=disabled',
      '--no-thresholds',
      `--console-output=${file('answers')}`,
      '--out=csv',
      ...args,
      script,
    ],
    {
      env: environment(plan, tokens, dir),
      stdio: ['ignore', log, log, 'pipe'],
      // A terminal sends Ctrl-C to its whole group: when k6 ends is decided here.
      detached: true,
    },
  )
  closeSync(log)
  let late: NodeJS.Timeout | undefined
  const end = () => {
    child.kill('SIGINT')
    late = setTimeout(() => child.kill('SIGKILL'), GRACE)
  }
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  const memory = watchMemory(child.pid, run.mostMemory ?? MOST_MEMORY, onExit)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', error =>
        reject(new K6Failed(`${k6} could not be started: ${error.message}.`, { cause: error })),
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
    // What is left of its group; without groups, there is nothing left.
    if (process.platform !== 'win32') killGroup(child.pid)
  }
}

/** The memory that k6 may take, in bytes: no answers of hotels by the thousand need as much. */
const MOST_MEMORY = Math.min(totalmem() / 2, 6 * 2 ** 30)

/** Ends k6 where answers make it take more memory than it may, as far as the system tells. */
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

/** In milliseconds: in this time k6 can undo a few hundred megabytes of gzip. */
const MEMORY_EVERY = 100

function memoryOf(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/** Returns why k6 did not finish: answers that break it down are no fault of the kit. */
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
    return blocked(`k6 broke down over what ${baseUrl} answers, in stage ${stage}: ${broken}`)
  return new K6Failed(`k6 ended with ${code ?? 'a signal'} in ${scenario}, stage ${stage}: ${lastWords(log)}`)
}

/** @throws {K6Failed} where the script broke down in an iteration: k6 notes that, and goes on with the next one */
function insistOnWhole({ plan: { scenario, stage }, dir }: K6Run): void {
  const thrown = THROWN.exec(readFileSync(join(dir, RAW.log), 'utf8'))?.[1]
  if (thrown !== undefined)
    throw new K6Failed(`The script broke down in ${scenario}, stage ${stage}: ${thrown.slice(0, WORDS)}`)
}

/** An exception in k6's log: what it says, and where in the script it was thrown. */
const THROWN = /^(\w*Error\b.*)\n\s+at .*script\.js/m

/** How Go says that nothing can go on, such as over lists that are nested millions deep. */
const FATAL = /^fatal error: (?:stack overflow|.*out of memory.*)$/m

/** Writes the plan and the script, for their owner alone. */
function writeInput({ plan, script, dir }: K6Run): { planFile: string; script: string } {
  mkdirSync(dir, { recursive: true })
  const planFile = join(dir, RAW.plan)
  // Plans go to other machines, and hold catalogs as they were answered.
  writeFileSync(planFile, `${known.replace(JSON.stringify(plan, null, 2), CREDENTIAL)}\n`, { mode: 0o600 })
  writeFileSync(join(dir, RAW.script), script, { mode: 0o600 })
  return { planFile, script: join(dir, RAW.script) }
}

/**
 * Returns the command that runs a program and ends it when this process is gone, however that ended: a shell in its
 * process group waits for the end of a pipe that nobody else holds. The program has the process id of the command.
 */
function endingWithUs(program: string): [command: string, args: string[]] {
  if (process.platform === 'win32') return [program, []]
  const seconds = GRACE / 1000
  const watch = `(cat <&3 >/dev/null 2>&1; kill -TERM $$; sleep ${seconds}; kill -KILL 0)`
  return ['/bin/sh', ['-c', `${watch} & exec 3<&-; exec "$0" "$@"`, program]]
}

/** Variables that have `--out csv` write samples as they are read. To write them as JSON takes k6 three times as long. */
export const samplesTo = (path: string): Record<string, string> => ({
  K6_CSV_FILENAME: path,
  K6_CSV_TIME_FORMAT: 'unix_micro',
})

/** Variables of the caller's environment that every process needs. None begins with K6_: it would change the run. */
const PASSED = 'PATH TMPDIR TEMP TMP SystemRoot SSL_CERT_FILE SSL_CERT_DIR GOMAXPROCS GOGC'.split(' ')

function environment(plan: Plan, tokens: readonly string[], dir: string): NodeJS.ProcessEnv {
  const passed = PASSED.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return {
    // Answers that are written down leave much behind: to collect it less often saves a sixth of the processor time.
    GOGC: '400',
    ...Object.fromEntries(passed),
    ...authoritiesFor(process.env, join(dir, RAW.authorities)),
    // k6 looks for settings of its user there, and finds none.
    HOME: dir,
    ...K6_ENVIRONMENT,
    ...samplesTo(join(dir, RAW.samples)),
    ...(longEnough(plan)
      ? {
          K6_WEB_DASHBOARD: 'true',
          K6_WEB_DASHBOARD_PORT: '-1',
          K6_WEB_DASHBOARD_PERIOD: '1s',
          K6_WEB_DASHBOARD_EXPORT: join(dir, RAW.dashboard),
        }
      : {}),
    [ENV.planFile]: join(dir, RAW.plan),
    [ENV.tokens]: tokens.join('\n'),
  }
}

/** Returns whether a stage lasts a few periods of the dashboard, whose export has no graphs before. */
const longEnough = ({ settings }: Plan): boolean => {
  const { duration = 0, minutes = 0, speed = 1, keys = 0, rate = 1, during = 0 } = settings
  return Math.max(duration, (minutes * 60) / speed, keys / rate, during) >= 5
}

const WORDS = 600

function lastWords(log: string): string {
  const text = readFileSync(log, 'utf8').trim()
  return text === '' ? 'it said nothing.' : text.slice(-WORDS)
}
