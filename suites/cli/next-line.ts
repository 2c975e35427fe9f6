import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Returns the next line that is typed; `undefined` at the end of the input, or once the signal is aborted. */
export async function nextLine(input: Readable, signal: AbortSignal): Promise<string | undefined> {
  const lines = createInterface({ input })
  try {
    return await new Promise(resolve => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
  } finally {
    lines.close()
  }
}
