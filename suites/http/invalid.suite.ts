import fc from 'fast-check'
import { mutationsOf } from '../../fixtures/arbitraries/index.ts'
import {
  isAway,
  isMarketRefusal,
  UNKNOWN_ID,
  untilSupplierAnswers,
} from '../../fixtures/check/buying/index.ts'
import { type Offer, transferQuestionOf } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { type JsonObject, sentIn } from '../../fixtures/contracts/index.ts'
import { otherDateForms } from '../../fixtures/service/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  independently,
  orOrdinary,
  outcomeOf,
  type ProductCheck,
  type ProductKind,
  test,
} from '../../fixtures/test.ts'

/** The number of cases if requests are limited. */
const LIVE = 4

type Trying = Pick<ProductCheck, 'expect' | 'holds'>

/** A valid request, and how others are sent in its place. */
interface Valid {
  what: string
  sent: unknown
  /** The fields that must not be missing, empty or of another type. Default: which these are is open. */
  needed?: readonly string[]
  ask(body: unknown): Promise<Exchange>
}

/** Sends every invalid form of a request, a list first. Records results that the document leaves open. */
async function tryAll(
  { expect, holds }: Trying,
  { what, sent, needed = [], ask }: Valid,
  isOwn = (_at: number) => true,
): Promise<void> {
  const mutations = mutationsOf(sent, needed)
    .filter(({ refused }, at) => refused || isOwn(at))
    .toSorted((one, other) => Number(Array.isArray(other.body)) - Number(Array.isArray(one.body)))
  await holds(
    fc.constantFrom(...mutations),
    async ({ field, change, refused, body }) => {
      const answer = await ask(body)
      // Such an answer says nothing about the request.
      if (isAway(answer) || answer.response.status === 429) return
      expect(answer, 'V2-INVALID-NOT-5XX').not.toBreakDown()
      if (refused) expect(answer, 'V2-INVALID-REFUSED').toBeAnError()
      else if (!isMarketRefusal(answer))
        expect.fact(`${what} with ${field || 'a body'}: ${change}: ${outcomeOf(answer)}`)
    },
    { runs: mutations.length, live: LIVE, examples: mutations },
  )
}

/** Kinds that share the faults which the document leaves open: each tries others. */
const SHARING: readonly ProductKind[] = ['parkA', 'parkB', 'hotels']

/** A request for a quote whose body is not shown. */
interface Question extends Valid {
  /** Returns the number of things on sale in the last answer. */
  found(answer: Exchange): number | Promise<number>
}

const tickets = async ({ v2, arrange }: ProductCheck<'parkA' | 'parkB'>): Promise<Question> => {
  const offer = await arrange.offer()
  const { adapter } = arrange
  return {
    what: 'Asking for tickets',
    sent: sentIn(offer.exchange),
    ask: body => untilSupplierAnswers(() => v2.ticketAvailability(body), 'availability of tickets'),
    found: answer => adapter.read(answer, adapter.productOf(offer)).length,
  }
}

const hotels = async ({ arrange }: ProductCheck<'hotels'>): Promise<Question> => {
  const { adapter, actor } = arrange
  const by = await actor()
  const [destination] = await adapter.destinations(by)
  // Without its zeros it is another text.
  const days = Array.from({ length: 31 }, (_, at) => addDays(adapter.day(), at))
  const ask = { destination: destination!, checkIn: days.find(date => date.includes('-0'))! }
  let search: Awaited<ReturnType<typeof adapter.try>> | undefined
  return {
    what: 'Searching for hotels',
    sent: sentIn((await adapter.start(by, ask)).started),
    async ask(body) {
      search = await adapter.try(by, ask, () => body)
      return search.started
    },
    found: async () => (await search!.toItsEnd()).hotels.length,
  }
}

/** Repeats the request with each date in another form, which must be refused or find nothing, and then with other faults. */
async function claimRefusing(check: Trying, valid: Question): Promise<void> {
  const { what, sent, ask, found } = valid
  const text = JSON.stringify(sent)
  const days = [...new Set(text.match(/"\d{4}-\d{2}-\d{2}"/g))]
  assume(days.length > 0, `dates written YYYY-MM-DD for ${what.toLowerCase()}`)
  const examples = days.flatMap(day =>
    otherDateForms(day.slice(1, -1)).map(form => text.replaceAll(day, `"${form}"`)),
  )
  await independently(
    () =>
      check.holds(
        fc.constantFrom(...examples),
        async form => {
          const answer = await ask(JSON.parse(form))
          const count = succeeded(answer) ? await found(answer) : 0
          check.expect(answer).toTell('the number of things on sale', count, 0)
        },
        { runs: examples.length, live: 1, examples },
      ),
    () => tryAll(check, valid),
  )
}

describe('requests with one invalid field', () => {
  for (const [kinds, what] of [
    ['any', 'to book'],
    [SHARING, 'to book other kinds of product'],
  ] as const)
    test(`${what}: refused with 4xx if something required is missing, never answered with 5xx`, {
      tags: ['V2-INVALID-REFUSED', 'V2-INVALID-NOT-5XX'],
      kinds,
    }, async check => {
      const { v2, act, arrange } = check
      const isShared = kinds !== 'any'
      assume(!isShared || arrange.realIsFree, 'a deployment on which requests cost nobody anything')
      const offers = await orOrdinary<readonly Offer[]>(
        () => arrange.offersTogether(2),
        async () => [await arrange.offer()],
      )
      const valid = {
        what: 'Booking',
        sent: arrange.anyBody(offers, 'a reference'),
        needed: ['items', 'items[]', 'items[].offer_id'],
        ask: (body: unknown) => v2.book({ key: arrange.key(), body }),
      }
      const turn = SHARING.indexOf(arrange.kind)
      await tryAll(check, valid, at => !isShared || at % SHARING.length === turn)
      await act.booked('the same booking without the fault')
    })

  test('to check an offer: refused with 4xx, never answered with 5xx', {
    tags: ['V2-INVALID-REFUSED', 'V2-INVALID-NOT-5XX'],
    kinds: 'any',
  }, async check => {
    const offer = await check.arrange.offer()
    await tryAll(check, {
      what: 'Checking an offer',
      sent: { offer_id: offer.offerId },
      needed: ['offer_id'],
      ask: body => check.v2.checkOffer(body as JsonObject),
    })
    await check.act.checked('the same check without the fault', offer)
  })

  test('for transfer availability: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: ['transfers'],
  }, async check => {
    const { v2, arrange, expect } = check
    const sent = await transferQuestionOf(arrange)
    const ask = (body: unknown) => v2.transferAvailability(body as JsonObject)
    assume.accepted(await ask(sent), 'the same request without the fault')
    const { product_ids: ids } = sent
    expect(await ask({ ...sent, product_ids: [...ids, UNKNOWN_ID] })).not.toBreakDown()
    await tryAll(check, { what: 'Asking for transfers', sent, ask })
  })

  test('with a booking id that cannot exist: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: 'any',
  }, async ({ v2, expect, holds }) => {
    const ids = ['no-number', '99999999999999999999', '0', '-1', '1.5']
    await holds(
      fc.constantFrom(...ids),
      async id => {
        for (const call of [v2.booking, v2.voucher, (id: string) => v2.cancel(id)])
          expect(await call(id)).not.toBreakDown()
      },
      { runs: ids.length, live: 1, examples: ids },
    )
  })

  test('with an Idempotency-Key that is empty or too long: never answered with 5xx', {
    tags: ['V2-IDEM-KEY-NOT-5XX'],
    kinds: 'any',
  }, async ({ v2, act, arrange, expect }) => {
    const keyOf = (length: number) => arrange.key().padEnd(length, 'k').slice(0, length)
    for (const length of [0, 192, 1000]) {
      const body = arrange.anyBody([await arrange.offer()])
      const answer = await v2.book({ key: keyOf(length), body })
      if (isMarketRefusal(answer)) continue
      expect(answer).not.toBreakDown()
      expect.fact(`Booking with an Idempotency-Key of ${length} bytes: ${outcomeOf(answer)}`)
    }
    await act.booked('a booking with a key of 191 bytes', { spelled: { key: keyOf(191) } })
  })
})

describe('a request for a quote whose body is not shown', () => {
  const title = 'with a date in another form is refused, and with any other fault not answered with 5xx'

  test(
    title,
    {
      tags: ['FORMAT-V2-DATE-REFUSED-TICKETS', 'V2-INVALID-NOT-5XX'],
      kinds: ['parkA', 'parkB'],
    },
    async check => claimRefusing(check, await tickets(check)),
  )

  test(
    title,
    {
      tags: ['FORMAT-V2-DATE-REFUSED-HOTELS', 'V2-INVALID-NOT-5XX'],
      kinds: ['hotels'],
    },
    async check => claimRefusing(check, await hotels(check)),
  )
})
