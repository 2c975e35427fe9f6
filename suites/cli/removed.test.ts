import { expect, test } from 'vitest'
import { refuseRemoved } from './removed.ts'

test.each([
  ['completion bash', 'completion is gone: help lists the commands'],
  ['prove --only v2-bookings', 'prove is gone: run npm run prove in a clone'],
  ['report --also=ctrf,har', '--also is gone: every run writes junit.xml'],
  ['check-definition --book', 'use doctor --try, or doctor --book'],
  ['compare a b', 'ui and site say what broke'],
  ['replay --embedded', 'use --deployment embedded'],
  ['doctor --env x', 'TSS_ENV_FILE'],
  ['certify --repeat 3', 'run certify again'],
  ['replay X --progress ndjson', '--progress is gone: ui shows'],
  ['cleanup run --cleanup-patience=2s', '--max-duration bounds what comes before'],
  ['examine --har --demo', '--demo is gone: examine your own client'],
  ['examine --har', '--har is gone: audit reads the exchanges.ndjson'],
  ['examine --status-port 1', '--status-port is gone: the status takes a free port'],
  ['load --keep-raw', '--keep-raw is gone: the record'],
  ['attest --prove prove.json', '--prove is gone: whoever verifies'],
  ['site --key a.pem', '--key is gone: verify says'],
])('%s is refused with what to use instead', (call, words) => {
  expect(() => refuseRemoved(call.split(' '))).toThrow(words)
})

test('options of the command that is examined are its own', () => {
  expect(() => refuseRemoved(['examine', '--exec', 'report --also ctrf'])).not.toThrow()
})
