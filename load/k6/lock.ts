import { open, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** How often the holder of the lock updates it, and the age at which it is considered abandoned, in milliseconds. */
const SIGN_OF_LIFE = 1000
const GIVEN_UP = 10_000
const LOOK_AGAIN = 200

/**
 * Lets only one process at a time fetch k6, to avoid parallel builds. It is an optimisation: if two hold it at once
 * (after one slept), both succeed.
 *
 * @param cache an existing folder
 * @param onWait called once if another process holds it
 * @throws the reason of `signal` once that is aborted
 */
export async function withLock<T>(
  cache: string,
  { signal, onWait }: { signal: AbortSignal; onWait: () => void },
  act: () => Promise<T>,
): Promise<T> {
  const mark = join(cache, 'k6.lock')
  await take(mark, signal, onWait)
  const sign = setInterval(() => void utimes(mark, new Date(), new Date()).catch(() => {}), SIGN_OF_LIFE)
  try {
    return await act()
  } finally {
    clearInterval(sign)
    await rm(mark, { force: true })
  }
}

async function take(mark: string, signal: AbortSignal, onWait: () => void): Promise<void> {
  for (let waited = false; !(await claim(mark)); waited = true) {
    if (!waited) onWait()
    await setTimeout(LOOK_AGAIN, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

async function claim(mark: string): Promise<boolean> {
  try {
    await (await open(mark, 'wx')).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const last = await stat(mark).catch(() => undefined)
  if (last !== undefined && Date.now() - last.mtimeMs > GIVEN_UP) await rm(mark, { force: true })
  return false
}
