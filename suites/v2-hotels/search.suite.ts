import fc from 'fast-check'
import { claimFormats, untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { type Actor, assume, describe, type Exchange, type ProductCheck, test } from '../../fixtures/test.ts'

const kinds = ['hotels'] as const

/** Seconds of clock movement between two polls. A typical search takes several times as long. */
const STEP = 4

const LATER = { act: 'wait', which: 0 } as const
const readThrice = (which: number) => Array.from({ length: 3 }, () => ({ act: 'poll', which }) as const)

/** The number of offers of a search that are checked, if requests are free. */
const MOST_RATES = 4

/** A search that a check follows. */
interface Followed {
  searchId: string | number
  started: Exchange
  polls: Exchange[]
  ended: boolean
}

/** Returns the offers in answers. */
const rates = ({ arrange }: ProductCheck<'hotels'>, polls: readonly Exchange[]) =>
  polls.flatMap(exchange =>
    arrange.adapter
      .read(exchange)
      .hotels.flatMap(({ rooms }) => rooms.flat())
      .map(offer => ({ ...offer, exchange })),
  )

/** Returns the ids of those offers. */
const offersIn = (context: ProductCheck<'hotels'>, polls: readonly Exchange[]): Set<string> =>
  new Set(rates(context, polls).map(({ offerId }) => offerId))

/** Returns unusual offers of each hotel: one that cannot be cancelled, or if unknown the most expensive or cheapest. */
function otherRates({ arrange }: ProductCheck<'hotels'>, { polls }: Followed): string[] {
  // Hotels that the kit does not book say nothing about sales.
  const hotels = polls
    .slice(-1)
    .flatMap(poll => arrange.adapter.read(poll).hotels)
    .filter(({ cancellableOnline }) => cancellableOnline !== false)
  const choices = hotels.flatMap(({ rooms: [room = []] }, turn) => {
    const byPrice = room.toSorted((one, other) => Number(one.total) - Number(other.total))
    return (
      byPrice.find(({ cancellable }) => cancellable === false) ?? byPrice.at(turn % 2 === 0 ? -1 : 0) ?? []
    )
  })
  return arrange.drawn(choices.slice(0, MOST_RATES), 1).map(({ offerId }) => offerId)
}

async function begin({ arrange }: ProductCheck<'hotels'>, actor: Actor): Promise<Followed> {
  const hotels = arrange.adapter
  const [destination] = await hotels.destinations(actor)
  const { searchId, started } = await hotels.start(actor, {
    destination: destination!,
    checkIn: hotels.day(),
  })
  return { searchId, started, polls: [], ended: false }
}

/** Polls a search of the actor. An unfinished search must exist. */
async function poll(
  { arrange, expect }: ProductCheck<'hotels'>,
  actor: Actor,
  search: Followed,
): Promise<void> {
  const answer = await untilSupplierAnswers(
    () => actor.v2.hotelSearchPoll(search.searchId),
    'a poll of a hotel search',
  )
  // How long a finished search can be read is not shown.
  if (search.ended && !succeeded(answer)) return
  if (!succeeded(answer) && search.polls.length > 0)
    assume(
      arrange.adapter.endIsKnown(),
      'a hotel search whose end is known (shapes.hotels.finished in the definition)',
    )
  expect(answer, 'V2-HOTEL-SEARCH-POLL').toSucceed()
  search.polls.push(answer)
  search.ended ||= arrange.adapter.read(answer).finished
}

async function followToItsEnd(
  context: ProductCheck<'hotels'>,
  actor: Actor,
  search: Followed,
): Promise<void> {
  const { mostPolls } = context.arrange.adapter
  while (!search.ended && search.polls.length < mostPolls()) {
    await context.arrange.adapter.progress(actor, search.polls.length, STEP)
    await poll(context, actor, search)
  }
}

/** The minimum length of an id: a shorter one may be a counter, whose next values exist. */
const LONG = 16

/** Returns another id of the same form that was never issued. */
function neverIssued(searchId: string | number): string | number {
  if (typeof searchId === 'number') return searchId + 1_000_000_007
  const half = Math.floor(searchId.length / 2)
  const other = (letter: string) => (/[0-9]/.test(letter) ? String((Number(letter) + 5) % 10) : 'x')
  const changed = `${searchId.slice(0, half)}${searchId.slice(half).replaceAll(/[A-Za-wyz0-9]/g, other)}`
  return changed.padEnd(LONG, '7')
}

describe('a hotel search', () => {
  test('returns a search_id, is read by it until it ends, and is never cached', {
    tags: [
      'V2-HOTEL-SEARCH-START',
      'V2-HOTEL-SEARCH-POLL',
      'CACHE-V2-HOTEL-SEARCH-START',
      'CACHE-V2-HOTEL-SEARCH-POLL',
      'FORMAT-V2-KEYS-HOTELS',
      'FORMAT-V2-AMOUNT-HOTELS',
      'FORMAT-V2-CURRENCY-HOTELS',
      'FORMAT-V2-TIMESTAMP-HOTELS',
    ],
    kinds,
    opportunistic: [
      'V2-OFFER-CHECK-STAGE',
      'V2-OFFER-CHECK-POLICY',
      'V2-OFFER-CHECK-CONDITIONS',
      'V2-OFFER-CHECK-EXPIRES-AT',
    ],
  }, async context => {
    const actor = await context.arrange.actor()
    const search = await begin(context, actor)
    await followToItsEnd(context, actor, search)
    claimFormats(context.expect, 'HOTELS', rates(context, search.polls))
    // Other checks use the ordinary rates.
    for (const offerId of otherRates(context, search)) await actor.v2.checkOffer(offerId)
    if (search.ended) return
    assume(
      false,
      `a hotel search that ends: none of ${search.polls.length} polls was finished (shapes.hotels.finished in the definition)`,
    )
  })

  test('runs in parallel with others, each read by its own search_id in any order', {
    tags: [
      'V2-HOTEL-SEARCH-POLL',
      'V2-HOTEL-SEARCH-START',
      'CACHE-V2-HOTEL-SEARCH-POLL',
      'CACHE-V2-HOTEL-SEARCH-START',
    ],
    kinds,
  }, async context => {
    const { arrange, expect, holds } = context
    const step = fc.record({ act: fc.constantFrom('start', 'poll', 'poll', 'wait'), which: fc.nat(5) })
    await holds(
      fc.array(step, { minLength: 3, maxLength: 10 }),
      async steps => {
        // A separate company for each walk if possible: there are many walks, and each company has its own rate limit.
        const actor = await arrange.actor('standard', { modes: {} })
        const searches = [await begin(context, actor), await begin(context, actor)]
        for (const { act, which } of steps) {
          if (act === 'start') searches.push(await begin(context, actor))
          else if (act === 'wait') await arrange.adapter.progress(actor, 1, STEP)
          else await poll(context, actor, searches[which % searches.length]!)
        }
        // Each search is for other days, and an offer has one day.
        const seen = new Map<string, Followed>()
        for (const search of searches) {
          for (const offer of offersIn(context, search.polls)) {
            const other = seen.get(offer)
            seen.set(offer, search)
            if (other === undefined) continue
            expect.claim('V2-HOTEL-SEARCH-POLL', false, {
              tried: 'Reading two searches for different days by turns',
              expected: 'each under its own reference',
              observed: 'the same offer in both',
              exchanges: [other.started, search.started, ...other.polls.slice(-1), ...search.polls.slice(-1)],
            })
          }
        }
      },
      {
        runs: 8,
        live: 1,
        // Each is read at least three times, and alternately with the other.
        examples: [[...readThrice(0), LATER, LATER, ...readThrice(1), ...readThrice(0).slice(2)]],
      },
    )
  })

  test('shows no hotels under an id that was never issued', {
    tags: ['V2-HOTEL-SEARCH-UNKNOWN', 'V2-HOTEL-SEARCH-UNKNOWN-ERROR'],
    kinds,
    opportunistic: ['V2-HOTEL-SEARCH-POLL'],
  }, async context => {
    const { arrange, v2, expect } = context
    const actor = await arrange.actor()
    const search = await begin(context, actor)
    await followToItsEnd(context, actor, search)
    assume(offersIn(context, search.polls).size > 0, 'a hotel search that finds offers')
    for (const unknown of [neverIssued(search.searchId), 'never-issued-5b1c']) {
      const answer = await v2.hotelSearchPoll(unknown)
      const offers = succeeded(answer) ? offersIn(context, [answer]).size : 0
      expect(answer, 'V2-HOTEL-SEARCH-UNKNOWN').toTell('the number of offers', offers, 0)
      expect(answer, 'V2-HOTEL-SEARCH-UNKNOWN-ERROR').not.toSucceed()
    }
  })

  test('does not show its offers to another company', {
    tags: ['V2-HOTEL-SEARCH-FOREIGN'],
    kinds,
    opportunistic: ['V2-HOTEL-SEARCH-POLL'],
  }, async context => {
    const { arrange, expect } = context
    const actor = await arrange.actor()
    const other = await arrange.actor('otherCompany')
    const search = await begin(context, actor)
    const peeks: Exchange[] = []
    for (let turn = 0; !search.ended && turn < arrange.adapter.mostPolls(); turn++) {
      await arrange.adapter.progress(actor, turn, STEP)
      await poll(context, actor, search)
      if (turn < 2 || search.ended) peeks.push(await other.v2.hotelSearchPoll(search.searchId))
    }
    const own = offersIn(context, search.polls)
    assume(own.size !== 0, 'a hotel search that finds offers')
    peeks.push(await other.v2.hotelSearchPoll(search.searchId))
    for (const peek of peeks) {
      const leaked = succeeded(peek) ? [...offersIn(context, [peek])].filter(id => own.has(id)).length : 0
      expect(peek, 'V2-HOTEL-SEARCH-FOREIGN').toTell("the number of another company's offers", leaked, 0)
    }
  })
})
