import { describe, expect, test } from 'vitest'
import { assemble } from '../judge/assemble.ts'
import { exampleInput, exampleRecord } from '../testing/example.ts'
import { finalText, wantsColour } from './summary.ts'

const options = { colour: false, dir: 'reports/out/x' }

describe('the final text', () => {
  const text = finalText(exampleRecord, options)

  test('lists what was blocked, what was not exercised, leftover bookings, and where to look', () => {
    for (const line of [
      '   1  no offers for product 118 within 90 days, although v2-transfers is claimed  V2-VOUCHER-READY',
      '   1  its check is still to be written',
      'booking 99120 (transfers, role standard): cancelling answered 409 CANCELLATION_REJECTED',
      'Requests: 12 on v1, 2,304 on v2. Seed: 1234567.',
      'Reports: reports/out/x (open report.html; explain and replay take --run x)',
    ]) {
      expect(text).toContain(line)
    }
  })

  test('contains no control characters except its own colours', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/
    expect(text).not.toMatch(control)
    const coloured = finalText(exampleRecord, { ...options, colour: true })
    expect(coloured).toContain('\u001b[31m')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours
    expect(coloured.replaceAll(/\u001b\[\d+m/g, '')).toBe(text)
  })

  test('stays short', () => {
    const collected = {
      ...exampleInput.collected,
      moduleErrors: Array.from({ length: 500 }, () => ({ file: 'x', message: 'x'.repeat(100_000) })),
    }
    const long = finalText(assemble({ ...exampleInput, collected, halted: 'out of time' }), options)
    expect(long).toContain('Not completed: out of time')
    expect(long).toContain('and 480 more')
    expect(long.length).toBeLessThan(20_000)
  })
})

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [undefined, {}, false],
])('colours on a terminal (%j) with %j: %j', (isTTY, env, wanted) => {
  expect(wantsColour(isTTY === undefined ? {} : { isTTY }, env)).toBe(wanted)
})
