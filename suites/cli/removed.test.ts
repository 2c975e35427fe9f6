import { expect, test } from 'vitest'
import { refuseRemoved } from './removed.ts'

test.each([
  ['merge a b', 'merge is gone: load --archive writes'],
  ['replay V2-IDEM-REPLAY-FLAG --out=x', '--out is gone: a replay is written'],
  ['load --profile soak', '--profile soak is gone: use --profile staging'],
])('%s is refused with what to use instead', (call, words) => {
  expect(() => refuseRemoved(call.split(' '))).toThrow(words)
})

test.each([
  ['certify', '--out', 'x'],
  ['load', '--profile', 'staging'],
])('%s %s %s is none of them', (...args) => {
  expect(() => refuseRemoved(args)).not.toThrow()
})
