import { untilRefusedForItself } from '../../fixtures/check/buying/index.ts'
import {
  attempt,
  cents,
  claimConfirmedAsQuoted,
  claimLinkOpens,
  claimRefused,
  idIn,
  offerWanted,
  type ParkBCheck,
  replay,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import { type JsonObject, sentIn } from '../../fixtures/contracts/index.ts'
import { isUsableId, methodsOf } from '../../fixtures/service/index.ts'
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

/** The maximum number of tickets with the voucher method that are tried. */
const MOST_LISTING = 6

/** Error strings about the delivery method. */
const OF_METHODS = ['Delivery method not supported', 'Delivery method not available']

/** Returns the tickets of an account that list the voucher method. */
const vouchersFor = async ({ arrange }: ParkBCheck, by: Actor): Promise<JsonObject[]> =>
  (await arrange.adapter.tickets(by)).filter(ticket => methodsOf(ticket).includes('53'))

describe('delivery methods of operator B', () => {
  /** Confirms a ticket that lists a method, with that method. */
  const confirm = async (
    check: ParkBCheck,
    method: string,
    by: Actor,
    { people = check.arrange.adapter.people(), plu }: { people?: V1People; plu?: unknown } = {},
  ): Promise<Exchange> => {
    const lists = (record: JsonObject) =>
      methodsOf(record).includes(method) && (plu === undefined || record.plu === plu)
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
    const lists = (record: JsonObject) => methodsOf(record).includes('53')
    // Tickets delivered only as vouchers are preferred.
    const isAlone = (record: JsonObject) => lists(record) && methodsOf(record).length === 1
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
})
