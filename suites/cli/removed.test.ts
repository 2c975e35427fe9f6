import { expect, test } from 'vitest'
import { refuseRemoved } from './removed.ts'

test.each([
  ['prove --all', 'prove is gone: run npm run prove'],
  ['certify --also=ctrf,har', '--also is gone: every run writes junit.xml'],
  ['load --profile soak', '--profile soak is gone: use --profile staging'],
])('%s is refused with what to use instead', (call, words) => {
  expect(() => refuseRemoved(call.split(' '))).toThrow(words)
})

test.each([
  ['examine', '--exec', 'certify --also ctrf'],
  ['load', '--profile', 'staging'],
  ['certify', '--env-file', 'x'],
])('%s %s %s is none of them', (...args) => {
  expect(() => refuseRemoved(args)).not.toThrow()
})
