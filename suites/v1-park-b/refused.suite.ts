import { isMarketRefusal, v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import { checksOf, confirmationsOf } from '../../fixtures/check/requests/index.ts'
import {
  assumeSoldTo,
  claimRefused,
  deliveryMethodsOf,
  isRefusedOrder,
  offerForGroup,
  offerWanted,
  type ParkBCheck,
  type ParkBOffer,
  withAdultCode,
} from '../../fixtures/check/v1/index.ts'
import { at, hasWord, type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import { parkBOrder, parkBPassenger } from '../../fixtures/service/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  orOrdinary,
  refusalOf,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-park-b'] as const

/** Conditions on the number of delivery methods: not all of the catalog's, or several. */
const LISTING: readonly ((listed: number, all: number) => boolean)[] = [
  (listed, all) => listed < all,
  listed => listed > 1,
]

/** Any ticket for an age; tried if requests are free. */
const FOR_AN_AGE = 'for an age'

/** Returns a ticket on sale with such a number of delivery methods, or one for an age. */
async function offerListing(
  check: ParkBCheck,
  by: Actor,
  fits: (typeof LISTING)[number] | typeof FOR_AN_AGE,
): Promise<ParkBOffer | undefined> {
  const { adapter } = check.arrange
  const tickets = await adapter.tickets(by)
  const many = (ticket: JsonObject) => deliveryMethodsOf(ticket).length
  const all = new Set(tickets.flatMap(deliveryMethodsOf)).size
  const onSale = (among: readonly JsonObject[]) =>
    orOrdinary<ParkBOffer | undefined>(
      () => offerWanted(check, by, () => true, 'such a ticket on sale', adapter.people(), among),
      async () => undefined,
    )
  if (fits !== FOR_AN_AGE) return onSale(tickets.filter(one => !one.ageValue && fits(many(one), all)))
  const forAges = tickets.filter(({ ageValue }) => ageValue)
  for (const ticket of forAges.toSorted((one, other) => many(other) - many(one))) {
    const offer = await onSale([ticket])
    if (offer === undefined) continue
    // The buyer may not be allowed this ticket, whatever the method.
    const body = async () => check.arrange.body(offer)
    const { answer } = await check.act.book({ body, by, judged: false })
    if (!isRefusedOrder(answer)) return offer
  }
  return undefined
}

/** Decides that an unlisted method is refused with a message that names the listed ones. */
async function claimListed(
  check: ParkBCheck,
  {
    by,
    sellsVouchers,
    offer,
    answer,
    sent,
  }: { by: Actor; sellsVouchers: boolean; offer: ParkBOffer; answer: Exchange; sent: JsonObject },
): Promise<void> {
  const { arrange, expect } = check
  const listed = deliveryMethodsOf(offer.productData.ticket)
  // The account may not be allowed the voucher method.
  const isAllowed = (method: string) => sellsVouchers || listed.length === 1 || method !== '53'
  const allowed = listed.filter(isAllowed)
  const tried = 'Confirming tickets with a delivery method that the product does not list'
  claimRefused(check, 'V1-PARK-B-CONFIRM-METHOD-LISTED', { tried, answer })
  expect(answer, 'V1-PARK-B-ERR-METHOD').toRefuseAsStated()
  const message = textOf(at(answer.response.json, 'message') ?? 'none')
  const every = (await arrange.adapter.tickets(by)).flatMap(deliveryMethodsOf)
  // The message may repeat the method that it refuses.
  const others = [...new Set(every)].filter(
    method => !listed.includes(method) && method !== sent.DeliveryMethod,
  )
  const names = (method: string) => hasWord(message, method)
  expect.claim('V1-PARK-B-ERR-METHOD-MESSAGE', allowed.every(names) && !others.some(names), {
    tried,
    expected: `a message that lists ${[allowed.join(', '), ...others.map(method => `not ${method}`)].join(', and ')}`,
    observed: message,
    answer,
  })
}

const confirmations = { ...confirmationsOf('v1-park-b', offerForGroup), withChild: true }
/** Requests with `plu_ad` only, and with a code for each age. */
const inOtherCodes: typeof confirmations = {
  ...confirmations,
  others(body, { field }) {
    if (field === 'plu') return []
    return [withAdultCode(body), { ...withAdultCode(body), plu_ch: body.plu }]
  },
}
/** Requests whose incomplete passengers must be refused as an inconsistent list. */
const ofPassengers: typeof confirmations = {
  ...confirmations,
  lacking: {
    tags: ['V1-PARK-B-ERR-PAX'],
    judge({ expect }, answer) {
      // A market refusal says nothing about the list.
      if (isMarketRefusal(answer)) return
      expect(answer, 'V1-PARK-B-ERR-PAX').toRefuseAsStated()
    },
  },
}
for (const [table, requests] of [
  [parkBPassenger, ofPassengers],
  [parkBOrder, inOtherCodes],
] as const) {
  describe(table.subject, () => {
    for (const { title, body, ...options } of checksOf(table, requests)) test(title, options, body)
  })
}

describe('POST /api/v1/parkB/ticketConfirm', () => {
  test('is refused without any product code, with the documented error', {
    tags: ['V1-PARK-B-CONFIRM-CODE-REQUIRED', 'V1-PARK-B-ERR-NO-CODE'],
    kinds,
  }, async check => {
    const { arrange, act, expect } = check
    for (const children of arrange.drawn([0, 1], 1)) {
      const { answer } = await act.book({
        async body() {
          const { plu: _, ...body } = arrange.anyBody(await offerForGroup(check, { adults: 1, children }))
          return body
        },
      })
      const tried = 'Confirming tickets without a product code'
      claimRefused(check, 'V1-PARK-B-CONFIRM-CODE-REQUIRED', { tried, answer })
      expect(answer, 'V1-PARK-B-ERR-NO-CODE').toRefuseAsStated()
    }
    await act.booked('the same with a code')
  })

  for (const field of ['plu_ad', 'plu_ch'] as const) {
    test(`is refused with a ${field} that is not on sale, next to a code that is`, {
      tags: ['V1-PARK-B-ERR-CODE-UNKNOWN'],
      kinds,
    }, async check => {
      const { arrange, act, expect } = check
      const people = { adults: 1, children: 1 }
      const body = async () => {
        const offer = await arrange.offer({ people })
        // A ticket for an age does not fit both people.
        assume(!offer.productData.ticket.ageValue, 'a ticket of operator B for any age')
        return arrange.anyBody(offer)
      }
      const { answer } = await act.book({
        async body() {
          const { plu, ...rest } = await body()
          return { ...rest, plu_ad: plu, plu_ch: plu, [field]: 'NO-SUCH-TICKET' }
        },
        beside: body,
        expecting: ['Ticket not found.'],
      })
      const tried = `Confirming tickets with a ${field} that is not on sale`
      claimRefused(check, 'V1-PARK-B-ERR-CODE-UNKNOWN', { tried, answer })
      // A group of that size may never be sold anything.
      if (!v1ErrorsOf(answer).includes('Ticket not found.')) await assumeSoldTo(check, people, body)
      expect(answer, 'V1-PARK-B-ERR-CODE-UNKNOWN').toRefuseAsStated()
    })
  }

  for (const [who, role] of [
    ['', 'standard'],
    [', of an account that sells vouchers as well', 'sellsVouchers'],
  ] as const) {
    test(`is refused with a delivery method that the product does not list; the error lists the valid ones${who}`, {
      tags: ['V1-PARK-B-CONFIRM-METHOD-LISTED', 'V1-PARK-B-ERR-METHOD', 'V1-PARK-B-ERR-METHOD-MESSAGE'],
      kinds,
      forReal: role === 'standard',
    }, async check => {
      const { arrange, act } = check
      const by = await arrange.actor(role)
      const turns = arrange.trafficIsFree ? ([...LISTING, FOR_AN_AGE] as const) : LISTING
      // A method of other tickets, if there is one, and unknown ones. Accounts without voucher sales are refused 53 for
      // another reason.
      const elsewhere = (await arrange.adapter.tickets(by))
        .flatMap(deliveryMethodsOf)
        .filter(method => role === 'sellsVouchers' || method !== '53')
      for (const [turn, fits] of turns.entries()) {
        // Also with the fields for two codes.
        const isPair = turn === 1 && arrange.trafficIsFree
        const written = (offer: ParkBOffer) =>
          isPair ? arrange.adapter.otherwise!(arrange.anyBody(offer)) : arrange.anyBody(offer)
        const { answer, offer, sent } = await act.book({
          offer: async () => (await offerListing(check, by, fits)) ?? (await arrange.offer({ actor: by })),
          body(offer) {
            const listed = deliveryMethodsOf(offer.productData.ticket)
            // An account with voucher sales is refused method 53 only because of the ticket.
            const known = turn === 0 ? elsewhere : elsewhere.filter(method => method === '53')
            const others = [...known, '91', '93', '94']
            const other = others.find(method => !listed.includes(method))
            return { ...written(offer), DeliveryMethod: other }
          },
          by,
        })
        // Two codes are for adults and children with different codes: equal ones may be refused.
        const { words = [] } = refusalOf('V1-PARK-B-ERR-METHOD')!
        if (isPair && !v1ErrorsOf(answer).some(error => words.includes(error))) {
          const alike = await act.book({ body: async () => written(offer), by, judged: false })
          assume(!isRefusedOrder(alike.answer), 'an order with two equal codes to be accepted')
        }
        await claimListed(check, { by, sellsVouchers: role === 'sellsVouchers', offer, answer, sent })
      }
      await act.booked('a ticket with a method that it lists', { by })
    })
  }
})
