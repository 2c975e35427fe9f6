import { access, constants, stat } from 'node:fs/promises'
import { childEnvironment } from '../../fixtures/run/child-environment.ts'
import { runProgram } from './program.ts'
import { K6_ENVIRONMENT, MINIMUM_K6, type Release } from './release.ts'

/** The timeout of `k6 version` in milliseconds. A virus scanner may delay the first start. */
const TIMEOUT = 30_000

/**
 * Returns the version of a binary.
 *
 * @returns the version without the `v`, or the problem as the rest of a sentence about the file if it cannot be
 * started, is not k6, or is too old
 * @throws the reason of `signal` once that is aborted
 */
export async function inspectK6(
  path: string,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<{ version: string } | Problem> {
  const violation = await whyNotStarted(path)
  if (violation !== undefined) return { problem: violation }
  const late = AbortSignal.timeout(TIMEOUT)
  try {
    const { code, stdout } = await runProgram(path, ['version'], {
      env: { ...childEnvironment(env), ...K6_ENVIRONMENT },
      signal: AbortSignal.any([signal, late]),
    })
    const version = k6VersionIn(stdout)
    if (version === undefined) return { problem: `does not say its version (it ended with ${code})` }
    if (olderThan(version, MINIMUM_K6)) return { problem: `is k6 ${version}, older than ${MINIMUM_K6}` }
    return { version }
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) return { problem: `does not say its version within ${TIMEOUT / 1000} s` }
    return { problem: `cannot be started (${(error as NodeJS.ErrnoException).code ?? 'no reason given'})` }
  }
}

async function whyNotStarted(path: string): Promise<string | undefined> {
  try {
    if (!(await stat(path)).isFile()) return 'is not a file'
  } catch {
    return 'is not there'
  }
  try {
    await access(path, constants.X_OK)
  } catch {
    return 'may not be executed'
  }
  return undefined
}

/** Returns the version in the output of `k6 version`, without the `v`. Builds of a commit have a suffix. */
export const k6VersionIn = (text: string): string | undefined =>
  /^k6(?:\.exe)?\s+v?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)/m.exec(text)?.[1]

/** Returns whether a version is older than a release. A pre-release is older than its release. */
export function olderThan(version: string, release: string): boolean {
  const [numbers = ''] = /^[\d.]+/.exec(version) ?? []
  const order = numbers.localeCompare(release, 'en', { numeric: true })
  return order < 0 || (order === 0 && version[numbers.length] === '-')
}

/** A k6 that starts and is new enough. */
export interface K6 {
  /** An absolute path. */
  path: string
  /** Without the `v`. */
  version: string
  /** Where it was found, or how it was fetched. */
  source: 'K6_BIN' | 'PATH' | 'cache' | 'go'
}

/** The parameters of the search for k6. */
export interface Search {
  env: NodeJS.ProcessEnv
  release: Release
  signal: AbortSignal
  /** Receives progress, one line at a time. */
  onProgress: (line: string) => void
  /** The problems of all attempts so far, as parts of sentences. */
  tried: string[]
}

/** The parameters of fetching k6. */
export interface Fetching extends Search {
  /** A temporary folder for this purpose. */
  workshop: string
}

/** A fetched program that is not in its place yet. */
export interface Made {
  path: string
  /** The version in the form of the release: `v2.3.0`. */
  release: string
}

/** A problem with an attempt, as a part of a sentence. */
export interface Problem {
  problem: string
}

/** Returns the words or the code of a system error. If several addresses failed, there is only a code. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? (message || 'no reason given')
}

/** Returns the output of a program in one line. */
export const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** Ends the search for k6 with one sentence: what was tried, what failed, and what to do. */
export class NoK6 extends Error {
  /** `call`: a setting of the caller is wrong; `machine`: no attempt succeeded. */
  readonly fault: 'call' | 'machine'

  constructor(fault: 'call' | 'machine', message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'NoK6'
    this.fault = fault
  }
}

/** The remedy by hand, as the end of a sentence. */
export const BY_HAND = `install k6 ${MINIMUM_K6} or newer and set K6_BIN to it`
