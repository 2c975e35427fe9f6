import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { withLock } from './lock.ts'

const never = new AbortController().signal

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
