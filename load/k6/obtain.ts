import { existsSync } from 'node:fs'
import { buildK6 } from './build.ts'
import { cachedK6, cacheFolder, inWorkshop, putIntoCache } from './cache.ts'
import { withLock } from './lock.ts'
import { type Fetching, inspectK6, type K6, type Made, type Problem, type Search } from './search.ts'

/**
 * Returns the k6 in the kit's cache, or builds one into it.
 *
 * @returns `undefined` if nothing worked; `tried` says why
 * @throws NoK6 if the cache is not writable, or a module fails verification; the reason of `signal`
 */
export async function cachedOrFetched(search: Search): Promise<K6 | undefined> {
  const { env, signal, onProgress, tried } = search
  const ready = await cached(search)
  if ('path' in ready) return ready
  const cache = cacheFolder(env)
  const onWait = () => onProgress('another run is building k6: waiting for it')
  return inWorkshop(cache, workshop =>
    withLock(cache, { signal, onWait }, async () => {
      const now = await cached(search)
      if ('path' in now) return now
      tried.push(now.problem)
      return built({ ...search, workshop })
    }),
  )
}

/**
 * Returns the k6 in the kit's cache, or why there is none. It asks the binary for its version first, since the file
 * may be damaged or of another platform.
 */
export async function cached({ env, release, signal }: Search): Promise<K6 | Problem> {
  const cache = cacheFolder(env)
  const problems: string[] = []
  for (const { version } of release.sources) {
    const path = cachedK6(cache, version)
    if (!existsSync(path)) continue
    const inspected = await inspectK6(path, { env, signal })
    if ('version' in inspected) return { path, version: inspected.version, source: 'cache' }
    problems.push(`${path} ${inspected.problem}`)
  }
  return { problem: problems.join('; ') || `${cache} holds none` }
}

async function built(fetching: Fetching): Promise<K6 | undefined> {
  const { env, onProgress, tried } = fetching
  onProgress(tried.at(-1)!)
  const got = await proven(await buildK6(fetching), fetching)
  if ('problem' in got) {
    tried.push(got.problem)
    return undefined
  }
  const path = cachedK6(cacheFolder(env), got.release)
  await putIntoCache(got.path, path)
  onProgress(`k6 ${got.version} is ready in ${path}`)
  return { path, version: got.version, source: 'go' }
}

/** Only a binary that starts is cached. */
async function proven(
  made: Made | Problem,
  { env, signal }: Fetching,
): Promise<(Made & { version: string }) | Problem> {
  if ('problem' in made) return made
  const inspected = await inspectK6(made.path, { env, signal })
  if ('problem' in inspected) return { problem: `the k6 ${made.release} that was got ${inspected.problem}` }
  return { ...made, ...inspected }
}
