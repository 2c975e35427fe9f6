import { expect, test } from 'vitest'
import type { Deployment } from '../../fixtures/deployments/definition/definition.ts'
import { planFor } from '../testing/plans.ts'
import { insistOnStated } from './rate-limits.ts'

const settings = { burst: 520, vus: 25, asks: 5, overrunPerMinute: 600, overrunMinutes: 3, speed: 20 }

/** Returns the settings of every stage for a maximum rate. */
function stagesWithin(maxRate?: number) {
  const notices: string[] = []
  const onNotice = (notice: string) => void notices.push(notice)
  const { stages } = planFor('rate-limit-burst', { settings, onNotice, ...(maxRate && { maxRate }) })
  return { stages: new Map(stages.map(stage => [stage.name, stage.settings])), notices }
}

test('bursts are as fast as possible without a limit', () => {
  const { stages, notices } = stagesWithin()
  expect([...stages.keys()]).toEqual([
    ...['alone-v1', 'alone-v1-others', 'alone-v2', 'alone-v2-others'],
    ...['together', 'recovery', 'a-day-later', 'overrun'],
  ])
  expect(stages.get('alone-v1')).toBeUndefined()
  expect(stages.get('together')).toBeUndefined()
  expect(stages.get('overrun')).toEqual({ speed: 20 })
  expect(notices).toEqual([])
})

test('all parts together never exceed the rate of the definition', () => {
  const { stages, notices } = stagesWithin(40)
  expect(stages.get('alone-v1')).toEqual({ perSecond: 40 })
  expect(stages.get('alone-v2')).toEqual({ perSecond: 40 })
  expect(stages.get('together')).toEqual({ perSecond: 20 })
  expect(stages.get('overrun')).toEqual({ speed: 2 })
  expect(notices).toEqual([expect.stringContaining('no more than 40 requests a second')])
})

test('a burst that would take more than half a minute is not sent', () => {
  expect(() => stagesWithin(30)).toThrow(/load\.maxRate .* allows 30 a second/)
})

test('sizes are for the documented limit, and grow with the one that the definition states', () => {
  const planned = (limit?: number) =>
    planFor('rate-limit-burst', { settings, ...(limit && { limit }) }).settings
  expect(planned()).toEqual(settings)
  expect(planned(2000)).toEqual({ ...settings, burst: 2080, overrunPerMinute: 2400, limit: 2000 })
  const sustained = planFor('rate-limit-sustained', { settings: { perMinute: 480, speed: 1 }, limit: 2000 })
  expect(sustained.settings).toEqual({ perMinute: 1920, speed: 1, limit: 2000 })
  expect(sustained.stages[0]!.intendedRate).toBe((2 * 1920) / 60)
})

test('minted senders need no wait; one of the definition waits for a minute before each burst', () => {
  const silent = (credentials?: Partial<Deployment['credentials']>) =>
    planFor('rate-limit-burst', {
      settings,
      mints: credentials === undefined,
      credentials: credentials ?? {},
    })
      .stages.filter(({ silence }) => silence?.seconds === 61)
      .map(({ name }) => name)
  expect(silent()).toEqual(['recovery'])
  expect(silent({ expendable: { token: 'one' } })).toEqual([
    ...['alone-v1', 'alone-v2', 'together', 'recovery', 'overrun'],
  ])
})

test('the second credential belongs to the company of the burst', () => {
  const { stages } = planFor('rate-limit-burst', { settings })
  const [burst, other, colleague] = stages.find(({ name }) => name === 'alone-v2-others')!.senders
  expect(stages.find(({ name }) => name === 'alone-v2')!.senders).toEqual([burst])
  expect(colleague).toMatchObject({ alias: 'colleague', colleagueOf: burst!.id })
  expect(other).toMatchObject({ alias: 'other', role: 'otherCompany' })
})

const deployment = (modes: object, more: object = {}): Deployment =>
  ({
    credentials: { standard: { token: 'token-of-standard', modes } },
    load: {},
    control: {},
    products: ['v1-park-a', 'v1-hotels'],
    ...more,
  }) as unknown as Deployment

test('load on tickets of v1 needs credentials that are stated to be test credentials for them', () => {
  const stated = { parkA: 'test' }
  expect(() => insistOnStated(deployment(stated), 'v1-park-a')).not.toThrow()
  expect(() => insistOnStated(deployment({}), 'v1-hotels')).not.toThrow()
  expect(() => insistOnStated(deployment({}, { control: { async mint() {} } }), 'v1-park-a')).not.toThrow()
  expect(() => insistOnStated(deployment({}), 'v1-park-a')).toThrow(/does not state it of standard$/)
  const further = deployment(stated, { load: { tokens: ['token-of-load'] } })
  expect(() => insistOnStated(further, 'v1-park-a')).toThrow(/does not state it of /)
})
