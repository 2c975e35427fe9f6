import { askOf, searched } from '../../fixtures/check/v1/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

/** Names under which services accept a credential outside of the header. */
const NAMES = ['access_token', 'token', 'api_key', 'authorization', 'credential']

/** Only with credentials made for this, or expendable ones: bodies are logged, headers are not. */
describe('a credential in the body of a v1 call', () => {
  test('is ignored', {
    tags: ['AUTH-NOT-FROM-BODY-V1'],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, expect } = context
    await arrange.withExpendable(async by => {
      const body = arrange.adapter.searchBody(await askOf(context, { by }))
      assume.sold(await searched(context, body, by), 'the same call with its credential')
      for (const name of NAMES)
        expect(await by.v1.hotels.search({ ...body, [name]: by.token }, { token: null })).toBeRefused()
    })
  })
})
