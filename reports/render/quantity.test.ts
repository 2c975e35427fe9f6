import { expect, test } from 'vitest'
import { milliseconds, number, seconds } from './plain.ts'

test.each([
  [0, '0'],
  [7, '7'],
  [2_000, '2,000'],
  [1_204_318, '1,204,318'],
  [79.94, '79.9'],
  [0.012345, '0.0123'],
  [-3.456, '-3.46'],
  [1234.5, '1,235'],
  [2_500_000_000, '2.5B'],
])('number: %d is told as %s', (value, told) => expect(number(value)).toBe(told))

test.each([
  [0, '0 ms'],
  [0.4184, '0.42 ms'],
  [1.24, '1.2 ms'],
  [9.96, '10 ms'],
  [87.4, '87 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [12_345, '12.3 s'],
  [400_000, '400 s'],
])('milliseconds: %d are told as %s', (value, told) => expect(milliseconds(value)).toBe(told))

test.each([
  [0.84, '0.8 s'],
  [42.4, '42 s'],
  [59.6, '1 min'],
  [200, '3 min 20 s'],
  [3_725, '1 h 2 min'],
  [7_199.9, '2 h'],
])('seconds: %d are told as %s', (value, told) => expect(seconds(value)).toBe(told))
