import { describe, expect, test } from 'vitest'
import { assemble } from '../judge/assemble.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { exampleInput, exampleRecord } from '../testing/example.ts'
import { exampleLoadRecord } from '../testing/example-load.ts'
import { finalText, wantsColour } from './summary.ts'

const options = { colour: false, dir: 'reports/out/x' }

describe('the final text', () => {
  const text = finalText(exampleRecord, options)

  test('starts with the verdict and both numbers', () => {
    const [first, second] = text.split('\n')
    expect(first).toBe('VIOLATES  2 required clauses were seen broken. 1 recommendation is not followed.')
    expect(second).toBe(
      '3 of 6 exercised clauses conform; 6 of 9 applicable clauses were exercised (1 has no check yet).',
    )
  })

  test('states the seed, if any', () => {
    expect(text).toMatch(/ on v2\. Seed: \d+\.$/m)
    const { seed: _, ...seedless } = exampleRecord
    expect(finalText(seedless, options)).not.toMatch(/seed/i)
  })

  test('lists every finding by clause, and the number of similar ones', () => {
    expect(text).toContain('✗ V2-IDEM-REPLAY A repeat of a finished booking')
    expect(text).toContain('expected status 200, got 201 with another booking_id (exchanges a3, a4)')
    expect(text).toContain('got no Cache-Control (exchange a5); and 3 more answers like it\n')
    expect(text).toContain('    and 3 more causes\n')
    expect(text).toContain(`    npx travel-sales replay V2-OFFER-FORGED#2 --run ${exampleRecord.run}\n`)
    expect(text).toContain('! V2-CACHE-OTHER')
    const [broken] = exampleRecord.clauses
    const clauses = Array.from({ length: 27 }, (_, at) => ({
      ...broken!,
      id: `X-${at}`,
      findings: [{ ...broken!.findings[0]!, exchanges: [`e${at}`] }],
    }))
    expect(finalText({ ...exampleRecord, clauses }, options)).toContain(
      'and 2 more clauses: X-25, X-26 (see report.html)',
    )
  })

  test('lists the state transitions that no walk visited', () => {
    expect(text).not.toContain('state transitions')
    const [first, ...others] = exampleRecord.checks
    const transitions = { visited: ['booked'], missed: ['cancelled'] }
    const walked = { ...exampleRecord, checks: [{ ...first!, transitions }, ...others] }
    expect(finalText(walked, options)).toContain(
      '1 of 2 state transitions visited in 1 model-based check; not visited: cancelled.',
    )
  })

  test('names the kinds of product whose walks missed a transition', () => {
    const [first, ...others] = exampleRecord.checks
    const walk = (of: string, missed: string[]) => ({
      ...first!,
      transitions: { of, visited: ['booked'], missed },
    })
    const walks = [walk('transfers', ['pending', 'gone']), walk('hotels', ['pending']), walk('v1 hotels', [])]
    expect(finalText({ ...exampleRecord, checks: [...walks, ...others] }, options)).toContain(
      '3 of 6 state transitions visited in 3 model-based checks; not visited with transfers, hotels: pending; not visited with transfers: gone.',
    )
  })

  test('says of a test booking whose cancellation was refused that this is legal', () => {
    const leftovers = [{ ...exampleRecord.leftovers[0]!, refused: true }]
    expect(finalText({ ...exampleRecord, leftovers }, options)).toContain(
      'cancelling answered 409 CANCELLATION_REJECTED; it is a test booking, and such an answer is legal',
    )
  })

  test('says of many test bookings that may legally stay in a line that none costs anything', () => {
    const [dear] = exampleRecord.leftovers
    const legal = Array.from({ length: 14 }, (_, at) => ({ ...dear!, bookingId: `${at}`, refused: true }))
    const lines = finalText({ ...exampleRecord, leftovers: [dear!, ...legal] }, options).split('\n')
    expect(lines.filter(line => /^ {2}(?:booking|\d+ test booking)/.test(line))).toEqual([
      expect.stringContaining('booking 99120'),
      '  14 test bookings could not be cancelled, which is legal; none costs anything',
    ])
  })

  test('says once why bookings may still stand, however many there are', () => {
    const [other] = exampleRecord.leftovers
    const ofOneFault = Array.from({ length: 9 }, (_, at) => ({
      ...other!,
      bookingId: `7${at}`,
      reason: `it is still confirmed (exchange a${at})`,
      entry: `e${at}`,
    }))
    const record = { ...exampleRecord, leftovers: [other!, ...ofOneFault] }
    expect(finalText(record, options)).toContain(
      '  9 bookings, of each: it is still confirmed: booking 70 (transfers, role standard) [entry e0], ',
    )
    expect(finalText(record, options)).toContain(
      'booking 74 (transfers, role standard) [entry e4] and 4 more\n',
    )
    const { reasons } = outcomeOf(record)
    expect(reasons.find(({ about }) => about === 'bookings')?.text).toMatch(
      /^10 bookings may still stand, 9 for one reason \(it is still confirmed\): cancel by hand/,
    )
  })

  test('names exchanges that the message does not', () => {
    expect(text).toContain('    exchanges b1, b2; suites/v2-offers/forged.suite.ts')
  })

  test('says how to get at a run that is not among those where the newest one is looked for', () => {
    expect(finalText(exampleRecord, { ...options, dir: 'else where/x' })).toContain(
      "Reports: else where/x (open report.html; explain and replay take --run 'else where/x')",
    )
    const client = { ...exampleRecord, subject: 'client' as const }
    expect(finalText(client, options)).toContain('(open report.html; explain takes --run x)')
  })

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

  test('combines what was blocked for several bookings', () => {
    const answers = [1, 2].map(id => `GET /api/v2/bookings/${id}/voucher answered 410 (exchange a${id})`)
    const clauses = exampleRecord.clauses.map(row =>
      row.verdict === 'blocked' ? { ...row, reason: answers.join('; ') } : row,
    )
    expect(finalText({ ...exampleRecord, clauses }, options)).toContain(
      '   1  GET /api/v2/bookings/{id}/voucher answered 410  ',
    )
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

  test('lists a check that was blocked after it decided all of its clauses', () => {
    const [first] = exampleInput.collected.checks
    const { findings: _, ...report } = first!.report!
    const late = {
      ...first!,
      report: { ...report, findings: [], stopped: { verdict: 'blocked', reason: 'reset' } as const },
    }
    const collected = { ...exampleInput.collected, checks: [late] }
    expect(finalText(assemble({ ...exampleInput, collected }), options)).toContain(`   1  reset  ${late.id}`)
  })
})

test('the final text of a load run has at most four lines per scenario', () => {
  const told = finalText(exampleLoadRecord, options).split('\n')
  const start = told.indexOf('Under load (k6 2.3.0)')
  expect(told.slice(start + 1, told.indexOf('', start))).toEqual([
    '  rate-limit-burst  violates  5,710 requests in 14 s',
    '    passed on v1, of 520: 500; passed on v2, of 520: 500; window of v1: fixed minute; window of v2: fixed minute',
    '    slowest call: v2 probe, p95 5.8 ms, p99 9.8 ms',
    '  booking-contention  conforms  8,412 requests in 26 s',
    '    keys: 2,000; bookings: 2,000; answered while in progress: 31.3 %; from first copy to last answer: 41 ms',
    '    slowest call: v2 book, p95 39 ms, p99 66 ms',
    '    The deployment counted 8,415 requests, 3 more than the 8,412 that were sent.',
    '  search-polling  not exercised  0 requests in 20 s',
    '  breakpoint  measured  1,204,318 requests in 1 h 2 min',
    expect.stringContaining('    fails at, journeys a second: 112; memory at the end: 1,312 MB'),
    expect.stringContaining('    311 iterations were dropped'),
  ])
  expect(told[1]).toBe(
    '2 of 3 exercised clauses conform; 3 of 11 applicable clauses were exercised (a load run covers few of them).',
  )
  expect(finalText(exampleRecord, options)).not.toContain('Under load')
})

test('colours only on a terminal, and never with NO_COLOR', () => {
  expect(wantsColour({ isTTY: true }, {})).toBe(true)
  expect(wantsColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
  expect(wantsColour({ isTTY: true }, { NO_COLOR: '' })).toBe(true)
  expect(wantsColour({}, {})).toBe(false)
})
