import { claimFormats, untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { type Actor, assume, describe, type Exchange, type ProductCheck, test } from '../../fixtures/test.ts'

type HotelCheck = ProductCheck<'hotels'>

const kinds = ['hotels'] as const

/** Seconds of clock movement between two polls. A typical search takes several times as long. */
const STEP = 4

/** A search that a check follows. */
interface Followed {
  searchId: string | number
  started: Exchange
  polls: Exchange[]
  ended: boolean
}

/** Returns the offers in answers. */
const rates = ({ arrange }: HotelCheck, polls: readonly Exchange[]) =>
  polls.flatMap(exchange =>
    arrange.adapter
      .read(exchange)
      .hotels.flatMap(({ rooms }) => rooms.flat())
      .map(offer => ({ ...offer, exchange })),
  )

/** Returns the ids of those offers. */
const offersIn = (context: HotelCheck, polls: readonly Exchange[]): Set<string> =>
  new Set(rates(context, polls).map(({ offerId }) => offerId))

/** Polls a search of the actor. An unfinished search must exist. */
async function poll({ arrange, expect }: HotelCheck, actor: Actor, search: Followed): Promise<void> {
  const answer = await untilSupplierAnswers(
    () => actor.v2.hotelSearchPoll(search.searchId),
    'a poll of a hotel search',
  )
  // How long a finished search can be read is not shown.
  if (search.ended && !succeeded(answer)) return
  assume(
    succeeded(answer) || search.polls.length === 0 || arrange.adapter.endIsKnown(),
    'a hotel search whose end is known (shapes.hotels.finished in the definition)',
  )
  expect(answer, 'V2-HOTEL-SEARCH-POLL').toSucceed()
  search.polls.push(answer)
  search.ended ||= arrange.adapter.read(answer).finished
}

/** Starts searches for different days, and polls them by turns until all have ended. */
async function follow(context: HotelCheck, actor: Actor, count = 1, between = async (_: Followed) => {}) {
  const { adapter } = context.arrange
  const [destination] = await adapter.destinations(actor)
  const searches: Followed[] = []
  while (searches.length < count) {
    const started = await adapter.start(actor, { destination: destination!, checkIn: adapter.day() })
    searches.push({ ...started, polls: [], ended: false })
  }
  for (let turn = 0; turn < adapter.mostPolls() && searches.some(({ ended }) => !ended); turn++) {
    await adapter.progress(actor, turn, STEP)
    for (const search of searches) {
      await poll(context, actor, search)
      await between(search)
    }
  }
  return searches as [Followed, ...Followed[]]
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
  }, async context => {
    const [{ polls, ended }] = await follow(context, await context.arrange.actor())
    claimFormats(context.expect, 'HOTELS', rates(context, polls))
    const what = `none of ${polls.length} polls was finished (shapes.hotels.finished in the definition)`
    assume(ended, `a hotel search that ends: ${what}`)
  })

  test('runs in parallel with others, each read by its own search_id', {
    tags: [
      'V2-HOTEL-SEARCH-POLL',
      'V2-HOTEL-SEARCH-START',
      'CACHE-V2-HOTEL-SEARCH-POLL',
      'CACHE-V2-HOTEL-SEARCH-START',
    ],
    kinds,
  }, async context => {
    const [one, other] = await follow(context, await context.arrange.actor('standard', { modes: {} }), 2)
    // Each search is for other days, and an offer has one day.
    const own = offersIn(context, one.polls)
    const shared = [...offersIn(context, other!.polls)].filter(id => own.has(id))
    context
      .expect(other!.polls.at(-1)!, 'V2-HOTEL-SEARCH-POLL')
      .toHaveNo('offers of a search for other days', shared)
  })

  test('shows no hotels under an id that was never issued', {
    tags: ['V2-HOTEL-SEARCH-UNKNOWN', 'V2-HOTEL-SEARCH-UNKNOWN-ERROR'],
    kinds,
    opportunistic: ['V2-HOTEL-SEARCH-POLL'],
  }, async context => {
    const { arrange, v2, expect } = context
    const [search] = await follow(context, await arrange.actor())
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
    const other = await arrange.actor('otherCompany')
    const peeks: Exchange[] = []
    const [search] = await follow(context, await arrange.actor(), 1, async ({ searchId, polls, ended }) => {
      if (polls.length <= 2 || ended) peeks.push(await other.v2.hotelSearchPoll(searchId))
    })
    const own = offersIn(context, search.polls)
    assume(own.size !== 0, 'a hotel search that finds offers')
    peeks.push(await other.v2.hotelSearchPoll(search.searchId))
    for (const peek of peeks) {
      const leaked = succeeded(peek) ? [...offersIn(context, [peek])].filter(id => own.has(id)).length : 0
      expect(peek, 'V2-HOTEL-SEARCH-FOREIGN').toTell("the number of another company's offers", leaked, 0)
    }
  })
})
