import { placeChecks, type Write } from '../../fixtures/check/requests/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { bookingItem, bookingRequest, offerCheck, traveler } from '../../fixtures/service/index.ts'
import { describe, EVERY_KIND, type ProductCheck, test } from '../../fixtures/test.ts'

type Arrange = ProductCheck['arrange']

const ofOne =
  ({ anyBody, offer }: Arrange): Write =>
  async () =>
    anyBody([await offer()])

const ofSeveral =
  ({ anyBody, offersTogether }: Arrange, items: number): Write =>
  async () =>
    anyBody(await offersTogether(items))

/** Writes a booking of two items, each for as many travelers as three. Whether it may have so many is open. */
const crowded =
  (arrange: Arrange): Write =>
  async () => {
    const body = await ofSeveral(arrange, 2)()
    for (const { travelers } of body.items as { travelers?: JsonObject[] }[])
      while (travelers?.[0] !== undefined && travelers.length < 3) travelers.push({ ...travelers[0] })
    return body
  }

const checks = [
  ...placeChecks(offerCheck, {
    kinds: EVERY_KIND,
    path: 'V2-OFFER-CHECK-REQUIRED-FIELD',
    ways: async ({ arrange }) => [[async () => ({ offer_id: (await arrange.offer()).offerId })]],
    send: ({ v2 }, body) => v2.checkOffer(body),
    proves: async ({ act, arrange }) =>
      act.checked('the same check with its offer_id', await arrange.offer()),
  }),
  ...placeChecks(bookingRequest, { kinds: EVERY_KIND, ways: async ({ arrange }) => [[ofOne(arrange)]] }),
  ...placeChecks(bookingItem, {
    kinds: EVERY_KIND,
    // More than two cost more than a market that is not free has for them.
    ways: async ({ arrange }) => [[ofSeveral(arrange, arrange.realIsFree ? 3 : 2), ofOne(arrange)]],
  }),
  ...placeChecks(traveler, {
    kinds: EVERY_KIND,
    ways: async ({ arrange }) => [[crowded(arrange), ofOne(arrange)]],
  }),
]

describe('a v2 request with a fault', () => {
  for (const { title, body, ...options } of checks) test(title, options, body)
})
