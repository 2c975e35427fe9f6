import {
  claimSameInRanges,
  isAway,
  isLimited,
  untilSupplierAnswers,
} from '../../fixtures/check/buying/index.ts'
import { checksOf, type V1Requests } from '../../fixtures/check/requests/index.ts'
import {
  claimShownAsNone,
  isForEveryAccount,
  offerWanted,
  type ParkBCheck,
  type TicketOffer,
  type V1People,
  type V1Ticket,
} from '../../fixtures/check/v1/index.ts'
import { at, textOf } from '../../fixtures/contracts/index.ts'
import { parkBQuestion } from '../../fixtures/service/index.ts'
import { addDays, assume, describe, type Exchange, independently, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-b'] as const

const inSlots = ({ productData }: TicketOffer): boolean => productData.time !== undefined

/** Returns a price request for one product on a day and the next: whether the last day is included is open. */
const questionOf = ({ productId: plu, date }: Pick<TicketOffer, 'productId' | 'date'>) => ({
  plu,
  from_date: date,
  to_date: addDays(date, 1),
})

/** Requests a price, again while the operator does not answer. */
const ask = async ({ v1 }: ParkBCheck, question: Record<string, unknown>): Promise<Exchange> => {
  const answer = await untilSupplierAnswers(() => v1.parkB.price(question), 'a price')
  assume(!isLimited(answer), 'a credential below its rate limit')
  return answer
}

const LABEL = 'Faltan datos requeridos'

/** Days ahead of a day that is near, and tickets that are asked for on it. */
const NEAR = 7
const MOST_TICKETS = 6

/** Returns every string in an answer, at any depth. */
const textsIn = (json: unknown): string[] => {
  if (typeof json === 'string') return [json]
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(textsIn) : []
}

const rowsIn = ({ response }: Exchange): number => {
  const rows = at(response.json, 'eventResults')
  return Array.isArray(rows) ? rows.length : 0
}

/** Price requests, and the judgement of one with a missing field. */
const questions: V1Requests<'v1-park-b'> = {
  kinds: ['v1-park-b'],
  refusal: 'a refusal (400 or higher, not 500)',
  isRefused: ({ response }) => response.status >= 400,
  isFruitless: answer => answer.response.status >= 400 || rowsIn(answer) === 0,
  valid: async ({ arrange }) => questionOf(await arrange.offer()),
  // Of each ticket, some of which have slots, for a day that is near.
  async others(_, { words }, { arrange: { actor, adapter, trafficIsFree } }) {
    if (!trafficIsFree) return []
    const by = await actor()
    const day = addDays(new Date(by.now()).toISOString().slice(0, 10), NEAR)
    const tickets = (await adapter.tickets(by)).slice(0, MOST_TICKETS)
    // A question for one day alone may be refused for that, in other words.
    const to_date = words === undefined ? day : addDays(day, 1)
    return tickets.map(one => ({ plu: adapter.idOf(one), from_date: day, to_date }))
  },
  send: ask,
  async proves(check) {
    const answer = await ask(check, questionOf(await check.arrange.offer()))
    assume.accepted(answer, 'the same with all its fields')
    assume(rowsIn(answer) > 0, 'price rows for a day on which a ticket is sold')
  },
  takes: async (check, make) => ask(check, await make()),
  lacking: {
    tags: ['V1-PARK-B-ERR-EMPTY-FIELDS', 'V1-PARK-B-ERR-EMPTY-FIELDS-LABEL'],
    judge({ expect }, answer) {
      expect(answer, 'V1-PARK-B-ERR-EMPTY-FIELDS').toHaveStatus(400)
      expect(answer, 'V1-PARK-B-ERR-EMPTY-FIELDS').toShow('message', 'Empty fields received')
      // The key of the label is not shown.
      const texts = textsIn(answer.response.json)
      const isThere = texts.includes(LABEL)
      expect(answer, 'V1-PARK-B-ERR-EMPTY-FIELDS-LABEL').toGive(`"${LABEL}"`, isThere, texts.join(', '))
    },
  },
}

describe(parkBQuestion.subject, () => {
  for (const { title, body, ...options } of checksOf(parkBQuestion, questions))
    test(title, { ...options, forReal: true }, body)
})

describe('POST /api/v1/parkB/getTicketPrice', () => {
  test('lists dates and times at which a ticket can be bought, within the range requested', {
    tags: [
      'V1-PARK-B-PRICE-EVENT-ID',
      'V1-PARK-B-PRICE-EVENT-TIME',
      'V1-PARK-B-PRICE-CAPACITY',
      'V1-PARK-B-PRICE-TOTAL',
      'V1-PARK-B-PRICE-REQUEST-ID',
      'V1-PARK-B-PRICE-RANGE',
    ],
    kinds,
  }, async ({ arrange }) => {
    const by = await arrange.actor()
    const { adapter } = arrange
    let rows = 0
    const tickets = (await adapter.tickets(by)).slice(0, MOST_RECORDS)
    for (const plu of arrange.drawn(
      tickets.map(one => adapter.idOf(one)),
      2,
    )) {
      const from = adapter.day()
      for (const to of [addDays(from, 6), from]) rows += rowsIn(await adapter.price(by, plu, from, to))
    }
    assume(rows > 0, 'a ticket on sale')
  })

  test('answers no rows without availability: in the past, or far ahead', {
    tags: ['V1-PARK-B-PRICE-NONE'],
    kinds,
  }, async check => {
    const { arrange } = check
    const { productId, date: day } = await arrange.offer()
    const year = Number(day.slice(0, 4))
    let without = 0
    for (const date of [`${year - 1}-06-15`, `${year + 20}-06-15`]) {
      const answer = await ask(check, questionOf({ productId, date }))
      // A product without a calendar may also answer with an error. Answers without rows are judged here.
      if (answer.response.status < 400 && rowsIn(answer) === 0) without++
    }
    assume(without > 0, 'a day without availability that is answered without an error')
  })

  test('answers no rows without availability: sold out', {
    tags: ['V1-PARK-B-PRICE-NONE'],
    kinds,
  }, async check => {
    const { arrange, act, control } = check
    const actor = await arrange.actor()
    const soldOut = async (offer: TicketOffer) => {
      await control.setStock(actor, offer.productId, 0)
      const answer = await ask(check, questionOf(offer))
      assume(rowsIn(answer) === 0, 'control.setStock to have an effect')
      claimShownAsNone(check, 'Asking for the price of a ticket that is sold out', answer)
      await control.setStock(actor, offer.productId, 100)
      await act.booked('the same while it is on sale', { what: arrange.body(offer) })
    }
    await soldOut(await arrange.offer())
    if (!arrange.trafficIsFree) return
    await soldOut(await offerWanted(check, actor, inSlots, 'a ticket with times'))
  })
})

describe('a range of POST /api/v1/parkB/getTicketPrice', () => {
  test('lists each day as a request for that day alone does, at the same prices', {
    tags: ['V1-PARK-B-PRICE-RANGE-WHOLE'],
    kinds,
  }, async ({ arrange, expect }) => {
    const by = await arrange.actor()
    const { adapter } = arrange
    const { productId, date: first } = await arrange.offer()
    const { trafficIsFree } = arrange
    const others = trafficIsFree ? (await adapter.tickets(by)).slice(0, 2 * MOST_RECORDS) : []
    const asking = (plu: unknown) => async (from: string, to: string) => {
      const answer = await adapter.price(by, plu, from, to)
      assume.accepted(answer, 'prices of a range')
      const rows = [...adapter.rowsOf(answer).values()].flat()
      const times = Map.groupBy(rows, ({ row }) => textOf(row.eventDateTime))
      const priced = [...times].map(([time, alike]) => {
        const prices = alike.map(({ row }) => textOf(row.totalPriceWithTax ?? null))
        return [time, prices.sort().join(' and ')] as const
      })
      return { answer, prices: new Map(priced) }
    }
    // Tickets with slots, or for one age, may be among the others.
    const plus = [...new Set([productId, ...others.map(one => adapter.idOf(one))])].slice(0, MOST_RECORDS + 2)
    await independently(
      ...plus.map(
        (plu, turn) => () =>
          claimSameInRanges(
            expect,
            'V1-PARK-B-PRICE-RANGE-WHOLE',
            { first, trafficIsFree, turn },
            asking(plu),
          ),
      ),
    )
  })
})

/** The number of catalog records that a check requests. */
const MOST_RECORDS = 3
/** Days on which one row is bought. They include every weekday. */
const DAYS = [0, 1, 2, 3, 4, 13, 16, 40, 75]

describe('each row of a price', () => {
  test('is a date and time that can be bought', {
    tags: ['V1-PARK-B-PRICE-ROW-AVAILABLE'],
    kinds,
  }, async check => {
    const { arrange, act, expect } = check
    const by = await arrange.actor()
    const { adapter } = arrange
    /** Returns possible people for a ticket, in the order tried: the form of `ageValue` is open. */
    const whoFor = ({ adult }: V1Ticket): V1People[] =>
      adult?.ageValue
        ? [
            { adults: 1, children: 0 },
            { adults: 0, children: 1 },
          ]
        : [adapter.people()]
    const isSold = (answer: Exchange) => answer.response.status < 400 || isAway(answer)
    const known = (await adapter.tickets(by)).filter(({ adult }) => isForEveryAccount(adult!))
    const records = known.slice(0, MOST_RECORDS)
    for (const [at, record] of records.entries()) {
      const from = adapter.day()
      // If requests are limited, each ticket uses another day.
      const days = arrange.trafficIsFree ? DAYS : [at]
      for (const later of days) {
        const date = addDays(from, later)
        /** Returns a row of the day, another one each day, if it is still shown. */
        const shown = async (people: V1People) => {
          const offers = await adapter.offersOn(by, record, people, date)
          return offers[later % Math.max(1, offers.length)]
        }
        let answer: Exchange | undefined
        for (const people of whoFor(record)) {
          let first = await shown(people)
          if (first === undefined) break
          const { answer: tried } = await act.book({
            async what() {
              const offer = first ?? (await shown(people))
              first = undefined
              assume(offer !== undefined, 'a price row that does not change during the check')
              return arrange.anyBody(offer)
            },
          })
          answer = tried
          if (isSold(answer)) break
        }
        if (answer === undefined) continue
        expect(answer, 'V1-PARK-B-PRICE-ROW-AVAILABLE').toGive('an order, as a row says', isSold(answer))
        if (!arrange.trafficIsFree) return
      }
    }
  })
})
