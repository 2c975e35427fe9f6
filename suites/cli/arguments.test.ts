import { expect, test } from 'vitest'
import { duration, list, settings, share, wholeNumber } from './arguments.ts'

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['1.5h', 5_400_000],
])('%s is a duration', (text, milliseconds) => {
  expect(duration(text)).toBe(milliseconds)
})

test.each(['', '10', 'm', '-1m', '0s', '10 m', '1d'])('%j is no duration', text => {
  expect(() => duration(text)).toThrow('Write it like 90s, 10m or 1h.')
})

test('whole numbers keep their bounds', () => {
  expect(wholeNumber(1)('7')).toBe(7)
  expect(() => wholeNumber(1)('0')).toThrow('at least 1')
  expect(() => wholeNumber(0, 65_535)('65536')).toThrow('from 0 to 65535')
  expect(() => wholeNumber(0)('1e3')).toThrow('whole number')
  expect(() => wholeNumber(0)('')).toThrow('whole number')
})

test.each(['0', '1', '0.95', '.5', '1.0'])('%s is a share', text => {
  expect(share(text)).toBe(Number(text))
})

test.each(['', '1.1', '95', '-0.1', '95%'])('%j is no share', text => {
  expect(() => share(text)).toThrow('from 0 to 1')
})

test('names are separated by commas', () => {
  expect(list('timeouts, soak,')).toEqual(['timeouts', 'soak'])
  expect(() => list(' , ')).toThrow('with commas between them')
})

test('settings are numbers by name', () => {
  expect(settings('rate=5,duration=.5, keys=1000')).toEqual({ rate: 5, duration: 0.5, keys: 1000 })
})

test.each(['', 'rate', 'rate=', 'rate=fast', 'rate=-1', '=5', 'rate=1e3'])(
  '%j is refused as settings',
  text => {
    expect(() => settings(text)).toThrow(/such as rate=5|with commas/)
  },
)
