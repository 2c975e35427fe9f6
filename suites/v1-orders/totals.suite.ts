import { claimNoneMore, isInProgress, isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import {
  ADULT_AND_CHILD,
  acceptedWithinACent,
  assumeStatedOrSoldTo,
  attempt,
  claimRefused,
  clauseOf,
  offerForGroup,
  offerForGroupOfA,
  PARKS,
  refusedFarOff,
  refusedFromACentOn,
  type TotalRules,
  type V1OfferOf,
  type V1People,
  withAdultCode,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { isSameAmount, sumOf, textOf } from '../../fixtures/contracts/index.ts'
import { assume, describe, independently, testFor, type V1Check } from '../../fixtures/test.ts'

const PRODUCTS = ['v1-park-a', 'v1-park-b', 'v1-transfers'] as const
type Product = (typeof PRODUCTS)[number]
const test = testFor(...PRODUCTS)

const CLAUSES = {
  'v1-park-a': {
    changed: 'V1-PARK-A-CONFIRM-TOTAL-CENT',
    within: 'V1-PARK-A-CONFIRM-TOTAL-WITHIN',
    newQuote: 'V1-PARK-A-CONFIRM-TOTAL-NEW-QUOTE',
    words: 'V1-PARK-A-ERR-PRICE',
    message: 'V1-PARK-A-ERR-PRICE-MESSAGE',
  },
  'v1-park-b': {
    changed: 'V1-PARK-B-CONFIRM-TOTAL-CENT',
    within: 'V1-PARK-B-CONFIRM-TOTAL-WITHIN',
    newQuote: 'V1-PARK-B-CONFIRM-TOTAL-NEW-QUOTE',
    words: 'V1-PARK-B-ERR-PRICE',
  },
  // The words of transfers are not shown.
  'v1-transfers': {
    changed: 'V1-TRANSFER-CONFIRM-TOTAL-CENT',
    far: 'V1-TRANSFER-CONFIRM-TOTAL',
    within: 'V1-TRANSFER-CONFIRM-TOTAL-WITHIN',
    newQuote: 'V1-TRANSFER-CONFIRM-TOTAL-NEW-QUOTE',
  },
} as const satisfies Record<Product, TotalRules['clauses'] & { newQuote: ClauseId }>

/** Returns the clauses of a product about a wrong total. */
function tagsOf(product: Product, how: 'changed' | 'far' | 'newQuote'): [ClauseId, ...ClauseId[]] {
  const clauses: TotalRules['clauses'] & { newQuote: ClauseId } = CLAUSES[product]
  const { words, message } = clauses
  const decided = how === 'far' ? (clauses.far ?? clauses.changed) : clauses[how]
  return [decided, ...[words, ...(how === 'newQuote' ? [] : [message])].filter(id => id !== undefined)]
}

const CHANGED = 'Price changed.'

/** Totals that nothing is booked at, and for whom, where that is not who buys what is ordinary. */
const WRONG: readonly (readonly [off: number, people?: V1People])[] = [
  [5],
  [0.01, ADULT_AND_CHILD],
  [-0.01],
  [-1, ADULT_AND_CHILD],
]
/** How far a price moves, for whom, where that is not who buys what is ordinary, and whose it is, where it differs. */
const MOVES: readonly (readonly [by: number, people?: V1People, of?: 'child'])[] = [
  [-1],
  [5],
  [2, ADULT_AND_CHILD, 'child'],
]

type Find<Of extends Product> = (
  check: V1Check<Of>,
  people: V1People,
  like?: V1OfferOf<Of>,
) => Promise<V1OfferOf<Of>>

/** How an offer for a group is found; with `like`, of the same product and day. */
const FIND: { [Of in Product]: Find<Of> } = {
  async 'v1-park-a'(check, people, like) {
    if (like === undefined) return offerForGroupOfA(check, people)
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
    const { adapter } = arrange
    const by = await arrange.actor()
    const offer = like ?? (await arrange.offer())
    const priced = async (people: V1People) =>
      adapter.quotedAs({ ...offer, people }, await adapter.quote(by, { ...offer, people }))
    // Where children ride is not shown.
    const grown = { adults: adults + children, children: 0 }
    const now = (children > 0 ? await priced({ adults, children }) : undefined) ?? (await priced(grown))
    assume(now !== undefined, `a transfer with a price for ${grown.adults}`)
    return now
  },
}

function rulesOf(check: V1Check<Product>): TotalRules<V1OfferOf<Product>> {
  const { product, adapter } = check.arrange
  return {
    clauses: CLAUSES[product],
    telling: product === 'v1-transfers' ? [] : [CHANGED],
    find: (people, like) => (FIND[product] as unknown as Find<Product>)(check, people, like),
    write(offer, total) {
      const body = adapter.body({ ...offer, total })
      const { adults, children } = offer.people
      // Either form of the codes, without further requests.
      const namesAdults = product === 'v1-park-b' && children === 0 && adults % 2 === 0
      return namesAdults ? withAdultCode(body) : body
    },
    attempt: body => attempt(check, body),
  }
}

describe('total_amount of an order', () => {
  test(
    'is refused if it is a cent or more off, for any group',
    { tags: product => tagsOf(product, 'changed') },
    async check => refusedFromACentOn(check, rulesOf(check)),
  )

  test(
    'is refused if it is far off',
    { tags: product => tagsOf(product, 'far'), forReal: false },
    async check => refusedFarOff(check, rulesOf(check)),
  )

  test(
    'is accepted if it is less than a cent off, for any group',
    { tags: product => [CLAUSES[product].within] },
    async check => acceptedWithinACent(check, rulesOf(check)),
  )

  test('is compared with the price of now, not with an earlier one', {
    tags: product => tagsOf(product, 'newQuote'),
  }, async check => {
    const { arrange, act, control, expect } = check
    control.require('changePrice')
    const { product } = arrange
    const { find, write, telling } = rulesOf(check)
    const by = await arrange.actor()
    await independently(
      ...arrange.drawn(MOVES, 1).map(([move, group, whose]) => async () => {
        const people = group ?? arrange.adapter.people()
        const moved = async () => {
          const offer = await find(people)
          const { family } = offer.productData as Partial<V1OfferOf<'v1-park-a'>['productData']>
          const childs = whose === 'child' ? family?.child?.product_id : undefined
          const id = childs === undefined ? offer.productId : textOf(childs)
          await control.changePrice(by, id, move)
          const now = await find(people, offer)
          assume(!isSameAmount(now.total, offer.total), 'control.changePrice to have an effect')
          return { body: write(offer, offer.total), now }
        }
        const { answer, offer } =
          telling.length > 0
            ? await act.book({ offer: moved, body: ({ body }) => body, expecting: telling })
            : await moved().then(async offer => ({ offer, answer: await attempt(check, offer.body) }))
        const tried = 'Confirming at the price before it changed'
        claimRefused(check, CLAUSES[product].newQuote, { tried, answer })
        // A sold-out offer is refused for that, whatever its price.
        if (telling.length > 0) {
          assume(!isMarketRefusal(answer, telling), 'a product that is still on sale')
          const asked = { clause: tagsOf(product, 'newQuote').at(-1)!, answer, people }
          await assumeStatedOrSoldTo(check, asked, async () => {
            const now = await find(people, offer.now)
            return write(now, now.total)
          })
          for (const clause of tagsOf(product, 'newQuote')) expect(answer, clause).toSay(...telling)
        }
        await act.booked('the same at the current price', {
          offer: async round => (round === 1 ? offer.now : find(people, offer.now)),
          body: now => write(now, now.total),
        })
      }),
    )
  })

  test('that is refused makes no order', {
    tags: product => [clauseOf(product, 'CONFIRM-TOTAL-NOTHING')],
    kinds: PARKS,
  }, async check => {
    const { arrange, act, control, expect } = check
    const clause = clauseOf(arrange.product, 'CONFIRM-TOTAL-NOTHING')
    const { find, write } = rulesOf(check as unknown as V1Check<Product>)
    const by = await arrange.actor()
    for (const [off, people] of arrange.drawn(WRONG, 1)) {
      const reference = arrange.reference()
      const offer = await find(people ?? arrange.adapter.people())
      const before = await control.counted(by)
      const body = write(offer, sumOf([offer.total, off]))
      const refused = await arrange.adapter.book(by, { body, key: reference })
      assume(refused.response.status === 400, 'a wrong total that is refused')
      const after = await control.counted(by)
      const tried = 'Confirming tickets for a wrong total'
      claimNoneMore({ expect }, clause, { tried, before, after, answer: refused })
      // If it had booked, a repeat would find the order.
      const { answer: again } = await act.book({
        offer: async round => (round === 1 ? offer : find(offer.people, offer)),
        body: now => write(now, now.total),
        key: reference,
      })
      assume(!isInProgress(again), 'a confirmation whose result is known')
      // Not every market sells to every group.
      assume[people === undefined ? 'accepted' : 'sold'](again, 'the right total')
      expect(again).not.toBeFlagged('idempotent_replay')
    }
  })
})
