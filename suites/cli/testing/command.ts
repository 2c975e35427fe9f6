import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import {
  folderWith,
  temporaryFolder as freshFolder,
  type Until,
} from '../../../fixtures/client/testing/until.ts'
import type { Command } from './many-commands.ts'

export { folderWith, freshFolder }

const tss = fileURLToPath(new URL('../tss.js', import.meta.url))

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  pid: number
  /** Resolves once its output matches. */
  prints(pattern: RegExp): Promise<RegExpMatchArray>
  send(signal: NodeJS.Signals): void
  ended: Promise<Ended>
}

export interface CommandOptions {
  /** The working directory. Default: a new one. */
  cwd?: string
  env?: Record<string, string | undefined>
  /** Another user to be, which takes root. */
  uid?: number
  /** Options for Node itself. */
  execArgv?: readonly string[]
  /** Registers what ends the command and removes its folder. Default: at the end of the test. */
  until?: Until
}

/** Starts the real command in its own process, without the caller's `TSS_*` variables. */
export const startTss = (args: readonly string[], options: CommandOptions = {}): Running =>
  start(process.execPath, [...(options.execArgv ?? []), tss, ...args], options)

/** Starts `npm run prove` in its own process, without the caller's `TSS_*` variables. */
export const startProve = (args: readonly string[], options: CommandOptions = {}): Running =>
  start(process.execPath, [fileURLToPath(new URL('../prove/main.ts', import.meta.url)), ...args], options)

/** Runs the real command to its end, in a process shared by all calls of this thread; see `startTss` for its own process. */
export function runTss(
  args: readonly string[],
  { until = onTestFinished, cwd = freshFolder(until), env = {} }: Omit<CommandOptions, 'execArgv'> = {},
): Promise<Ended> {
  const ended = before.then(() => inShared({ args, cwd, env: environment(env) }, until))
  before = ended.catch(() => {})
  return ended
}

let shared: ChildProcess | undefined
/** Resolves once the shared process has finished its last command. */
let before: Promise<unknown> = Promise.resolve()

async function inShared(command: Command, until: Until): Promise<Ended> {
  shared ??= fork(join(import.meta.dirname, 'many-commands.ts'), {
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  }).once('exit', () => {
    shared = undefined
  })
  const child = shared
  const over = new AbortController()
  // A command that a test does not wait for must not delay the next.
  until(() => void (over.signal.aborted || child.kill('SIGKILL')))
  const gone = once(child, 'exit', over).then(() => {
    throw new Error(`The process ended before this was over: ${command.args.join(' ')}`)
  })
  child.send(command)
  try {
    const [ended] = await Promise.race([once(child, 'message', over), gone])
    return ended
  } finally {
    over.abort()
  }
}

/** Runs a shell script in which `travel-sales` stands for the real command. */
export function runShell(script: string, options: CommandOptions = {}): Promise<Ended> {
  const command = `'${process.execPath}' '${tss}'`
  return start('/bin/sh', ['-c', script.replaceAll(/\btravel-sales\b/g, command)], options).ended
}

/** Returns the environment without the caller's `TSS_*` variables, and with these variables. */
function environment(env: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => !/^(TSS_|VITEST|GITHUB_|NODE_OPTIONS)/.test(entry[0]),
  )
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...env }
}

function start(file: string, args: readonly string[], options: CommandOptions): Running {
  const { until = onTestFinished, cwd = freshFolder(until), env = {}, uid } = options
  const child = spawn(file, args, {
    cwd,
    env: environment(env),
    ...(uid !== undefined && { uid, gid: uid }),
  })
  const gone = new Promise<void>(resolve => child.on('exit', () => resolve()).on('error', () => resolve()))
  // Its folder is removed next, and must not be written to any more.
  until(() => {
    child.kill('SIGKILL')
    return gone
  })
  let stdout = ''
  let stderr = ''
  const watchers = new Set<() => void>()
  const tell = () => {
    for (const watcher of watchers) watcher()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    tell()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    tell()
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return {
    pid: child.pid!,
    send: signal => void child.kill(signal),
    ended,
    prints: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = `${stdout}\n${stderr}`.match(pattern)
          if (found === null) return
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        look()
        void ended.then(({ code }) =>
          reject(new Error(`It ended with ${code} before it printed ${pattern}:\n${stdout}\n${stderr}`)),
        )
      }),
  }
}
