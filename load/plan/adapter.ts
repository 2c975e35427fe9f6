import { isDeepStrictEqual } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { notExercised } from '../../fixtures/check/stop.ts'
import type { Adapter } from './plan.ts'

// biome-ignore lint/suspicious/noExplicitAny: adapters take whatever an answer is
type AnyFunction = (...args: any[]) => unknown

/**
 * Makes a function of a definition one that k6 can be told: the kit's own by its name, any other as its source text,
 * after seeing that the text alone does the same with a real answer.
 *
 * @param name where it stands in a definition, for whoever has to mend it
 * @throws Stop `not exercised` where it needs what stands around it
 */
export function adapterOf(name: string, used: AnyFunction, own: AnyFunction, sample: unknown): Adapter {
  if (used === own) return 'default'
  for (const source of spellings(used)) {
    try {
      const alone = runInContext(`(${source})`, createContext({}), { timeout: 1000 }) as AnyFunction
      const [here, there] = [used(sample), alone(structuredClone(sample))]
      if (isDeepStrictEqual(plain(there), plain(here))) return { source }
    } catch {
      // The next spelling, or the sentence below.
    }
  }
  throw notExercised(
    `k6 has to run ${name} of the definition by itself, and it needs what stands around it: write it without imports and outer names`,
  )
}

/** As an expression: a function is one, a method has to be taken out of an object. */
function spellings(used: AnyFunction): string[] {
  const source = used.toString()
  return [source, `({ ${source} }).${used.name}`]
}

/** Values of another realm have other prototypes. */
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))
