import { spawn } from 'node:child_process'

/** The maximum output of a program that is kept, in bytes. */
const KEPT = 256 * 1024

/** The exit code and the output of a program. */
interface ProgramEnd {
  /** `null` if a signal ended it. */
  code: number | null
  stdout: string
  stderr: string
}

interface ProgramOptions {
  /** The working directory. */
  cwd?: string
  env: NodeJS.ProcessEnv
  /** Ends the program and its child processes. */
  signal: AbortSignal
}

/**
 * Runs a program to its end. It does not outlive this process.
 * @throws the reason of `signal` once that is aborted; a system error if it cannot be started
 */
export function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env, signal }: ProgramOptions,
): Promise<ProgramEnd> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...(cwd !== undefined && { cwd }),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a process group of its own, so that its children can be ended with it.
      detached: process.platform !== 'win32',
    })
    const said = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        said[stream] = (said[stream] + text).slice(-KEPT)
      })
    }
    const end = () => killGroup(child.pid)
    signal.addEventListener('abort', end, { once: true })
    process.once('exit', end)
    const over = () => {
      signal.removeEventListener('abort', end)
      process.off('exit', end)
    }
    child.once('error', error => {
      over()
      reject(error)
    })
    child.once('close', code => {
      over()
      if (signal.aborted) reject(signal.reason)
      else resolve({ code, ...said })
    })
  })
}

/** Ends a program and its children, if they still run. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
