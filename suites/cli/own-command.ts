import { spawn } from 'node:child_process'

/** Returns the variables that take this machine out of any proxy, in both spellings that programs read. */
export function withoutProxyHere({
  no_proxy: lower,
  NO_PROXY: upper,
}: NodeJS.ProcessEnv): Record<string, string> {
  const hosts = [lower ?? upper ?? '', 'localhost', '127.0.0.1', '::1'].filter(host => host !== '').join(',')
  return { no_proxy: hosts, NO_PROXY: hosts }
}

/** Sends a signal to a process or process group, and returns whether it exists. */
export function reaches(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch {
    return false
  }
}

/** Milliseconds that a command has to end after it is asked to. */
const GRACE = 5_000

/**
 * Runs a command of the user in a shell, with its whole environment and `added`, and ends whatever it leaves running. Its stdout
 * goes to stderr, since stdout is for the summary.
 *
 * @param signal asks it to end
 * @returns its exit code; `null` if a signal ended it, or it could not be started
 */
export async function runOwnCommand(
  command: string,
  added: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number | null> {
  const child = spawn(command, {
    shell: true,
    env: { ...process.env, ...withoutProxyHere(process.env), ...added },
    stdio: ['ignore', 2, 2],
    // A shell starts the command, and both must be ended.
    detached: process.platform !== 'win32',
  })
  let late: NodeJS.Timeout | undefined
  const send = (how: NodeJS.Signals): boolean => {
    if (child.pid === undefined) return false
    return process.platform === 'win32' ? child.kill(how) : reaches(-child.pid, how)
  }
  const stop = () => {
    if (send('SIGTERM')) late ??= setTimeout(() => send('SIGKILL'), GRACE)
  }
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  process.once('exit', stop)
  const code = await new Promise<number | null>(resolve => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  signal.removeEventListener('abort', stop)
  process.off('exit', stop)
  clearTimeout(late)
  send('SIGKILL')
  return code
}
