import { expect, test } from 'vitest'
import { isDrawn } from '../scenarios/lib/drawn.ts'

const drawn = (settings: Record<string, number>, nonce: string) =>
  Array.from({ length: 10_000 }, (_, number) => number).filter(number => isDrawn({ settings, nonce }, number))

test('a share of the journeys is drawn, of every kind in the mix', () => {
  const numbers = drawn({ judge: 0.1 }, '1ab-cafe')
  expect(numbers.length).toBeGreaterThan(900)
  expect(numbers.length).toBeLessThan(1100)
  for (let turn = 0; turn < 14; turn++)
    expect(numbers.filter(number => number % 14 === turn).length).toBeGreaterThan(40)
})

test('the same seed draws the same journeys in every process, another one others', () => {
  const numbers = drawn({ judge: 0.1 }, '1ab-cafe')
  expect(drawn({ judge: 0.1 }, '1ab-beef')).toEqual(numbers)
  expect(drawn({ judge: 0.1 }, '1ac-cafe')).not.toEqual(numbers)
})

test('all are drawn without a share, and none for a share of 0', () => {
  expect(drawn({}, '1ab-cafe')).toHaveLength(10_000)
  expect(drawn({ judge: 0 }, '1ab-cafe')).toEqual([])
})
