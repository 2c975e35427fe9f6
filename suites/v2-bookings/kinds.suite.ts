import { at, isObject, textOf } from '../../fixtures/contracts/reading.ts'
import type { ProductKind } from '../../fixtures/deployments/control.ts'
import { type Bench, describe, test } from '../../fixtures/test.ts'

/** Two kinds of product that are beyond doubt two, where the deployment sells such. */
async function twoKinds({ given }: Bench): Promise<[ProductKind, ProductKind]> {
  const sold = (['transfers', 'hotels', 'parkA', 'parkB'] as const).filter(given.sells)
  const [one] = sold
  // The tickets of both operators may count as one kind.
  const other = sold.find(kind => kind !== one && !(one === 'parkA' && kind === 'parkB'))
  if (one === undefined || other === undefined)
    throw given.lacking('a deployment that sells two kinds of product')
  return [one, other]
}

describe('POST /api/v2/bookings: kinds of product', () => {
  test('a booking of several kinds is refused, and says that they do not go together', {
    tags: ['V2-BOOK-MIXED-KINDS', 'V2-BOOK-MIXED-KINDS-CODE'],
  }, async bench => {
    const { v2, given, expect, claim } = bench
    const party = await given.party()
    const kinds = await twoKinds(bench)
    const [one, other] = [
      (await given.shops[kinds[0]].find(party, {}))[0]!,
      (await given.shops[kinds[1]].find(party, {}))[0]!,
    ]
    const mixtures = [
      [one, other],
      [other, one],
    ]
    for (const mixture of mixtures) {
      const answer = await v2.book({ key: given.idempotencyKey(), body: given.bookingBody(mixture) })
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
    const alone = await v2.book({ key: given.idempotencyKey(), body: given.bookingBody([one]) })
    given.accepted(alone, 'the same item alone')
  })

  test('a credential can be in test mode for one product and sell another', {
    tags: ['TEST-MODE-PER-PRODUCT'],
  }, async bench => {
    const { given, control, expect } = bench
    control.require('mint')
    const [tested, sold] = await twoKinds(bench)
    const party = await given.party('standard', { modes: { [tested]: 'test', [sold]: 'live' } })
    for (const [kind, inTest] of [
      [tested, true],
      [sold, false],
    ] as const) {
      const offers = (await given.shops[kind].find(party, {})).slice(0, 1)
      const { exchange } = await given.booking({ party, offers })
      expect(exchange).toShowBooking('test_mode', inTest)
    }
  })
})
