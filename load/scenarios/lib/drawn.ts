import type { Plan } from '../../plan/plan.ts'

/**
 * Returns whether an iteration is in the judged share. The run's seed, which begins its nonce, draws the same ones
 * in each process.
 */
export function isDrawn(
  { settings: { judge = 1 }, nonce }: Pick<Plan, 'settings' | 'nonce'>,
  number: number,
): boolean {
  if (judge >= 1) return true
  let hash = Math.imul(seedOf(nonce) ^ number, 0x01000193)
  // Consecutive numbers differ only in their low bits; this spreads them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < judge
}

const seeds = new Map<string, number>()

/** Returns a number for the seed, cached since every journey needs it. */
function seedOf(nonce: string): number {
  let seed = seeds.get(nonce)
  if (seed === undefined) {
    seed = 0x811c9dc5
    for (const symbol of nonce.split('-', 1)[0]!) seed = Math.imul(seed ^ symbol.charCodeAt(0), 0x01000193)
    seeds.set(nonce, seed)
  }
  return seed
}
