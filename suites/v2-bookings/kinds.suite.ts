import type { Offer } from '../../fixtures/check/products/index.ts'
import { v2ProductOf } from '../../fixtures/service/index.ts'
import {
  assume,
  describe,
  EVERY_KIND,
  independently,
  orOrdinary,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/** Arranges for other kinds of product that are sold. The tickets of both operators may count as one kind. */
function othersOf({ arrange, beside }: ProductCheck) {
  const others = EVERY_KIND.filter(kind => kind !== 'parkB' && kind !== arrange.kind)
  const sold = others.filter(kind => arrange.sells(v2ProductOf(kind)))
  // If none is sold, the first says that the deployment lacks it.
  return (sold.length > 0 ? sold.toReversed() : others.slice(0, 1)).map(kind => beside(kind).arrange)
}

describe('POST /api/v2/bookings: kinds of product', () => {
  test('a booking of several kinds is refused with UNSUPPORTED_COMBINATION, wherever another kind stands', {
    tags: ['V2-BOOK-MIXED-KINDS', 'V2-BOOK-MIXED-KINDS-CODE', 'V2-IDEM-4XX-FREES'],
    kinds: 'any',
  }, async check => {
    const { v2, act, arrange, expect } = check
    const [one, ...more] = await orOrdinary<readonly Offer[]>(
      () => arrange.offersTogether(2),
      async () => [await arrange.offer()],
    )
    const others: Offer[] = []
    for (const { offer } of othersOf(check)) others.push(await offer())
    const mixtures = [
      ...[one!, ...others].flatMap((some, _, all) =>
        all.filter(other => other !== some).map(other => [some, other]),
      ),
      ...more.flatMap(two =>
        others.flatMap(other => [
          [one!, two, other],
          [one!, other, two],
        ]),
      ),
    ]
    let key = arrange.key()
    for (const mixture of mixtures) {
      key = arrange.key()
      await v2.book({ key, body: arrange.anyBody(mixture) })
    }
    // A single item, with the key of the refusal.
    const { answer } = await act.book({
      what: async round => (round === 1 ? one! : arrange.offer()),
      spelled: { key },
    })
    expect(answer, 'V2-IDEM-4XX-FREES').toHaveStatus(201, 202)
  })

  test('a key used for one kind of product is refused for another', {
    tags: ['V2-IDEM-REUSED-KIND'],
    kinds: 'any',
  }, async check => {
    const { v2, arrange } = check
    const others = othersOf(check)
    const { modes } = await arrange.actor()
    const first = await arrange.booking()
    await independently(
      ...others.map(second => async () => {
        // Test credentials have separate keys, and modes are set by product.
        assume(modes[arrange.kind] === modes[second.kind], 'a credential in the same mode for both kinds')
        await v2.book({ key: first.key, body: second.anyBody([await second.offer()]) })
      }),
    )
  })

  test('a credential can be in test mode for one product and live for another', {
    tags: ['TEST-MODE-PER-PRODUCT'],
    kinds: 'any',
  }, async check => {
    const { arrange, control, expect } = check
    control.require('mint')
    const products = [arrange, ...othersOf(check)]
    // With two credentials, any two of four kinds are in another mode once.
    for (const bit of products.length > 2 ? [1, 2] : [1]) {
      const inTest = products.map((_, index) => (index & bit) === 0)
      const modes = products.map(({ kind }, index) => [kind, inTest[index] ? 'test' : 'live'])
      const actor = await arrange.actor('standard', { modes: Object.fromEntries(modes) })
      for (const [index, product] of products.entries()) {
        const { exchange } = await product.booking({ actor })
        expect(exchange).toShowBooking('test_mode', inTest[index]!)
      }
    }
  })
})
