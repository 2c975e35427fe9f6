import { spread } from '../../fixtures/check/products/index.ts'
import { attemptAtAnyTotal, claimRefused, type V1OfferOf } from '../../fixtures/check/v1/index.ts'
import { addDays, assume, describe, test, type V1Check } from '../../fixtures/test.ts'

/** The number of transfers looked at if requests are limited; different ones in each run. */
const FEW = 2

/** The number of transfers with blocked dates that are tried if requests are free. */
const TRIED = 4

/** The number of looks at a blocked day in a row: a market may be sold out for a moment. */
const LOOKS = 3

/**
 * Finds transfers without a price on the same weekday of two weeks, with an offer for another day. A single day may be sold
 * out.
 */
async function findBlocked({ arrange }: V1Check<'v1-transfers'>) {
  const by = await arrange.actor()
  const { adapter } = arrange
  const people = adapter.people()
  const found = []
  const all = spread(await adapter.transfers(by))
  for (const transfer of arrange.realIsFree ? all : arrange.drawn(all, FEW)) {
    const from = adapter.day()
    const ask = async (day: number) => {
      const date = addDays(from, day)
      return adapter.offerOf(transfer, date, people, await adapter.price(by, transfer, date, people))
    }
    const hasNone = async (day: number) => {
      for (let look = 1; look <= LOOKS; look++) if ((await ask(day)) !== undefined) return false
      return true
    }
    const week: (V1OfferOf<'v1-transfers'> | undefined)[] = []
    const blocked: { date: string; stillHasNone(): Promise<boolean> }[] = []
    // If requests are limited, one blocked day and one other day are enough.
    const isEnough = () => !arrange.trafficIsFree && blocked.length > 0
    for (let day = 0; day < 7 && !(isEnough() && week.some(Boolean)); day++) {
      week.push(await ask(day))
      if (week[day] !== undefined || isEnough() || (await ask(day + 7)) !== undefined) continue
      const stillHasNone = async () => (await hasNone(day)) && (await hasNone(day + 7))
      blocked.push({ date: addDays(from, day), stillHasNone })
    }
    const [offer, ...others] = week.filter(one => one !== undefined)
    const totals = others.map(({ total }) => total)
    if (offer && blocked.length > 0) found.push({ offer, totals, week, blocked })
    if (found.length === (arrange.trafficIsFree ? TRIED : 1)) break
  }
  return found
}

const PAIR = { adults: 2, children: 0 }

/** Returns the totals for two people on the days of a week on which one person has a price. */
async function totalsOfPair(
  { arrange: { actor, adapter } }: V1Check<'v1-transfers'>,
  week: Awaited<ReturnType<typeof findBlocked>>[number]['week'],
): Promise<number[]> {
  const by = await actor()
  const totals: number[] = []
  for (const one of week) {
    const offer = one && { ...one, people: PAIR }
    const priced = offer && adapter.quotedAs(offer, await adapter.quote(by, offer))
    if (priced !== undefined) totals.push(priced.total)
  }
  return totals
}

describe('transferConfirm for a blocked date', () => {
  test('is refused', {
    tags: ['V1-TRANSFER-CONFIRM-BLOCKED-DATE', 'CACHE-V1-TRANSFER-CATALOG', 'V1-TRANSFER-NO-CURRENCY'],
    kinds: ['v1-transfers'],
  }, async context => {
    const { act, arrange } = context
    const by = await arrange.actor()
    const found = await findBlocked(context)
    assume(found.length > 0, 'a transfer without a price on the same weekday of two weeks')
    type Found = (typeof found)[number]
    const isRefused = async (
      { offer, totals }: Pick<Found, 'offer' | 'totals'>,
      { date, stillHasNone }: Found['blocked'][number],
      seller = by,
    ) => {
      const send = (total: number) =>
        seller.v1.transfers.confirm({
          ...arrange.adapter.altered(offer, { date, total }),
          external_reference: arrange.reference(),
        })
      const answer = await attemptAtAnyTotal(send, offer.total, totals)
      if (answer.response.status < 400)
        assume(await stillHasNone(), 'a day that still has no price afterwards')
      const tried = `Confirming a transfer for ${offer.people.adults} for ${date}, a day on which it has no price`
      claimRefused(context, 'V1-TRANSFER-CONFIRM-BLOCKED-DATE', { tried, answer })
    }
    for (const { blocked, ...ground } of found) for (const day of blocked) await isRefused(ground, day)
    // The same for a live order.
    if (arrange.trafficIsFree) await isRefused(found[0]!, found[0]!.blocked[0]!, await arrange.actor('live'))
    // The same for several people.
    for (const { offer, week, blocked } of arrange.trafficIsFree ? found : []) {
      const [total, ...totals] = await totalsOfPair(context, week)
      if (total !== undefined)
        await isRefused({ offer: { ...offer, people: PAIR, total }, totals }, blocked[0]!)
    }
    await act.booked('the same for another day', { body: arrange.body(found[0]!.offer) })
  })
})
