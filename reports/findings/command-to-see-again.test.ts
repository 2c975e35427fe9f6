import { expect, onTestFinished, test } from 'vitest'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { noteCall } from '../../fixtures/output/command-line.ts'
import { howToSeeAgain } from './command-to-see-again.ts'

const SUITE = 'suites/v2/x.suite.ts > a > b'
const LOAD = 'load/scenarios/booking-contention.ts > one order'
const EXAMINE = 'examine > mine > lost-answer'

test.each<[check: string, at: number, again: RegExp, called?: RunRecord['called']]>([
  [SUITE, 0, /replay V2-IDEM-RACE --run 2026-1$/],
  [SUITE, 1, /replay V2-IDEM-RACE#2 --run 2026-1$/],
  [
    SUITE,
    0,
    /replay V2-IDEM-RACE --run else\/2026-1 --deployment '.\/my staging.ts'$/,
    { deployment: './my staging.ts', out: 'else', profile: 'full' },
  ],
  [LOAD, 2, /load --scenario booking-contention$/],
  [LOAD, 0, /contention --set rate=5,size=2 --deployment env$/, { set: 'rate=5,size=2', deployment: 'env' }],
  [EXAMINE, 0, /examine --situation lost-answer --products v1-transfers,v2-hotels$/],
  ['watch > answers', 0, /^The kit does not send a recording again: .* curl, and a new/],
  ['audit > mine > requests', 0, /^The kit does not send a recording again: /],
])('a finding of %s (%i) is seen again as %s', (check, at, again, called) => {
  const record = {
    run: '2026-1',
    called,
    deployment: { name: 'x', baseUrl: '', products: ['v1-transfers' as const, 'v2-hotels' as const] },
    ...(/^(?:watch|audit)/.test(check) && { subject: 'recording' as const }),
  }
  expect(howToSeeAgain(record, { id: 'V2-IDEM-RACE', side: 'server' }, { check }, at)).toMatch(again)
})

test.each([
  ['node flow.js --fast', "--exec 'node flow.js --fast'"],
  ['TOKEN=x ./flow.sh', "--exec '<client>'"],
  ['./flow.sh $(date)', "--exec '<client>'"],
])('a client that was started by %s is started again, without secrets', (exec, words) => {
  noteCall({ exec })
  onTestFinished(() => noteCall({}))
  const record = { run: '2026-1', deployment: { name: 'x', baseUrl: '' }, subject: 'client' as const }
  const again = howToSeeAgain(record, { id: 'V2-IDEM-RACE', side: 'client' }, { check: EXAMINE }, 0)
  expect(again.split('lost-answer ')[1]).toBe(words)
})
