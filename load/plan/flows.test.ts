import { expect, test } from 'vitest'
import type { Product } from '../../fixtures/deployments/control.ts'
import type { Stagehand } from '../run/run-stages.ts'
import type { Conductor } from './driver.ts'
import { bookingContention, breakpoint } from './flows.ts'
import type { Settings } from './plan.ts'

/** What a conductor has k6 do, where so many requests a second are allowed. */
async function played(
  conductor: Conductor,
  settings: Settings,
  allowed: number,
  products: Product[] = ['v2-transfers'],
): Promise<Settings> {
  let used: Settings = {}
  const hand: Partial<Stagehand> = {
    scenario: 'breakpoint',
    settings,
    deployment: { products, disposable: false } as unknown as Stagehand['deployment'],
    missing: new Map(),
    mints: false,
    standing: () => 1,
    affordable: () => allowed,
    onNotice() {},
    pool: async () => [],
    async run(_stage, _casts, options) {
      used = { ...settings, ...options?.settings }
      return {} as never
    },
  }
  await conductor.play(hand as Stagehand)
  return used
}

test('a rising load that is lowered begins lower, too: nothing of it is more than allowed', async () => {
  expect(await played(breakpoint, { from: 5, to: 15 }, 1600)).toMatchObject({ from: 5, to: 15 })
  expect(await played(breakpoint, { from: 5, to: 15 }, 48)).toMatchObject({ from: 1, to: 3 })
})

test('keys that hotels are searched for are fewer a second, as each takes the polls of a search', async () => {
  const settings = { keys: 10, copies: 4, rate: 40, pollEvery: 1000 }
  expect(await played(bookingContention, settings, 48)).toMatchObject({ rate: 4.8 })
  expect(await played(bookingContention, settings, 48, ['v2-hotels'])).toMatchObject({ rate: 1.17 })
})
