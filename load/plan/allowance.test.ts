import { expect, test } from 'vitest'
import type { Deployment } from '../../fixtures/deployments/definition/definition.ts'
import { insistOnStated } from './rate-limits.ts'

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
