import { assume, describe, test } from '../../fixtures/test.ts'

describe('caching of v1 content', () => {
  test('the list of destinations may be kept for an hour by whoever asked', {
    tags: ['CACHE-V1-DESTINATIONS'],
  }, async ({ send, arrange }) => {
    const list = await send({ method: 'GET', path: '/api/v1/hotel/content/destinations?page=1&limit=1' })
    assume.accepted(arrange.offered(list), 'the list of destinations')
  })

  test('the tree of locations may be kept for an hour by whoever asked', {
    tags: ['CACHE-V1-LOCATIONS'],
  }, async ({ send, arrange }) => {
    const rows = await send({ method: 'GET', path: '/api/v1/hotel/content/locations' })
    assume.accepted(arrange.offered(rows), 'the tree of locations')
  })

  test('the data of a hotel may be kept for an hour by whoever asked', {
    tags: ['CACHE-V1-HOTEL-DATA'],
  }, async ({ arrange }) => {
    await arrange.hotelContent('data')
  })
})
