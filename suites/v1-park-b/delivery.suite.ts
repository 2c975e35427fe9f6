import { untilRefusedForItself, v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  assumeSoldTo,
  attempt,
  cents,
  claimConfirmedAsQuoted,
  claimLinkOpens,
  claimRefused,
  deliveryMethodsOf,
  idIn,
  listOf,
  offerForGroup,
  offerWanted,
  type ParkBCheck,
  pairOnSale,
  replay,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import { type JsonObject, sentIn } from '../../fixtures/contracts/index.ts'
import { isUsableId } from '../../fixtures/service/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  independently,
  orOrdinary,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-park-b'] as const

const ADULT_AND_CHILD = { adults: 1, children: 1 }
const ALONE: readonly V1People[] = [
  { adults: 0, children: 1 },
  { adults: 2, children: 0 },
]

/** The maximum number of tickets with the voucher method that are tried. */
const MOST_LISTING = 6

/** Error strings about the delivery method. */
const OF_METHODS = ['Delivery method not supported', 'Delivery method not available']

/** Returns the tickets of an account that list the voucher method. */
const vouchersFor = async ({ arrange }: ParkBCheck, by: Actor): Promise<JsonObject[]> =>
  (await arrange.adapter.tickets(by)).filter(ticket => deliveryMethodsOf(ticket).includes('53'))

describe('delivery methods of operator B', () => {
  /** Confirms a ticket that lists a method, with that method. */
  const confirm = async (
    check: ParkBCheck,
    method: string,
    by: Actor,
    { people = check.arrange.adapter.people(), plu }: { people?: V1People; plu?: unknown } = {},
  ): Promise<Exchange> => {
    const lists = (record: JsonObject) =>
      deliveryMethodsOf(record).includes(method) && (plu === undefined || record.plu === plu)
    const { answer } = await check.act.book({
      offer: () =>
        offerWanted(check, by, lists, `a ticket on sale that lists the delivery method ${method}`, people),
      body: offer => ({ ...check.arrange.anyBody(offer), DeliveryMethod: method }),
      by,
      expecting: OF_METHODS,
      // Other tickets that are sold say nothing about these.
      judged: false,
    })
    return answer
  }

  test('92 is accepted if the product lists it, also for an account that sells vouchers', {
    tags: ['V1-PARK-B-CONFIRM-METHOD-92'],
    kinds,
  }, async check => {
    const { arrange, expect } = check
    const confirmed = async (by: Actor, order = {}) => {
      const answer = await confirm(check, '92', by, order)
      expect(answer).not.toSay(...OF_METHODS)
      assume.sold(answer, 'a confirmation')
    }
    const by = await arrange.actor()
    await independently(
      () => confirmed(by),
      async () => {
        if (arrange.trafficIsFree) await confirmed(by, { people: ADULT_AND_CHILD })
      },
      async () => {
        const seller = await arrange.actor('sellsVouchers')
        if (seller.token === by.token) return
        await confirmed(seller)
        const both = (await vouchersFor(check, seller)).find(one => deliveryMethodsOf(one).includes('92'))
        if (arrange.trafficIsFree && both !== undefined) await confirmed(seller, { plu: both.plu })
      },
    )
  })

  test('53 is accepted for an account that sells vouchers; the order has a voucher and can be cancelled', {
    tags: [
      'V1-PARK-B-CONFIRM-METHOD-53',
      'V1-PARK-B-PDF',
      'V1-PARK-B-CANCEL-SUCCESS',
      'TEST-MODE-V1-PARK-B-CANCELLED-VOUCHER',
      'TEST-MODE-V1-PARK-B-CANCEL-TWICE',
      'AUTH-V1-PARK-B-LINK',
      'V1-IDEM-REPLAY-ORDER-PARK-B',
      'V1-IDEM-REPLAY-STATUS-PARK-B',
      'V1-IDEM-REPLAY-FLAG-PARK-B',
    ],
    kinds,
  }, async check => {
    const { arrange, act, expect } = check
    const seller = await arrange.actor('sellsVouchers')
    const listing = await vouchersFor(check, seller)
    const confirmed = async (order?: { people: V1People; plu: unknown }) => {
      const answer = await confirm(check, '53', seller, order)
      expect(answer, 'V1-PARK-B-CONFIRM-METHOD-53').not.toSay(...OF_METHODS)
      return assume.sold(answer, 'a confirmation')
    }
    const answer = await confirmed()
    const id = idIn(answer)
    assume(isUsableId(id), 'an order that shows its id')
    await independently(
      async () => {
        await replay(arrange, seller, sentIn(answer) as JsonObject)
      },
      async () => void (await act.voucher({ id }, seller)),
      () => claimLinkOpens(check, answer),
      async () => {
        await act.cancel({ id }, seller)
        await seller.v1.parkB.voucher({ order_id: id })
        await seller.v1.parkB.cancel({ id_order: id })
      },
      async () => {
        if (!arrange.trafficIsFree) return
        for (const { plu } of listing.slice(1, MOST_LISTING))
          await confirmed({ plu, people: ADULT_AND_CHILD })
      },
    )
  })

  test('53 is sold only at the price shown', {
    tags: ['V1-PARK-B-PRICE-PER-TICKET', 'V1-PARK-B-CONFIRM-TOTAL'],
    kinds,
  }, async check => {
    const { arrange } = check
    const seller = await arrange.actor('sellsVouchers')
    const lists = (record: JsonObject) => deliveryMethodsOf(record).includes('53')
    // Tickets delivered only as vouchers are preferred.
    const isAlone = (record: JsonObject) => lists(record) && deliveryMethodsOf(record).length === 1
    const find = async () => {
      const what = 'a ticket on sale that lists the delivery method 53'
      const offer = await orOrdinary(
        () => offerWanted(check, seller, isAlone, what),
        () => offerWanted(check, seller, lists, what),
      )
      return { ...offer, body: { ...arrange.anyBody(offer), DeliveryMethod: '53' } }
    }
    const tried = 'Confirming a voucher at the price of its row'
    await claimConfirmedAsQuoted(check, 'V1-PARK-B-PRICE-PER-TICKET', {
      tried,
      by: seller,
      telling: ['Price changed.'],
      async find() {
        const quote = await find()
        const again = async () =>
          arrange.adapter.quotedAs(quote, await arrange.adapter.quote(seller, quote))?.total
        return { ...quote, again }
      },
    })
    const wrong = async () => {
      const { body, total } = await find()
      return attempt(check, { ...body, total_amount: cents(total + 7) }, seller)
    }
    claimRefused(check, 'V1-PARK-B-CONFIRM-TOTAL', {
      tried: 'Confirming a voucher for 7.00 more than it costs',
      answer: await untilRefusedForItself(wrong, ['Price changed.']),
    })
  })

  test('one that only one of two product codes lists is refused', {
    tags: ['V1-PARK-B-CONFIRM-METHOD-LISTED'],
    kinds,
    forReal: false,
  }, async check => {
    const { arrange } = check
    // Other accounts are refused the voucher method for another reason.
    const seller = await arrange.actor('sellsVouchers')
    const lacking = (record: JsonObject, other: JsonObject) =>
      deliveryMethodsOf(record).find(method => !deliveryMethodsOf(other).includes(method))
    for (const lists of ['plu_ad', 'plu_ch']) {
      const spoilt = async () => {
        const [one, other] = await pairOnSale(check, seller, {
          fits: (record, other) => lacking(record, other) !== undefined,
          what: 'two tickets of which one lists a delivery method that the other does not',
        })
        const [adult, child] = lists === 'plu_ad' ? [one, other] : [other, one]
        const { plu: _, ...body } = arrange.anyBody(adult)
        return {
          ...body,
          plu_ad: adult.productData.plu,
          plu_ch: child.productData.plu,
          ...ADULT_AND_CHILD,
          total_amount: cents(adult.total + child.total),
          pax: listOf(arrange.draw, ADULT_AND_CHILD),
          DeliveryMethod: lacking(one.productData.ticket, other.productData.ticket),
        }
      }
      const tried = `Confirming with a delivery method that ${lists} alone lists`
      const answer = await attempt(check, spoilt, seller)
      claimRefused(check, 'V1-PARK-B-CONFIRM-METHOD-LISTED', { tried, answer })
    }
  })

  test('53 is refused with the documented error for an account that does not sell vouchers', {
    tags: ['V1-PARK-B-CONFIRM-METHOD-53-NOT-SOLD', 'V1-PARK-B-ERR-METHOD-53'],
    kinds,
  }, async check => {
    const { arrange, act, expect } = check
    const by = await arrange.actor('standard', { features: { sellsVouchers: false } })
    const listing = await vouchersFor(check, by)
    assume(listing.length > 0, 'a ticket that lists the delivery method 53')
    // The position of the method, and whether it is the only one, must make no difference.
    const [one, ...others] = [
      ...Map.groupBy(listing, ticket => deliveryMethodsOf(ticket).join()).values(),
    ].map(([ticket]) => ticket!)
    const orders: { plu: unknown; people?: V1People }[] = [
      ...(arrange.trafficIsFree ? listing.slice(0, MOST_LISTING) : [one!]).map(({ plu }) => ({ plu })),
      ...(others.length > 0 ? others : [one!]).map(({ plu }) => ({ plu, people: ADULT_AND_CHILD })),
      ...(arrange.trafficIsFree ? ALONE : []).map(people => ({ plu: one!.plu, people })),
    ]
    const refused = async (order: (typeof orders)[number]) => {
      const answer = await confirm(check, '53', by, order)
      const sold = answer.response.status < 300
      assume(
        !sold || by.features.sellsVouchers === false,
        'an account that is stated to sell no vouchers (features, or TSS_FEATURES in .env)',
      )
      expect(answer, 'V1-PARK-B-CONFIRM-METHOD-53-NOT-SOLD').not.toSucceed()
      const { people = arrange.adapter.people() } = order
      // A ticket may be for adults only.
      if (people.adults === 0) return
      // A group of that size may never be sold anything.
      if (!v1ErrorsOf(answer).some(error => OF_METHODS.includes(error)))
        await assumeSoldTo(check, people, async () => arrange.anyBody(await offerForGroup(check, people)))
      expect(answer, 'V1-PARK-B-ERR-METHOD-53').toRefuseAsStated()
    }
    await independently(...orders.map(order => () => refused(order)))
    await act.booked('another method', { by })
  })
})
