import { expect, test } from 'vitest'
import type { Stagehand } from '../run/run-stages.ts'
import type { Settings } from './plan.ts'
import { rateLimitBurst } from './rate-limit-burst.ts'

const SETTINGS = { burst: 520, vus: 25, asks: 5, overrunPerMinute: 600, overrunMinutes: 3, speed: 20 }

/** The settings of every stage, where so many requests a second are allowed. */
async function stagesWithin(allowed: number): Promise<{ stages: Map<string, Settings>; notices: string[] }> {
  const stages = new Map<string, Settings>()
  const notices: string[] = []
  const hand: Partial<Stagehand> = {
    scenario: 'rate-limit-burst',
    settings: SETTINGS,
    deployment: { control: { async advanceClock() {} } } as unknown as Stagehand['deployment'],
    missing: new Map(),
    mints: true,
    affordable: () => allowed,
    onNotice: notice => void notices.push(notice),
    cast: async alias => ({ sender: { alias, role: 'expendable', tenant: 't' }, token: 't', minted: true }),
    async pass() {},
    async run(stage, _casts, options) {
      stages.set(stage, { ...SETTINGS, ...options?.settings })
      return {} as never
    },
  }
  await rateLimitBurst.play(hand as Stagehand)
  return { stages, notices }
}

test('bursts are as fast as they can be where nothing limits them', async () => {
  const { stages, notices } = await stagesWithin(Number.POSITIVE_INFINITY)
  expect(stages.get('alone-v1')).not.toHaveProperty('perSecond')
  expect(stages.get('together')).not.toHaveProperty('perSecond')
  expect(stages.get('overrun')).toMatchObject({ speed: 20 })
  expect(notices).toEqual([])
})

test('a deployment never gets more requests a second than its definition allows, all parts together', async () => {
  const { stages, notices } = await stagesWithin(40)
  expect(stages.get('alone-v1')).toMatchObject({ perSecond: 40 })
  expect(stages.get('alone-v2')).toMatchObject({ perSecond: 40 })
  expect(stages.get('together')).toMatchObject({ perSecond: 20 })
  expect(stages.get('overrun')).toMatchObject({ speed: 2 })
  expect(notices).toEqual([expect.stringContaining('no more than 40 requests a second')])
})

test('a burst that cannot be over in half a minute is not sent', async () => {
  await expect(stagesWithin(30)).rejects.toThrow(/load\.maxRate .* allows 30 a second/)
})
