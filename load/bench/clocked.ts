import { execFile } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A program under another name, which behaves the same and leaves behind what it cost. */
export interface Clocked {
  /** Starts it; arguments, environment and exit code are passed on. */
  path: string
  /** Of its last run, once that has ended. @throws Error where the shell wrote no times */
  cost(): Cost
  /** Follows how much memory it takes; `stop` tells the most in bytes, where the system does. */
  watchMemory(): { stop(): number | undefined }
  /** When its last run ended, in epoch milliseconds. */
  endedAt(): number
}

/** Processor time of a process, in seconds. */
export interface Cost {
  user: number
  system: number
}

const LOOK_EVERY = 100

/**
 * Puts a shell around a program, because `times` of a shell is everywhere and counts the program alone.
 *
 * @param command the program, with arguments that always come first
 * @param dir a folder for what the shell writes
 */
export function clocked(command: readonly string[], dir: string): Clocked {
  const path = join(dir, 'clocked')
  const pid = join(dir, 'pid')
  const times = join(dir, 'times')
  writeFileSync(
    path,
    `#!/bin/sh
${command.map(quote).join(' ')} "$@" &
echo $! > ${quote(pid)}
wait $!
code=$?
times > ${quote(times)}
exit $code
`,
  )
  chmodSync(path, 0o700)
  return {
    path,
    cost: () => costIn(readFileSync(times, 'utf8')),
    watchMemory() {
      let most: number | undefined
      const look = () => {
        if (existsSync(pid)) most = peakOf(readFileSync(pid, 'utf8').trim()) ?? most
      }
      const timer = setInterval(look, LOOK_EVERY)
      return {
        stop() {
          clearInterval(timer)
          return most
        },
      }
    },
    endedAt: () => statSync(times).mtimeMs,
  }
}

/**
 * Runs a program to its end.
 *
 * @param fine exit codes that are no failure
 * @returns what it printed
 * @throws Error with its last words, when it ended otherwise
 */
export function printedBy(
  path: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string },
  fine: readonly number[] = [0],
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(path, args, { ...options, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error === null || fine.includes(Number(error.code))) resolve(stdout)
      else reject(new Error(`${path} ended badly: ${(stderr || stdout).slice(-2000)}`, { cause: error }))
    })
  })
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The second line of `times` is of the children: `0m1.230s 0m0.120s`. */
function costIn(times: string): Cost {
  const [user, system] = (times.trim().split('\n')[1] ?? '').trim().split(/\s+/).map(secondsIn)
  if (user === undefined || system === undefined || !Number.isFinite(user + system)) {
    throw new Error(`The shell's times are ${JSON.stringify(times)}, which nobody can read.`)
  }
  return { user, system }
}

function secondsIn(text: string): number {
  const [, minutes, seconds] = /^(\d+)m([\d.,]+)s$/.exec(text) ?? []
  return Number(minutes) * 60 + Number(seconds?.replace(',', '.'))
}

/** The most memory that a process has taken so far, in bytes, on Linux. */
function peakOf(pid: string): number | undefined {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
