import { describe, expect, test } from 'vitest'
import { adapterOf } from './adapter.ts'

const own = (answer: { done: boolean }): boolean => answer.done
const sample = { done: true, found: [{ id: 7 }] }
const outer = 'found'

function named(answer: typeof sample): number[] {
  return answer.found.map(({ id }) => id)
}

/** What the text of an adapter does. */
const run = (adapter: ReturnType<typeof adapterOf>, answer: unknown): unknown =>
  adapter === 'default' ? 'default' : new Function(`return (${adapter.source})`)()(answer)

describe('an adapter for k6', () => {
  test('is told by name where it is the kit’s own', () => {
    expect(adapterOf('shapes.hotels.finished', own, own, sample)).toBe('default')
  })

  test.each([
    ['an arrow function', (answer: typeof sample) => answer.found.map(({ id }) => id)],
    [
      'a method',
      {
        ids(answer: typeof sample) {
          return answer.found.map(({ id }) => id)
        },
      }.ids,
    ],
    ['a function of a name', named],
  ])('is told by its text where it is %s that stands alone', (_, used) => {
    const adapter = adapterOf('shapes.hotels.hotels', used, own, sample)
    expect(run(adapter, sample)).toEqual([7])
    expect(run(adapter, { found: [] })).toEqual([])
  })

  test.each([
    ['an outer name', (answer: typeof sample) => answer[outer as 'found'].length],
    ['Node', () => process.pid],
  ])('is refused where it needs %s', (_, used) => {
    expect(() => adapterOf('shapes.hotels.hotels', used, own, sample)).toThrow(
      /shapes\.hotels\.hotels .* without imports and outer names/,
    )
  })
})
