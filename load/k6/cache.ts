import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../../fixtures/output/folders.ts'
import { K6_FILE, PLATFORM } from './release.ts'
import { BY_HAND, NoK6, reasonOf } from './search.ts'

const WORKSHOP = 'making-'

/** The age in milliseconds after which a temporary folder is abandoned. */
const FORGOTTEN = 24 * 60 * 60 * 1000

/** Returns the folder for downloaded programs, by the conventions of the system; `TSS_CACHE_DIR` overrides it. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (env.TSS_CACHE_DIR) return resolve(env.TSS_CACHE_DIR)
  return join(systemCache(env, platform), 'travel-sales-conformance')
}

function systemCache(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = env.HOME || homeOfUser()
  if (platform === 'win32') return env.LOCALAPPDATA || join(home, 'AppData', 'Local')
  if (env.XDG_CACHE_HOME) return resolve(env.XDG_CACHE_HOME)
  return platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache')
}

/** A user without a name has no home, and containers take the root for it. */
function homeOfUser(): string {
  try {
    return homedir()
  } catch {
    return '/'
  }
}

/** Returns the path of a version of k6 in the cache. */
export const cachedK6 = (cache: string, version: string): string =>
  join(cache, `k6-${version}-${PLATFORM}`, K6_FILE)

/**
 * Gives `make` a temporary folder in the cache and removes it afterwards. It is on the same file system as the
 * cache, so a finished file can be moved atomically. @throws NoK6 if the cache is not writable
 */
export async function inWorkshop<T>(cache: string, make: (folder: string) => Promise<T>): Promise<T> {
  const folder = await openCache(cache)
  try {
    return await make(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

async function openCache(cache: string): Promise<string> {
  try {
    makeFolder(cache)
    await sweep(cache)
    return await mkdtemp(join(cache, WORKSHOP))
  } catch (error) {
    throw notKept(cache, error)
  }
}

/** Removes temporary folders of killed processes. */
async function sweep(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(WORKSHOP)) continue
    const folder = join(cache, name)
    const made = await stat(folder).catch(() => undefined)
    if (made !== undefined && Date.now() - made.mtimeMs > FORGOTTEN)
      await rm(folder, { recursive: true, force: true })
  }
}

/** Moves a finished program into the cache atomically, replacing an older one. @throws NoK6 if that fails */
export async function putIntoCache(made: string, place: string): Promise<void> {
  try {
    await chmod(made, 0o755)
    await mkdir(dirname(place), { recursive: true })
    await rename(made, place)
  } catch (error) {
    throw notKept(place, error)
  }
}

const notKept = (place: string, error: unknown): NoK6 =>
  new NoK6(
    'machine',
    `k6 cannot be kept in ${place} (${reasonOf(error)}): set TSS_CACHE_DIR to a folder that can be written, or ${BY_HAND}.`,
    { cause: error },
  )
