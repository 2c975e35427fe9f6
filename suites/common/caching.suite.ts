import { describe, test } from '../../fixtures/test.ts'

describe('caching of v1 content', () => {
  test('the list of destinations may be kept for an hour by whoever asked', {
    tags: ['CACHE-V1-DESTINATIONS'],
  }, async ({ send, given }) => {
    const list = await send({ method: 'GET', path: '/api/v1/hotel/content/destinations?page=1&limit=1' })
    given.accepted(given.offered(list), 'the list of destinations')
  })

  test('the tree of locations may be kept for an hour by whoever asked', {
    tags: ['CACHE-V1-LOCATIONS'],
  }, async ({ send, given }) => {
    const rows = await send({ method: 'GET', path: '/api/v1/hotel/content/locations' })
    given.accepted(given.offered(rows), 'the tree of locations')
  })
})
