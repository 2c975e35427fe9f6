import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

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

/** Milliseconds that processes have to end after they are asked to. */
const GRACE = 2_000

/** Ends process groups and every process with a credential of an examination. Returns whether there was one. */
export function endAll(groups: readonly number[], token?: string): boolean {
  const send = (signal: NodeJS.Signals) =>
    [...groups, ...processesWith(token)].filter(target => reaches(target, signal))
  const isAny = send('SIGTERM').length > 0
  if (isAny) setTimeout(() => send('SIGKILL'), GRACE)
  return isAny
}

/** Returns the processes with that credential in their environment, in whatever process group (Linux only). */
function processesWith(token: string | undefined): number[] {
  if (token === undefined || process.platform !== 'linux') return []
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

/**
 * Runs a command of the user in a shell. Its stdout goes to stderr, since stdout is for the summary.
 *
 * @param signal ends it and all that it started, as the end of this process does
 * @param token the credential by which what has left its process group is known
 * @returns its exit code (`null` if a signal ended it, or it could not be started), and what reaches its process group
 */
export async function runOwnCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  token?: string,
): Promise<{ code: number | null; group: number | undefined }> {
  const isGroup = process.platform !== 'win32'
  // A shell starts the command, and both must be ended.
  const child = spawn(command, { shell: true, env, stdio: ['ignore', 2, 2], detached: isGroup })
  const group = child.pid === undefined || !isGroup ? child.pid : -child.pid
  const stop = () => void (group !== undefined && endAll([group], token))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  process.once('exit', stop)
  const code = await new Promise<number | null>(resolve => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  signal.removeEventListener('abort', stop)
  process.off('exit', stop)
  return { code, group }
}
