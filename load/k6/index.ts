import { access, constants } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import { cached, cachedOrFetched } from './obtain.ts'
import { K6_FILE, MINIMUM_K6, RELEASE, type Release } from './release.ts'
import { BY_HAND, inspectK6, type K6, NoK6, type Search } from './search.ts'

export { K6_ENVIRONMENT } from './release.ts'
export { type K6, NoK6 } from './search.ts'

interface FindOptions {
  /** The environment: `K6_BIN`, `PATH`, `TSS_CACHE_DIR`. Default: that of this process. */
  env?: NodeJS.ProcessEnv
  /** The release to build if no k6 is found. */
  release?: Release
  /** Receives progress, one line at a time: rejected binaries, seconds of a build. */
  onProgress?: (line: string) => void
  /** Aborts the search and cleans up. */
  signal?: AbortSignal
}

/**
 * Finds k6, or builds it: `K6_BIN`, the `PATH`, the kit's cache, a build with Go, which is kept in the cache.
 * @throws NoK6 with one sentence if there is none; the reason of `signal` once that is aborted
 */
export async function findK6({
  env = process.env,
  release = RELEASE,
  onProgress = () => {},
  signal = new AbortController().signal,
}: FindOptions = {}): Promise<K6> {
  signal.throwIfAborted()
  const search: Search = { env, release, onProgress, signal, tried: [] }
  const found = (await named(search)) ?? (await onPath(search)) ?? (await cachedOrFetched(search))
  if (found !== undefined) return found
  throw new NoK6(
    'machine',
    `k6 was not found and could not be obtained (${search.tried.join('; ')}): ${BY_HAND}.`,
  )
}

/**
 * Looks for k6 as `findK6` does, without fetching it.
 *
 * @returns the one that was found, and why others were rejected, as parts of sentences
 */
export async function presentK6({
  env = process.env,
  release = RELEASE,
  signal = new AbortController().signal,
}: Omit<FindOptions, 'onProgress'> = {}): Promise<{ k6?: K6; passed: string[] }> {
  const search: Search = { env, release, onProgress() {}, signal, tried: [] }
  try {
    const found = (await named(search)) ?? (await onPath(search))
    if (found !== undefined) return { k6: found, passed: search.tried }
  } catch (error) {
    if (error instanceof NoK6) return { passed: [error.message] }
    throw error
  }
  const kept = await cached(search)
  return 'path' in kept ? { k6: kept, passed: search.tried } : { passed: [...search.tried, kept.problem] }
}

async function named({ env, signal }: Search): Promise<K6 | undefined> {
  if (!env.K6_BIN) return undefined
  const path = resolve(env.K6_BIN)
  const inspected = await inspectK6(path, { env, signal })
  if ('version' in inspected) return { path, version: inspected.version, source: 'K6_BIN' }
  throw new NoK6(
    'call',
    `K6_BIN names ${path}, which ${inspected.problem}: name a k6 ${MINIMUM_K6} or newer, or unset K6_BIN to have one found.`,
  )
}

async function onPath({ env, signal, onProgress, tried }: Search): Promise<K6 | undefined> {
  const path = await firstOnPath(env.PATH ?? '')
  if (path === undefined) {
    tried.push('there is none on the PATH')
    return undefined
  }
  const inspected = await inspectK6(path, { env, signal })
  if ('version' in inspected) return { path, version: inspected.version, source: 'PATH' }
  tried.push(`${path} ${inspected.problem}`)
  onProgress(`${path} ${inspected.problem}: it is passed over`)
  return undefined
}

async function firstOnPath(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = resolve(folder, K6_FILE)
    try {
      await access(file, constants.X_OK)
      return file
    } catch {
      // Not in this folder.
    }
  }
  return undefined
}
