import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { nextLine } from './ask.ts'

test('Enter goes on, again and again', async () => {
  const input = new PassThrough()
  const first = nextLine(input, new AbortController().signal)
  input.write('\n')
  expect(await first).toBe('')
  const second = nextLine(input, new AbortController().signal)
  input.write('skip\n')
  expect(await second).toBe('skip')
})

test('the end of the input, or an interruption, gives no line', async () => {
  const input = new PassThrough()
  input.end()
  expect(await nextLine(input, new AbortController().signal)).toBeUndefined()
  const interrupted = new AbortController()
  const line = nextLine(new PassThrough(), interrupted.signal)
  interrupted.abort()
  expect(await line).toBeUndefined()
})
