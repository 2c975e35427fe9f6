import { expect, test } from 'vitest'
import { refuseRemoved } from './removed.ts'

test.each([
  ['completion bash', 'completion is gone: help lists the commands'],
  ['report --also=ctrf,har', '--also is gone: every run writes junit.xml'],
  ['examine --status-port 1', '--status-port is gone: a script of your own'],
  ['load --profile soak', '--profile soak is gone: use --profile staging'],
])('%s is refused with what to use instead', (call, words) => {
  expect(() => refuseRemoved(call.split(' '))).toThrow(words)
})

test.each([
  ['examine', '--exec', 'report --also ctrf'],
  ['load', '--profile', 'staging'],
  ['certify', '--env-file', 'x'],
])('%s %s %s is none of them', (...args) => {
  expect(() => refuseRemoved(args)).not.toThrow()
})
