import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { K6_ENVIRONMENT } from '../k6/index.ts'
import { ENV, type Plan } from '../plan/plan.ts'
import { authoritiesFor } from './authorities.ts'

/** Names of what one k6 process leaves in its folder. */
export const RAW = {
  plan: 'plan.json',
  samples: 'samples.ndjson',
  spool: 'spool.ndjson',
  log: 'k6.log',
  dashboard: 'dashboard.html',
  authorities: 'authorities.pem',
} as const

/** k6 could not be run, or ended otherwise than by finishing its script. */
export class K6Failed extends Error {
  override readonly name = 'K6Failed'
}

/** How one k6 process is started. */
export interface K6Run {
  /** Path of the executable. */
  k6: string
  plan: Plan
  /** Credentials in the order of `plan.senders`. */
  tokens: readonly string[]
  /** Folder for what it leaves; made if need be. */
  dir: string
  /** Further options, such as an execution segment. */
  args?: readonly string[]
  /** Ends it: gracefully at first, for good after `GRACE`. */
  signal?: AbortSignal
}

/** How a k6 process ended, in epoch milliseconds. */
export interface K6Ended {
  startedAt: number
  finishedAt: number
  interrupted: boolean
}

/** How long k6 may take to finish what is under way once it is asked to end, in milliseconds. */
const GRACE = 5_000

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** Path of the script that asks a question. */
export const scriptOf = (scenario: Plan['scenario']): string =>
  fileURLToPath(new URL(`../scenarios/${scenario}.${extension}`, import.meta.url))

/** Names of what is written for k6 processes on other machines. */
export const ARCHIVE = 'archive.tar'

/**
 * Writes the plan of a stage and an archive of its script, with the plan in it, for k6 processes on other machines.
 *
 * @throws {K6Failed} when k6 cannot make the archive
 */
export async function archiveStage({ k6, plan, tokens, dir }: K6Run): Promise<void> {
  mkdirSync(dir, { recursive: true })
  const planFile = join(dir, RAW.plan)
  writeFileSync(planFile, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 })
  // An archive remembers variables that are given as options: the plan's file, and no credential.
  const args = [
    'archive',
    `-e=${ENV.planFile}=${planFile}`,
    `--archive-out=${join(dir, ARCHIVE)}`,
    scriptOf(plan.scenario),
  ]
  const child = spawn(k6, args, { env: environment(plan, tokens, dir), stdio: ['ignore', 'ignore', 'pipe'] })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new K6Failed(`k6 could not archive ${plan.scenario}: ${words.trim().slice(-WORDS)}`)
}

/**
 * Runs k6 once, with nothing of the caller's k6 settings, no telemetry, and secrets in its environment alone.
 *
 * @throws {K6Failed} with the last words of k6, when it ended for any other reason than having finished
 */
export async function runK6({ k6, plan, tokens, dir, args = [], signal }: K6Run): Promise<K6Ended> {
  mkdirSync(dir, { recursive: true })
  const file = (name: keyof typeof RAW) => join(dir, RAW[name])
  writeFileSync(file('plan'), `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 })
  // What k6 creates itself would be readable by everybody; the console holds answers as they came.
  writeFileSync(file('spool'), '', { mode: 0o600 })
  const log = openSync(file('log'), 'w', 0o600)
  const startedAt = Date.now()
  const child = spawn(
    k6,
    [
      'run',
      '--quiet',
      '--no-color',
      '--log-format=raw',
      // Both are judged from the samples, and would drown what k6 has to complain of.
      '--summary-mode=disabled',
      '--no-thresholds',
      `--console-output=${file('spool')}`,
      `--out=json=${file('samples')}`,
      ...args,
      scriptOf(plan.scenario),
    ],
    {
      env: environment(plan, tokens, dir),
      stdio: ['ignore', log, log],
      // A terminal sends Ctrl-C to its whole group: when k6 ends is decided here.
      detached: true,
    },
  )
  let late: NodeJS.Timeout | undefined
  const end = () => {
    child.kill('SIGINT')
    late = setTimeout(() => child.kill('SIGKILL'), GRACE)
  }
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', error =>
        reject(new K6Failed(`${k6} could not be started: ${error.message}.`, { cause: error })),
      )
      child.once('exit', resolve)
    })
    const interrupted = signal?.aborted === true
    if (!interrupted && code !== 0) {
      throw new K6Failed(
        `k6 ended with ${code ?? 'a signal'} in ${plan.scenario}, stage ${plan.stage}: ${lastWords(file('log'))}`,
      )
    }
    return { startedAt, finishedAt: Date.now(), interrupted }
  } finally {
    clearTimeout(late)
    signal?.removeEventListener('abort', end)
    process.off('exit', onExit)
  }
}

/** What every process needs of its caller's environment. Nothing that begins with K6_: it would change the run. */
const PASSED = [
  'PATH',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GOMAXPROCS',
  'GOGC',
]

function environment(plan: Plan, tokens: readonly string[], dir: string): NodeJS.ProcessEnv {
  const passed = PASSED.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  return {
    // Answers that are written down leave much behind: to collect it less often saves a sixth of the processor time.
    GOGC: '200',
    ...Object.fromEntries(passed),
    ...authoritiesFor(process.env, join(dir, RAW.authorities)),
    // k6 looks for settings of its user there, and finds none.
    HOME: dir,
    ...K6_ENVIRONMENT,
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

/** The dashboard's export has graphs only once a stage has lasted a few of its periods. */
const longEnough = ({ settings }: Plan): boolean => {
  const { duration = 0, minutes = 0, speed = 1, keys = 0, rate = 1, during = 0 } = settings
  return Math.max(duration, (minutes * 60) / speed, keys / rate, during) >= 5
}

const WORDS = 600

function lastWords(log: string): string {
  const text = readFileSync(log, 'utf8').trim()
  return text === '' ? 'it said nothing.' : text.slice(-WORDS)
}
