import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { withLock } from './lock.ts'

const never = new AbortController().signal

test('only one process acts at a time, and a waiting one is told once', async () => {
  const cache = temporaryFolder()
  const events: string[] = []
  const waits = Promise.withResolvers<void>()
  const first = withLock(cache, { signal: never, onWait: () => expect.unreachable() }, async () => {
    events.push('a begins')
    await waits.promise
    events.push('a ends')
  })
  await expect.poll(() => events).toEqual(['a begins'])
  const onWait = () => {
    events.push('b waits')
    waits.resolve()
  }
  await Promise.all([first, withLock(cache, { signal: never, onWait }, async () => events.push('b begins'))])
  expect(events).toEqual(['a begins', 'b waits', 'a ends', 'b begins'])
  expect(readdirSync(cache)).toEqual([])
})

test('the lock is released after a failure', async () => {
  const cache = temporaryFolder()
  const options = { signal: never, onWait: () => expect.unreachable() }
  await expect(withLock(cache, options, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await withLock(cache, options, async () => 'next')).toBe('next')
})

test('the lock of a dead process is taken over', async () => {
  const cache = temporaryFolder()
  writeFileSync(join(cache, 'k6.lock'), '')
  const long = new Date(Date.now() - 60_000)
  utimesSync(join(cache, 'k6.lock'), long, long)
  expect(await withLock(cache, { signal: never, onWait: () => {} }, async () => 'mine')).toBe('mine')
})

test('an interrupt ends the waiting and leaves the lock to its holder', async () => {
  const cache = temporaryFolder()
  writeFileSync(join(cache, 'k6.lock'), '')
  const controller = new AbortController()
  const waiting = withLock(
    cache,
    { signal: controller.signal, onWait: () => controller.abort(new Error('interrupted')) },
    async () => expect.unreachable(),
  )
  await expect(waiting).rejects.toThrow('interrupted')
  expect(existsSync(join(cache, 'k6.lock'))).toBe(true)
})
