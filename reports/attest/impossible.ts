import type { Clause } from '../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../fixtures/clauses/index.ts'
import { LEAST } from '../judge/profile.ts'
import { differenceOf } from './computed.ts'
import type { Statement } from './statement.ts'

/** How far the clocks of two machines may differ, or one clock may jump, in milliseconds. */
export const CLOCKS_DIFFER = 24 * 60 * 60 * 1000

/**
 * Returns why no run of this version of the kit can have come to a statement, in a sentence, or `undefined`. It needs nothing beside the
 * statement, so that one without its folder is not believed either.
 */
export function whyImpossible({ predicate }: Statement): string | undefined {
  const { result, passedTests, warnedTests, travelSalesConformance: details } = predicate
  const { startedAt, finishedAt, profile, coverage, notExercised, waivers } = details
  if (!(Date.parse(startedAt) <= Date.parse(finishedAt)))
    return `it ends (${finishedAt}) before it starts (${startedAt})`
  if (Date.parse(finishedAt) > Date.now() + CLOCKS_DIFFER) return `it ends at ${finishedAt}, which is to come`

  const catalogue: Readonly<Record<string, Clause>> = CLAUSES
  const ids = [...passedTests, ...warnedTests, ...notExercised]
  const unknown = ids.find(id => !Object.hasOwn(catalogue, id))
  if (unknown !== undefined) return `it speaks of ${unknown}, which is no clause`
  if (new Set(ids).size < ids.length) return 'it lists a clause twice'
  const waived = new Set(waivers.map(({ clause }) => clause))
  const unkept = warnedTests.find(id => catalogue[id]!.level === 'must' && !waived.has(id))
  if (unkept !== undefined) return `${unkept} is required, and is neither kept nor waived`
  if ((result === 'PASSED') !== (warnedTests.length === 0))
    return `it is ${result}, and ${warnedTests.length} of its clauses are not kept`

  const counted = {
    applicable: ids.length,
    exercised: passedTests.length + warnedTests.length,
    conforming: passedTests.length,
  }
  const differs = differenceOf(counted, coverage, false)
  if (differs !== undefined)
    return `it says ${differs.told} under coverage.${differs.path}, and its lists come to ${differs.said}`
  for (const { kind, applicable, exercised, conforming } of coverage.kinds ?? []) {
    const falling = [counted.applicable, applicable, exercised, conforming, 0]
    if (falling.some((number, at) => number < (falling[at + 1] ?? 0)))
      return `it counts ${conforming} conforming of ${exercised} exercised of ${applicable} applicable for ${kind}`
  }
  const { name, asked, exercised } = profile
  return asked < 1 || exercised > asked || exercised < LEAST[name] * asked
    ? `it exercised ${exercised} of ${asked} that the profile ${name} asks for`
    : undefined
}
