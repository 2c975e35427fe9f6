import { expect, test } from 'vitest'
import type { Deployment } from '../../fixtures/deployments/definition/index.ts'
import { type ReadySender, watching } from './run-stages.ts'

test('an accelerated clock may be wrong by all the time for which control failed to move it', async () => {
  const failed = Promise.withResolvers<void>()
  let calls = 0
  const advanceClock = async () => {
    if (++calls === 4) failed.resolve()
    throw new Error('the connection was closed')
  }
  const sender = { alias: 'partner', role: 'standard', token: 'of a test' } as ReadySender
  const watch = watching({ control: { advanceClock } } as unknown as Deployment, [sender], 20)
  await failed.promise
  await watch.stop()
  expect(watch.behind()).toBeGreaterThan(100)
})
