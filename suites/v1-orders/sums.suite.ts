import {
  ADULT,
  assumeStands,
  attempt,
  claimConfirmedAsQuoted,
  claimRefused,
  DAYS_OF_PAIRS,
  hasChildFares,
  isRefusedOrder,
  looksLikeAChilds,
  offerForGroup,
  offerForGroupOfA,
  offerWanted,
  type ParkACheck,
  type ParkBCheck,
  type ParkBOffer,
  passengers,
  type Quote,
  quoteOf,
  type V1Offer,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { isSameAmount, type JsonObject, sumOf } from '../../fixtures/contracts/index.ts'
import { addDays, assume, describe, independently, test, untilAgreed } from '../../fixtures/test.ts'

/** A total that must be accepted as quoted. */
interface Sum<Of> {
  clause: ClauseId
  tried: string
  find(check: Of): Promise<Quote>
  /** Sends wrong totals, after the right one was accepted. */
  refuses?(check: Of): Promise<void>
}

/**
 * A group of operator A, which buys from a separate family: without children if no family of the first brand has a child
 * fare.
 */
const groupOfA = (
  clause: 'V1-PARK-A-PRICE-PER-TICKET' | 'V1-PARK-A-CONFIRM-TOTAL',
  adults: number,
  children: number,
): Sum<ParkACheck> => ({
  clause,
  tried: `Confirming tickets for ${adults} adults and ${children} children, for the price of each`,
  async find(check) {
    const people = (await hasChildFares(check)) ? { adults, children } : { adults: adults || 1, children: 0 }
    return quoteOf(check, await offerForGroupOfA(check, people))
  },
})

/** A ticket of the last brand with tickets on sale, a child's if there are any: each brand may have its own prices. */
const laterOfA = (later: number): Sum<ParkACheck> => ({
  clause: 'V1-PARK-A-PRICE-PER-TICKET',
  tried: `Confirming a ticket at the price of the day ${later} of a fortnight`,
  async find(check) {
    const { adapter, actor } = check.arrange
    const by = await actor()
    const families = await adapter.families(by, undefined, ({ brand }) => brand === adapter.brands.at(-1))
    const [family] = families.length > 0 ? families : await adapter.families(by)
    const people = family?.child === undefined ? ADULT : { adults: 0, children: 1 }
    const from = family?.eventDate ?? adapter.day()
    const offers = await adapter.between(by, family!, people, { from, to: addDays(from, FORTNIGHT) })
    return quoteOf(check, offers[later] ?? offers.at(-1) ?? (await check.arrange.offer()))
  },
})

const FORTNIGHT = 13

const SUMS_OF_A: readonly Sum<ParkACheck>[] = [
  groupOfA('V1-PARK-A-CONFIRM-TOTAL', 3, 2),
  groupOfA('V1-PARK-A-PRICE-PER-TICKET', 2, 1),
  groupOfA('V1-PARK-A-CONFIRM-TOTAL', 2, 2),
  groupOfA('V1-PARK-A-PRICE-PER-TICKET', 1, 1),
  groupOfA('V1-PARK-A-CONFIRM-TOTAL', 1, 2),
  groupOfA('V1-PARK-A-CONFIRM-TOTAL', 3, 0),
  // Each day of a week, and the last of two weeks.
  ...[FORTNIGHT, 0, 1, 2, 3, 4, 5, 6].map(laterOfA),
]

/** The maximum number of tickets priced to find two that differ. */
const MOST_RECORDS = 6

/** Returns a confirmation of an operator B offer at the price of its row. */
const rowOf = ({ arrange }: ParkBCheck, offer: ParkBOffer): Quote => ({
  ...offer,
  body: arrange.anyBody(offer),
  async again() {
    const { adapter, actor } = arrange
    return adapter.quotedAs(offer, await adapter.quote(await actor(), offer))?.total
  },
})

/** The ticket for which a check found several rows on a day. The next search starts with it. */
const withRows = new WeakMap<ParkBCheck, JsonObject>()

/** Returns one ticket for the second or last of several rows of a day. */
async function laterRow(check: ParkBCheck, place: 1 | -1): Promise<Quote> {
  const { adapter, actor } = check.arrange
  const by = await actor()
  const from = adapter.day()
  const records = (await adapter.tickets(by)).slice(0, MOST_RECORDS)
  for (const record of new Set([withRows.get(check) ?? records[0]!, ...records])) {
    const exchange = await adapter.price(by, record.plu, from, addDays(from, 6))
    for (const [date, rows] of adapter.rowsOf(exchange)) {
      const row = rows.at(place)
      if (row === undefined || rows.length < 2) continue
      const offer = adapter.offerOf(record, ADULT, row, { date, rows: rows.length, exchange })
      if (offer?.productData.eventTime === undefined) continue
      withRows.set(check, record)
      return rowOf(check, offer)
    }
  }
  assume(false, 'a day with several price rows at different times')
}

/** Returns one ticket of a catalog record, for anyone who may have it. */
async function ofRecord(check: ParkBCheck, at: number): Promise<Quote> {
  const { adapter, actor } = check.arrange
  const tickets = (await adapter.tickets(await actor())).slice(0, MOST_RECORDS)
  assume(tickets[at] !== undefined, `${at + 1} tickets on sale`)
  const people = looksLikeAChilds(tickets[at].ageValue) ? { adults: 0, children: 1 } : ADULT
  return rowOf(
    check,
    await offerWanted(check, await actor(), () => true, 'the first ticket of the catalog', people, [
      tickets[at],
    ]),
  )
}

/** Returns two tickets with different prices on one day and the same delivery, for two adults and two children. */
async function twoCodes(check: ParkBCheck): Promise<Quote> {
  for (let day = 1; day <= DAYS_OF_PAIRS; day++) {
    const quote = await twoCodesOn(check, check.arrange.adapter.day())
    if (quote !== undefined) return quote
  }
  assume(false, 'two tickets with different prices on one day')
}

async function twoCodesOn({ arrange }: ParkBCheck, date: string): Promise<Quote | undefined> {
  const { adapter, actor } = arrange
  const by = await actor()
  const quote = async (record: JsonObject): Promise<ParkBOffer | undefined> => {
    const [offer] = await adapter.offersOn(by, record, ADULT, date)
    return offer?.productData.eventTime === undefined ? offer : undefined
  }
  const totalOf = (adult: V1Offer, child: V1Offer) =>
    sumOf([adult.total, adult.total, child.total, child.total])
  const found: ParkBOffer[] = []
  for (const record of (await adapter.tickets(by)).slice(0, MOST_RECORDS)) {
    const child = await quote(record)
    if (child === undefined) continue
    const adult = found.find(
      ({ productData, total }) =>
        productData.method === child.productData.method &&
        // A ticket for anybody and one for an age are not two codes of one ticket.
        !productData.ticket.ageValue === !record.ageValue &&
        !isSameAmount(total, child.total),
    )
    found.push(child)
    if (adult === undefined) continue
    const { plu: _, ...body } = arrange.anyBody(adult)
    const total = totalOf(adult, child)
    return {
      total,
      exchange: child.exchange,
      body: {
        ...body,
        plu_ad: adult.productData.plu,
        plu_ch: child.productData.plu,
        adults: 2,
        children: 2,
        total_amount: total,
        pax: passengers(2, 2),
      },
      async again() {
        const [one, other] = [await quote(adult.productData.ticket), await quote(record)]
        return one && other && totalOf(one, other)
      },
    }
  }
  return undefined
}

/** Differences from the right total. */
const WRONG = [-0.01, 1] as const

/** Decides that two codes are sold only for the sum of their prices. */
async function refusedAtOtherSums(check: ParkBCheck): Promise<void> {
  // A partner's run tries this with one code only.
  if (!check.arrange.trafficIsFree) return
  for (const off of WRONG) {
    const { total, answer } = await untilAgreed(
      async time => {
        const { body, total, again } = await twoCodes(check)
        const answer = await attempt(check, { ...body, total_amount: sumOf([total, off]) })
        const agrees = isRefusedOrder(answer)
        if (!agrees) await assumeStands(time, total, again)
        return { agrees, total, answer, exchanges: [answer] }
      },
      { isTaken: true },
    )
    const tried = `Confirming plu_ad for two adults and plu_ch for two children, ${total} in all, at ${off} more`
    claimRefused(check, 'V1-PARK-B-CONFIRM-TOTAL-CENT', { tried, answer })
  }
}

const groupOfB = (
  clause: 'V1-PARK-B-PRICE-PER-TICKET' | 'V1-PARK-B-CONFIRM-TOTAL',
  adults: number,
  children: number,
): Sum<ParkBCheck> => ({
  clause,
  tried: `Confirming tickets for ${adults} adults and ${children} children at the sum of totalPriceWithTax`,
  find: async check => rowOf(check, await offerForGroup(check, { adults, children })),
})

const SUMS_OF_B: readonly Sum<ParkBCheck>[] = [
  groupOfB('V1-PARK-B-PRICE-PER-TICKET', 1, 0),
  groupOfB('V1-PARK-B-PRICE-PER-TICKET', 2, 0),
  groupOfB('V1-PARK-B-CONFIRM-TOTAL', 2, 1),
  groupOfB('V1-PARK-B-CONFIRM-TOTAL', 1, 2),
  groupOfB('V1-PARK-B-CONFIRM-TOTAL', 2, 2),
  groupOfB('V1-PARK-B-CONFIRM-TOTAL', 3, 0),
  groupOfB('V1-PARK-B-CONFIRM-TOTAL', 1, 1),
  groupOfB('V1-PARK-B-CONFIRM-TOTAL', 11, 1),
  ...[1, 2, 3, 4, 5].map(at => ({
    clause: 'V1-PARK-B-PRICE-PER-TICKET' as const,
    tried: `Confirming ticket ${at + 1} of the catalog at its price`,
    find: (check: ParkBCheck) => ofRecord(check, at),
  })),
  ...([1, -1] as const).map(place => ({
    clause: 'V1-PARK-B-PRICE-PER-TICKET' as const,
    tried: `Confirming a ticket for the ${place === 1 ? 'second' : 'last'} of several rows of a day, at its price`,
    find: (check: ParkBCheck) => laterRow(check, place),
  })),
  {
    clause: 'V1-PARK-B-CONFIRM-TOTAL',
    tried: 'Confirming plu_ad for two adults and plu_ch for two children at the sum of their prices',
    find: twoCodes,
    refuses: refusedAtOtherSums,
  },
]

/** Returns one total for each clause; all of them if requests are free. */
const everyClause = <Of extends ParkACheck | ParkBCheck>(check: Of, sums: readonly Sum<Of>[]) =>
  [...Map.groupBy(sums, ({ clause }) => clause).values()].flatMap(own => check.arrange.drawn(own, 1))

describe('the sum of the prices of tickets', () => {
  const claimEach = <Of extends ParkACheck | ParkBCheck>(check: Of, sums: readonly Sum<Of>[]) =>
    independently(
      ...everyClause(check, sums).map(({ clause, tried, find, refuses }) => async () => {
        let kept: Quote | undefined
        await claimConfirmedAsQuoted(check, clause, {
          tried,
          telling: ['Price changed.'],
          // A price may be wrong on one day only, so the same day is repeated.
          async find() {
            const isSame = kept !== undefined && isSameAmount((await kept.again()) ?? -1, kept.total)
            kept = isSame ? kept! : await find(check)
            return kept
          },
        })
        await refuses?.(check)
      }),
    )

  test(
    'is accepted as the total of an order of operator A',
    { tags: ['V1-PARK-A-CONFIRM-TOTAL', 'V1-PARK-A-PRICE-PER-TICKET'], kinds: ['v1-park-a'] },
    check => claimEach(check, SUMS_OF_A),
  )

  test(
    'is accepted as the total of an order of operator B',
    {
      tags: ['V1-PARK-B-CONFIRM-TOTAL', 'V1-PARK-B-PRICE-PER-TICKET'],
      opportunistic: ['V1-PARK-B-CONFIRM-TOTAL-CENT'],
      kinds: ['v1-park-b'],
    },
    check => claimEach(check, SUMS_OF_B),
  )
})
