import { beforeAll } from 'vitest'
import { print } from '../../../fixtures/output/console.ts'
import type { RunRecord } from '../../../fixtures/record.ts'
import { findK6 } from '../../../load/k6/index.ts'
import { recordIn } from './booked.ts'
import { type Ended, freshFolder, runTss } from './command.ts'

/** Milliseconds, enough to fetch k6 first. */
const TIMEOUT = 900_000

/** Fetches k6 before the tests of a file, if needed. */
export function withK6(): void {
  beforeAll(async () => {
    await findK6({ onProgress: line => print(`${line}\n`) })
  }, TIMEOUT)
}

/** Puts load on the embedded deployment, or on the one in the environment. */
export async function load(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended & { record: RunRecord; cwd: string }> {
  const cwd = freshFolder()
  const ended = await runTss(['load', ...args], { cwd, env })
  return { ...ended, cwd, record: recordIn(cwd) }
}
