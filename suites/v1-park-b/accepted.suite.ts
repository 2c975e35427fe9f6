import { isMarketRefusal, untilJudged } from '../../fixtures/check/buying/index.ts'
import {
  type Alter,
  attempt,
  cents,
  claimAccepted,
  offerWanted,
  PAIRS,
  type ParkBCheck,
  type ParkBOffer,
  pairOnSale,
  passengers,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, type JsonObject, objects, textOf } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  independently,
  notExercised,
  orOrdinary,
  outcomeOf,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-park-b'] as const

const ADULT_AND_CHILD = { adults: 1, children: 1 }

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

/** A form of a confirmation that must be accepted, and the same confirmation in another form. */
interface Form {
  title: string
  clause: ClauseId
  tried: string
  /** The group sizes tried if requests are free. Default: that of the offer. */
  groups?: readonly number[]
  find(check: ParkBCheck, group: number): Promise<ParkBOffer>
  tested?: Alter
  beside?: Alter
}

const asItIs: Alter = body => body

const alone = (who: 'adults' | 'children'): Form => ({
  title: `accepts ${who} only`,
  clause: 'V1-PARK-B-CONFIRM-CHILDREN-ALONE',
  tried: `Confirming for ${who} alone`,
  find: ({ arrange }) =>
    arrange.offer({ people: { adults: 0, children: 0, [who]: arrange.adapter.people().adults } }),
  // Codes for both ages together: one may be valid for one age only.
  beside: (body, { productData: { price } }) => ({
    ...body,
    ...ADULT_AND_CHILD,
    total_amount: cents(2 * price),
    pax: passengers(1, 1),
  }),
})

const codeAlone = (field: string, who: string, clause: ClauseId): Form => ({
  title: `accepts only ${field} for ${who} only`,
  clause,
  tried: `Confirming for ${who} alone with ${field} alone`,
  groups: [1, 2],
  find: ({ arrange }, group) => arrange.offer({ people: { adults: 0, children: 0, [who]: group } }),
  tested: ({ plu, ...body }) => ({ ...body, [field]: plu }),
})

const FORMS: readonly Form[] = [
  {
    title: 'accepts plu as the code of all tickets',
    clause: 'V1-PARK-B-CONFIRM-ONE-CODE',
    tried: 'Confirming for an adult and a child with plu',
    groups: [1, 3],
    find: ({ arrange }, adults) => arrange.offer({ people: { adults, children: 1 } }),
    beside: ({ plu, ...body }) => ({ ...body, plu_ad: plu, plu_ch: plu }),
  },
  alone('children'),
  alone('adults'),
  codeAlone('plu_ad', 'adults', 'V1-PARK-B-CONFIRM-ADULT-CODE-ONLY'),
  codeAlone('plu_ch', 'children', 'V1-PARK-B-CONFIRM-CHILD-CODE-ONLY'),
  {
    title: 'needs no event_time for a product without time slots',
    clause: 'V1-PARK-B-CONFIRM-NO-TIME',
    tried: 'Confirming a ticket of a day with one row without event_time',
    find: async check => {
      const isAlone = (_: JsonObject, { productData }: ParkBOffer) => productData.eventTime === undefined
      const by = await check.arrange.actor()
      return offerWanted(check, by, isAlone, 'a ticket that is on sale for days with one row each')
    },
    tested: ({ event_time: _, ...body }) => body,
    beside: (body, offer) => ({ ...body, event_time: timeOf(offer) }),
  },
]

describe('POST /api/v1/parkB/ticketConfirm', () => {
  for (const { title, clause, tried, groups = [1], find, tested = asItIs, beside = asItIs } of FORMS) {
    test(title, { tags: [clause], kinds }, async check => {
      await independently(
        ...groups.slice(0, check.arrange.trafficIsFree ? undefined : 1).map(
          group => () =>
            claimAccepted(check, {
              clause,
              tried,
              async make() {
                const offer = await find(check, group)
                const body = check.arrange.anyBody(offer)
                return { tested: tested(body, offer), beside: beside(body, offer) }
              },
            }),
        ),
      )
    })
  }

  test('answers a repeat with a string id too', {
    tags: ['V1-PARK-B-REPLAY-ID'],
    kinds,
  }, async check => {
    const { v1, arrange, expect } = check
    const repeated = async (order: { body: JsonObject; id: unknown }) => {
      for (let repeat = 1; repeat <= 2; repeat++) {
        const again = await v1.parkB.confirm(order.body)
        assume(again.response.status < 300, 'a repeat that returns the order')
        assume(
          at(again.response.json, 'idempotent_replay') === true,
          'a repeat that is marked as one (idempotent_replay: true)',
        )
        expect(again).toShow('id_order', textOf(order.id))
      }
    }
    await independently(
      async () => repeated(await arrange.order()),
      async () => {
        if (arrange.trafficIsFree) await repeated(await arrange.unusualOrder())
      },
    )
  })

  test('accepts plu_ad and plu_ch if the codes of adults and children differ, each at its own price', {
    tags: ['V1-PARK-B-CONFIRM-TWO-CODES'],
    kinds,
  }, async check => {
    const { arrange, expect } = check
    const by = await arrange.actor()
    const order = (
      offer: ParkBOffer,
      [adults, children]: [number, number],
      codes: JsonObject,
      total: number,
    ) => {
      const { plu: _, ...body } = arrange.anyBody(offer)
      const pax = passengers(adults, children)
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
          const answer = await order(adult, [adults, children], codes, total)
          if (isSold(answer)) return answer
          refusals.push(answer)
        }
        return refusals.find(answer => isMarketRefusal(answer)) ?? refusals[0]!
      }
      const plain = (offer: ParkBOffer, people: [number, number]) =>
        order(offer, people, { plu: offer.productData.plu }, (people[0] + people[1]) * offer.total)
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
