import { execFileSync } from 'node:child_process'
import { seedFor } from '../../../fixtures/check/draw/draw.ts'

/** Whether everything is tested instead of a draw, as in `npm run prove:all`. */
export const everything = process.env.TSS_TESTS === 'all'

/** The seed of draws, derived from the commit, so that tests of the same commit draw the same. */
export const commitSeed = seedOfCommit()

function seedOfCommit(): number {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, stdio })
    return Number.parseInt(String(commit).slice(0, 7), 16)
  } catch {
    // A copy without git history.
    return 1734
  }
}

/** Draws the things that are tested on this commit; returns all for `npm run prove:all`. */
export function drawn<T>(things: readonly T[], count: number, nameOf: (thing: T) => string): readonly T[] {
  if (everything) return things
  const rank = (thing: T) => seedFor(commitSeed, nameOf(thing))
  return things.toSorted((one, other) => rank(one) - rank(other)).slice(0, count)
}
