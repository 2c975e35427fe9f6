import { execFileSync } from 'node:child_process'
import { seedFor } from '../../../fixtures/check/session/seed.ts'

/** Whether nothing is left to the draw, as `npm run prove:all` wants it. */
export const everything = process.env.TSS_TESTS === 'all'

/** The seed of what is drawn by the commit: tests of the same commit draw the same. */
export const commitSeed = seedOfCommit()

function seedOfCommit(): number {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, stdio })
    return Number.parseInt(String(commit).slice(0, 7), 16)
  } catch {
    // A copy without its history.
    return 1734
  }
}

/** Returns as many of some things as are tested on one commit; all of them for `npm run prove:all`. */
export function drawn<T>(things: readonly T[], count: number, nameOf: (thing: T) => string): readonly T[] {
  if (everything) return things
  const rank = (thing: T) => seedFor(commitSeed, nameOf(thing))
  return things.toSorted((one, other) => rank(one) - rank(other)).slice(0, count)
}
