import {
  acceptedWithinACent,
  attempt,
  hasChildFare,
  offerAmong,
  offerForGroup,
  refusedFromACentOn,
  type TotalRules,
  type V1OfferOf,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import { assume, describe, test, type V1Check } from '../../fixtures/test.ts'

const PRODUCTS = ['v1-park-a', 'v1-park-b', 'v1-transfers'] as const
type Product = (typeof PRODUCTS)[number]

const CLAUSES = {
  'v1-park-a': {
    changed: 'V1-PARK-A-CONFIRM-TOTAL-CENT',
    within: 'V1-PARK-A-CONFIRM-TOTAL-WITHIN',
    words: 'V1-PARK-A-ERR-PRICE',
  },
  'v1-park-b': {
    changed: 'V1-PARK-B-CONFIRM-TOTAL-CENT',
    within: 'V1-PARK-B-CONFIRM-TOTAL-WITHIN',
    words: 'V1-PARK-B-ERR-PRICE',
  },
  // Of transfers no words are shown.
  'v1-transfers': {
    changed: 'V1-TRANSFER-CONFIRM-TOTAL-CENT',
    within: 'V1-TRANSFER-CONFIRM-TOTAL-WITHIN',
  },
} as const

type Find<Of extends Product> = (
  check: V1Check<Of>,
  people: V1People,
  like?: V1OfferOf<Of>,
) => Promise<V1OfferOf<Of>>

/** How something is found for a group: of the same product and day as one that was found before, where that is given. */
const FIND: { [Of in Product]: Find<Of> } = {
  async 'v1-park-a'(check, people, like) {
    const suits = people.children > 0 ? hasChildFare : () => true
    if (like === undefined) return offerAmong(check, { what: 'a ticket on sale', suits, people })
    const { adapter, actor } = check.arrange
    const day = { from: like.date, to: like.date }
    const [now] = await adapter.between(await actor(), like.productData.family, people, day)
    assume(now !== undefined, 'a ticket that is still on sale')
    return now
  },
  async 'v1-park-b'(check, people, like) {
    if (like === undefined) return offerForGroup(check, people)
    const { adapter, actor } = check.arrange
    const now = adapter.quotedAs(like, await adapter.quote(await actor(), like))
    assume(now !== undefined, 'a ticket that is still on sale')
    return now
  },
  async 'v1-transfers'({ arrange }, { adults, children }, like) {
    // How children ride is not shown.
    const people = { adults: adults + children, children: 0 }
    const wanted = { ...(like ?? (await arrange.offer())), people }
    const now = arrange.adapter.quotedAs(wanted, await arrange.adapter.quote(await arrange.actor(), wanted))
    assume(now !== undefined, `a transfer with a price for ${people.adults}`)
    return now
  },
}

function rulesOf(check: V1Check<Product>): TotalRules<V1OfferOf<Product>> {
  const { product, adapter } = check.arrange
  return {
    clauses: CLAUSES[product],
    telling: product === 'v1-transfers' ? [] : ['Price changed.'],
    find: (people, like) => (FIND[product] as unknown as Find<Product>)(check, people, like),
    write: (offer, total) => adapter.body({ ...offer, total }),
    attempt: body => attempt(check, body),
  }
}

describe('total_amount of an order, for any group', () => {
  test(
    'is refused from a cent on',
    {
      tags: product =>
        product === 'v1-transfers'
          ? [CLAUSES[product].changed]
          : [CLAUSES[product].changed, CLAUSES[product].words],
      kinds: PRODUCTS,
    },
    async check => refusedFromACentOn(check, rulesOf(check)),
  )

  test(
    'is accepted within a cent',
    {
      tags: product => [CLAUSES[product].within],
      kinds: PRODUCTS,
    },
    async check => acceptedWithinACent(check, rulesOf(check)),
  )
})
