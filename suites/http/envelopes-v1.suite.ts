import { isLimited, UNKNOWN_ID, untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { assume, describe, EVERY_V1_KIND, test } from '../../fixtures/test.ts'

describe('errors of v1', () => {
  test('have a status of 400 or higher, and fields of the documented types', {
    tags: [
      'V1-ERR-STATUS',
      'V1-ERR-ERROR',
      'V1-ERR-MESSAGE',
      'V1-ERR-CODE',
      'V1-ERR-CODE-STATUS',
      'V1-ERR-REQUEST-ID',
    ],
    kinds: EVERY_V1_KIND,
  }, async ({ arrange }) => {
    const by = await arrange.actor()
    const { adapter, product } = arrange
    // Operator B's ids are strings.
    const id = product === 'v1-park-b' ? String(UNKNOWN_ID) : UNKNOWN_ID
    const calls = [
      () => adapter.cancel(by as never, id),
      ...(adapter.read === undefined ? [] : [() => adapter.read!(by as never, id)]),
      ...(adapter.voucher === undefined ? [] : [() => adapter.voucher!(by as never, id)]),
    ]
    for (const call of calls) {
      const answer = await untilSupplierAnswers(call, 'an unknown order')
      assume(!isLimited(answer), 'a credential below its rate limit')
      // Other checks find a success here.
      assume(answer.response.json !== undefined, 'an error in JSON')
    }
  })
})
