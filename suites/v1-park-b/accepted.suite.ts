import { isMarketRefusal, untilJudged } from '../../fixtures/check/buying/index.ts'
import {
  type Alter,
  attempt,
  cents,
  listOf,
  offerWanted,
  PAIRS,
  type ParkBCheck,
  type ParkBOffer,
  pairOnSale,
} from '../../fixtures/check/v1/index.ts'
import { at, type JsonObject, objects, textOf } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  notExercised,
  order,
  orderAt,
  orOrdinary,
  outcomeOf,
  pair,
  repeat,
  story,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-park-b'] as const

const TWO_CODES = (children: number) =>
  `Confirming for an adult and ${children} children with a code for each, in plu_ad and plu_ch`

/**
 * Returns a record without the fields that differ between the codes of one ticket, independent of the order of numbered
 * fields; `undefined` if it has no age.
 */
const withoutAge = ({ plu: _, productName: __, ageValue, ...rest }: JsonObject): string | undefined =>
  typeof ageValue === 'string' && ageValue !== ''
    ? Object.entries(rest)
        .map(([name, value]) => `${name.replace(/\d+$/, '')} ${JSON.stringify(value)}`)
        .toSorted()
        .join()
    : undefined

/** Finds the two codes of a ticket with separate codes for adults and children, on sale on one day. */
const codesOfOneTicket = (check: ParkBCheck, by: Actor): Promise<[ParkBOffer, ParkBOffer]> =>
  pairOnSale(check, by, {
    fits(record, other) {
      const like = withoutAge(record)
      return like !== undefined && withoutAge(other) === like && other.ageValue !== record.ageValue
    },
    what: 'a ticket of operator B with one code for adults and another for children, as ageValue tells',
  })

/** Returns the time (`HH:MM`) of the row of an offer. */
const timeOf = ({ exchange, date }: ParkBOffer): string => {
  const rows = at(exchange.response.json, 'eventResults')
  const times = objects(rows).map(row => textOf(row.eventDateTime))
  return times.find(time => time.startsWith(date))?.slice(11, 16) ?? '00:00'
}

type Form = readonly [how: string, write: Alter]

const asItIs: Form = ['as it is', body => body]
const bothCodes: Form = ['by two codes', ({ plu, ...body }) => ({ ...body, plu_ad: plu, plu_ch: plu })]

describe('POST /api/v1/parkB/ticketConfirm', () => {
  for (const adults of [1, 3]) {
    const ordered = (form: Form) => orderAt({ people: { adults, children: 1 }, form })
    pair(`takes one code for ${adults} and a child`, {
      for: ['V1-PARK-B-CONFIRM-ONE-CODE'],
      act: { with: ordered(asItIs), without: ordered(bothCodes) },
      kinds,
    })
  }

  const found = [
    'of a day with one row',
    async (check: ParkBCheck) => {
      const isAlone = (_: JsonObject, { productData }: ParkBOffer) => productData.eventTime === undefined
      const by = await check.arrange.actor()
      return offerWanted(check, by, isAlone, 'a ticket that is on sale for days with one row each')
    },
  ] as const
  const noTime: Form = ['without event_time', ({ event_time: _, ...body }) => body]
  const timed: Form = ['at its time', (body, offer) => ({ ...body, event_time: timeOf(offer) })]
  pair('needs no event_time for a product without time slots', {
    for: ['V1-PARK-B-CONFIRM-NO-TIME'],
    act: { with: orderAt({ found, form: noTime }), without: orderAt({ found, form: timed }) },
    kinds,
  })

  story([order, repeat, repeat], { for: ['V1-PARK-B-REPLAY-ID'], kinds })

  test('accepts plu_ad and plu_ch if the codes of adults and children differ, each at its own price', {
    tags: ['V1-PARK-B-CONFIRM-TWO-CODES'],
    kinds,
  }, async check => {
    const { arrange, expect } = check
    const by = await arrange.actor()
    const send = (
      offer: ParkBOffer,
      [adults, children]: [number, number],
      codes: JsonObject,
      total: number,
    ) => {
      const { plu: _, ...body } = arrange.anyBody(offer)
      const pax = listOf(arrange.draw, { adults, children })
      return attempt(check, { ...body, ...codes, adults, children, total_amount: cents(total), pax })
    }
    const isSold = ({ response }: Exchange) => response.status < 300
    const decide = async (adults: number, children: number) => {
      // Only the name may show which code is for adults, so one of both ways must be accepted.
      let tested: [ParkBOffer, ParkBOffer]
      const eitherWay = async () => {
        tested = await codesOfOneTicket(check, by)
        const [one, other] = tested
        const refusals: Exchange[] = []
        for (const [adult, child] of [
          [one, other],
          [other, one],
        ] as const) {
          const codes = { plu_ad: adult.productData.plu, plu_ch: child.productData.plu }
          const total = adults * adult.total + children * child.total
          const answer = await send(adult, [adults, children], codes, total)
          if (isSold(answer)) return answer
          refusals.push(answer)
        }
        return refusals.find(answer => isMarketRefusal(answer)) ?? refusals[0]!
      }
      const plain = (offer: ParkBOffer, people: [number, number]) =>
        send(offer, people, { plu: offer.productData.plu }, (people[0] + people[1]) * offer.total)
      // Each code alone, and as many tickets as both together: the maximum of an order is not shown.
      const alone: readonly ((codes: [ParkBOffer, ParkBOffer]) => Promise<Exchange>)[] = [
        ([one]) => plain(one, [1, 0]),
        ([, other]) => plain(other, [0, children]),
        ([one]) => plain(one, [adults + children, 0]),
      ]
      let turn = 0
      const compare = async () => alone[turn++ % alone.length]!(await codesOfOneTicket(check, by))
      const answer = await untilJudged({
        act: eitherWay,
        compare,
        counterpart: compare,
        refused: last =>
          notExercised(`needs tickets that are sold: ${outcomeOf(last)} (exchange ${last.id})`),
      })
      if (isSold(answer)) return expect(answer, 'V1-PARK-B-CONFIRM-TWO-CODES').toSucceed()
      const sold: Exchange[] = []
      for (const form of alone) {
        let other = await form(tested!)
        for (let sent = 1; !isSold(other) && sent < PAIRS; sent++) other = await form(tested!)
        assume(isSold(other), 'a ticket whose two codes can each be bought alone')
        sold.push(other)
      }
      expect.claim('V1-PARK-B-CONFIRM-TWO-CODES', false, {
        tried: TWO_CODES(children),
        expected: `an order, as each code gets one alone (exchanges ${sold.map(({ id }) => id).join(' and ')})`,
        observed: outcomeOf(answer),
        exchanges: [answer, ...sold],
      })
    }
    await decide(1, 1)
    if (!arrange.trafficIsFree) return
    // How many tickets are left of each code is not shown.
    await orOrdinary(
      () => decide(1, 2),
      async () => {},
    )
  })
})
