import { expect, test } from 'vitest'
import { refuseRemoved } from './removed.ts'

test.each([
  ['completion bash', 'completion is gone: help lists the commands'],
  ['certify --also ctrf,sarif', '--also sarif is gone: use --also ctrf'],
  ['report --also=badge,har', '--also badge is gone: read the verdict in record.json'],
])('%s is refused with what to use instead', (call, words) => {
  expect(() => refuseRemoved(call.split(' '))).toThrow(words)
})

test('options of the command that is examined are its own', () => {
  expect(() => refuseRemoved(['examine', '--exec', 'report --also badge'])).not.toThrow()
})
