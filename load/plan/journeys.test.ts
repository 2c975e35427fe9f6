import { expect, test } from 'vitest'
import type { Product } from '../../fixtures/ground/control.ts'
import { planFor } from '../testing/plans.ts'

test('a rising load that is limited also begins lower', () => {
  const rising = (maxRate: number) =>
    planFor('breakpoint', { maxRate, settings: { from: 5, to: 15 } }).stages[0]!.settings
  expect(rising(1600)).toMatchObject({ from: 5, to: 15 })
  expect(rising(48)).toMatchObject({ from: 1, to: 3 })
})

test('references are tested if test credentials are promised a replay, otherwise the reason is stated', () => {
  const products: Product[] = ['v1-hotels', 'v1-transfers', 'v1-park-a', 'v2-transfers', 'v2-hotels']
  const settings = { keys: 10, copies: 4, rate: 1 }
  const standing = planFor('booking-contention', { products, settings })
  expect(standing.stages[0]!.products).toEqual(['v2-transfers', 'v1-park-a'])
  expect(standing.leftOut).toEqual({
    'v1-hotels': 'test credentials of v1 hotels are promised no replay',
    'v1-transfers': 'test credentials of v1 transfers are promised no replay',
  })
  const own = planFor('booking-contention', { products, settings, disposable: true })
  expect(own.leftOut).toEqual({})
  const live = own.stages[0]!.senders.filter(({ role }) => role === 'live').map(({ product }) => product)
  expect(new Set(live)).toEqual(new Set(['v1-hotels', 'v1-transfers']))
  expect(() => planFor('booking-contention', { products: ['v1-hotels'], settings })).toThrow(/no replay/)
})

test('a lasting deployment is polled at most once a second', () => {
  const polled = (pollEvery: number) => planFor('journey-mix', { settings: { pollEvery } }).settings.pollEvery
  expect([polled(100), polled(2000)]).toEqual([1000, 2000])
})

test('products that are not sold, or that no credential may use, are not planned', () => {
  expect(() => planFor('journey-mix', { products: [] })).toThrow(/the definition claims none/)
  expect(() => planFor('journey-mix', { mints: false, credentials: {} })).toThrow(/in test mode/)
})
