import { checksOf, type V1Requests } from '../../fixtures/check/requests/index.ts'
import { found, type HotelCheck, notLimited, resortRoom } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at, isSameAmount, v1ErrorsOf } from '../../fixtures/contracts/index.ts'
import { hotelCheck } from '../../fixtures/service/index.ts'
import { assume, describe, type Exchange, type Outcome, test } from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/** Returns an offer that was not checked yet. */
async function anOffer({ arrange }: HotelCheck) {
  const [offer] = await arrange.adapter.find(await arrange.actor(), {})
  return offer!
}

const TWO = { adults: 2 }

describe('POST hotelCheckPrice', () => {
  // Rows judge every answer: of whichever rate, for one room or several, of either mode.
  for (const [what, rooms, mode] of [
    ['two rooms', [TWO, TWO], 'paged'],
    ['a room, found by a full search', [TWO], 'full'],
  ] as const)
    test(`answers the price, the total and the key to confirm with, of ${what}`, {
      tags: [
        'V1-HOTEL-CHECK-PRICE',
        'V1-HOTEL-CHECK-TOTAL',
        'V1-HOTEL-CHECK-TOTAL-SUM',
        'V1-HOTEL-CHECK-RATE-KEY',
      ],
      kinds,
    }, async context => {
      const { act, arrange, expect } = context
      const drawn = <One>(all: readonly One[]) => arrange.draw.one('rates of a v1 room', all)
      const { answer } = await act.checked('a check of a rate', async () => {
        const search = await found(context, rooms, { mode })
        const offers = search.hotels.flatMap(
          hotel => arrange.adapter.offerOf(search, hotel, undefined, drawn) ?? [],
        )
        assume(offers.length > 0, 'a hotel with these rooms')
        return drawn(offers)!
      })
      const { prices, total } = arrange.adapter.checked(answer.response.json)
      const isSum = rooms.length > 1 || prices.length !== 1 || isSameAmount(total, prices[0])
      expect(answer, 'V1-HOTEL-CHECK-TOTAL-SUM').toGive(`total.price ${prices[0]}`, isSum, `${total}`)
    })
})

const prices: V1Requests<'v1-hotels'> = {
  kinds: ['v1-hotels'],
  refusal: 'a refusal (400 or higher, not 500)',
  isRefused: ({ response }) => response.status >= 400,
  valid: async check => ({ rate_key: (await anOffer(check)).productData.rateKeys[0] }),
  // The names of the key in other steps: in the answer of the check, and in a confirmation.
  others: ({ rate_key: key }) => ['rateKey', 'ratekey'].map(name => ({ rate_key: key, [name]: key })),
  send: async ({ v1 }, body) => notLimited(await v1.hotels.price(body)),
  async proves(check) {
    await check.act.checked('the same check with rate_key', () => anOffer(check))
  },
  takes: async ({ v1 }, make) => v1.hotels.price(await make()),
}

describe(hotelCheck.subject, () => {
  for (const { title, body, ...options } of checksOf(hotelCheck, prices)) test(title, options, body)
})

/** Checks a price with an arranged refusal, in each round for another rate. */
async function refusedCheck(
  context: HotelCheck,
  outcome: Outcome | 'expireOffers',
  expecting: readonly string[],
): Promise<Exchange> {
  const { act, arrange, control, v1 } = context
  const by = await arrange.actor()
  const arranged = async () => {
    const offer = await anOffer(context)
    if (outcome === 'expireOffers') await control.expireOffers(by)
    else await control.setOutcome(by, 'check', outcome)
    return offer
  }
  const { answer, offer } = await act.under({ expecting }).check(arranged)
  // An arranged outcome counts only if an answer shows it: that of the check, or of a confirmation.
  const isShown = async () =>
    v1ErrorsOf(
      await v1.hotels.confirm({ ...arrange.anyBody(offer), external_reference: arrange.reference() }),
    ).includes('RateKey expired')
  const isEffective = !succeeded(answer) || (outcome === 'expireOffers' && (await isShown()))
  assume(isEffective, 'control.setOutcome to affect hotelCheckPrice')
  return answer
}

describe('a price that cannot be checked', () => {
  for (const outcome of [{ kind: 'expired' }, 'expireOffers'] as const)
    test(`is answered with External API error: ${outcome === 'expireOffers' ? 'its key has expired' : 'its rate is gone'}`, {
      tags: ['V1-HOTEL-ERR-CHECK-GONE'],
      kinds,
    }, async context => {
      if (outcome === 'expireOffers') context.control.require('expireOffers')
      context.expect(await refusedCheck(context, outcome, ['External API error'])).toRefuseAsStated()
    })

  test('is answered with Rate not bookable and the reason when its rate cannot be booked', {
    tags: ['V1-HOTEL-ERR-CHECK-NOT-BOOKABLE', 'V1-HOTEL-ERR-NOT-BOOKABLE-MESSAGE'],
    kinds,
  }, async context => {
    const gone = 'External API error'
    const answer = await refusedCheck(context, { kind: 'refused' }, ['Rate not bookable', gone])
    // A rate that cannot be booked may be gone as well.
    assume(at(answer.response.json, 'error') !== gone, 'a rate that exists but cannot be booked')
    context.expect(answer).toRefuseAsStated()
  })
})

describe('a check of resort hotels A', () => {
  test('shows its expiry, the included ticket, and the other ticket packages', {
    tags: [
      'V1-HOTEL-RESORT-CHECK-EXPIRES-AT',
      'V1-HOTEL-RESORT-CHECK-TICKET',
      'V1-HOTEL-RESORT-CHECK-OPTIONS',
      'V1-HOTEL-RESORT-OPTION-KEY',
      'V1-HOTEL-RESORT-OPTION-PRICE',
      'V1-HOTEL-RESORT-OPTION-TERMS',
    ],
    kinds,
  }, async ({ arrange, act }) => {
    const by = await arrange.actor('resort')
    for (const room of [TWO, { ...TWO, childrenAges: [8] }])
      await act.checked('a check of a resort hotel', () => resortRoom(arrange, by, room), by)
  })
})
