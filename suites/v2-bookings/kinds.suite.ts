import { at, isObject, textOf } from '../../fixtures/contracts/reading.ts'
import { describe, test } from '../../fixtures/test.ts'

describe('POST /api/v2/bookings: kinds of product', () => {
  test('a booking of several kinds is refused, and says that they do not go together', {
    tags: ['V2-BOOK-MIXED-KINDS', 'V2-BOOK-MIXED-KINDS-CODE'],
    kinds: 'two',
  }, async ({ v2, act, arrange, other: second, expect, claim }) => {
    const [one, other] = [await arrange.offer(), await second.offer()]
    for (const mixture of [
      [one, other],
      [other, one],
    ]) {
      const answer = await v2.book({ key: arrange.key(), body: arrange.anyBody(mixture) })
      expect(answer, 'V2-BOOK-MIXED-KINDS').toFailWith('VALIDATION_ERROR')
      const entries = at(answer.response.json, 'error.details.errors')
      const codes = Array.isArray(entries) ? entries.filter(isObject).map(({ code }) => textOf(code)) : []
      claim('V2-BOOK-MIXED-KINDS-CODE', codes.includes('UNSUPPORTED_COMBINATION'), {
        tried: `Booking ${mixture.map(({ kind }) => kind).join(' and ')} together`,
        expected: 'UNSUPPORTED_COMBINATION in details.errors[]',
        observed: codes.length === 0 ? 'no entries' : codes.join(', '),
        exchanges: [one.exchange, other.exchange, answer],
      })
    }
    await act.booked('the same item alone', { body: arrange.body(one) })
  })

  test('a credential can be in test mode for one product and sell another', {
    tags: ['TEST-MODE-PER-PRODUCT'],
    kinds: 'two',
  }, async ({ arrange, other, control, expect }) => {
    control.require('mint')
    const modes = { [arrange.kind]: 'test', [other.kind]: 'live' } as const
    const actor = await arrange.actor('standard', { modes })
    for (const [product, inTest] of [
      [arrange, true],
      [other, false],
    ] as const) {
      const { exchange } = await product.booking({ actor })
      expect(exchange).toShowBooking('test_mode', inTest)
    }
  })
})
