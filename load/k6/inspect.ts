import { childEnvironment } from '../../fixtures/run/child-environment.ts'
import { runProgram } from './program.ts'

/** The minimum version of k6, wherever it comes from. The scenarios need k6 2. */
export const MINIMUM_K6 = '2.0.0'

/** The environment of every k6: no telemetry, and no downloads of extensions. */
export const K6_ENVIRONMENT = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' } as const

/** The timeout of `k6 version` in milliseconds. A virus scanner may delay the first start. */
const TIMEOUT = 30_000

/** Why a file is not started, by the code of the system. */
const NOT_STARTED: Record<string, string> = { ENOENT: 'is not there', EACCES: 'may not be executed' }

/**
 * Returns the version of a binary.
 *
 * @returns the version without the `v`, or the problem as the rest of a sentence about the file if it cannot be
 * started, is not k6, or is too old
 * @throws the reason of `signal` once that is aborted
 */
export async function inspectK6(
  path: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ version: string } | { problem: string }> {
  const late = AbortSignal.timeout(TIMEOUT)
  try {
    const { code, stdout } = await runProgram(path, ['version'], {
      env: { ...childEnvironment(env), ...K6_ENVIRONMENT },
      signal: AbortSignal.any([signal, late]),
    })
    const version = k6VersionIn(stdout)
    if (version === undefined) return { problem: `does not say its version (it ended with ${code})` }
    if (isOlder(version, MINIMUM_K6)) return { problem: `is k6 ${version}, older than ${MINIMUM_K6}` }
    return { version }
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) return { problem: `does not say its version within ${TIMEOUT / 1000} s` }
    const { code = '' } = error as NodeJS.ErrnoException
    return { problem: NOT_STARTED[code] ?? `cannot be started (${code})` }
  }
}

/** Returns whether a version comes before a release. A pre-release (`2.0.0-rc1`) comes before its own. */
export function isOlder(version: string, release: string): boolean {
  const [numbers = ''] = version.split(/[-+]/)
  const order = numbers.localeCompare(release, 'en', { numeric: true })
  return order < 0 || (order === 0 && version[numbers.length] === '-')
}

/** Returns the version in the output of `k6 version`, without the `v`. Builds of a commit have a suffix. */
const k6VersionIn = (text: string): string | undefined =>
  /^k6(?:\.exe)?\s+v?(\d+\.\d+\.\d+(?:[-+][\w.+-]+)?)/m.exec(text)?.[1]
