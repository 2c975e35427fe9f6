import { expect, test } from 'vitest'
import { commandToSeeAgain } from './command-to-see-again.ts'

const of = (...products: ('v1-transfers' | 'v2-hotels')[]) => ({
  run: '20260101T000000-1',
  deployment: { name: 'x', baseUrl: '', products },
})

test.each([
  ['suites/v2/x.suite.ts > a > b', 0, /replay V2-IDEM-REPLAY --run 20260101T000000-1$/],
  ['suites/v2/x.suite.ts > a > b', 1, /replay V2-IDEM-REPLAY#2 --run 20260101T000000-1$/],
  ['load/scenarios/booking-contention.ts > one order', 2, /load --scenario booking-contention$/],
  ['examine > mine > lost-answer', 0, /examine --situation lost-answer --products v1-transfers$/],
] as const)('a finding of %s (%i) is seen again by the command that made it', (check, at, command) => {
  expect(commandToSeeAgain(of('v1-transfers'), 'V2-IDEM-REPLAY', { check }, at)).toMatch(command)
})

test('several products are separated by commas', () => {
  const check = 'examine > mine > lost-answer'
  expect(commandToSeeAgain(of('v1-transfers', 'v2-hotels'), 'V2-IDEM-REPLAY', { check }, 0)).toMatch(
    /--products v1-transfers,v2-hotels$/,
  )
})

test('a finding of a recording has no command', () => {
  expect(commandToSeeAgain(of(), 'V2-IDEM-REPLAY', { check: 'audit > traffic.har' }, 0)).toBeUndefined()
})
