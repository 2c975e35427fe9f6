import fc from 'fast-check'
import { type Mutation, mutationsOf } from '../../fixtures/arbitraries/index.ts'
import {
  isAway,
  isMarketRefusal,
  UNKNOWN_ID,
  untilSupplierAnswers,
} from '../../fixtures/check/buying/index.ts'
import { transferQuestionOf } from '../../fixtures/check/products/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { sentIn } from '../../fixtures/contracts/index.ts'
import { otherDateForms } from '../../fixtures/service/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  independently,
  outcomeOf,
  type ProductCheck,
  type ProductKind,
  test,
} from '../../fixtures/test.ts'

/** The number of cases if requests are limited. */
const LIVE = 4

/** A valid request, and how others are sent in its place. */
interface Valid {
  what: string
  sent: unknown
  ask(body: unknown): Promise<Exchange>
  /** Returns the number of things on sale in the last answer. */
  found?(answer: Exchange): number | Promise<number>
}

/** Sends every invalid form of a request. Records results that the document leaves open. */
async function tryAll(
  { arrange, expect, holds }: Pick<ProductCheck, 'arrange' | 'expect' | 'holds'>,
  { what, ask }: Valid,
  mutations: readonly Mutation[],
): Promise<void> {
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
    // All cases once if requests are free; otherwise a few, drawn by the seed, with a list as the body.
    {
      runs: mutations.length,
      live: LIVE,
      examples: arrange.trafficIsFree
        ? mutations
        : mutations.filter(({ body }) => Array.isArray(body)).slice(0, 1),
    },
  )
}

/** The fields of a booking that must not be missing, empty or of another type. */
const NEEDED = ['items', 'items[]', 'items[].offer_id']

/** Kinds that share the faults which the document leaves open: each tries others. */
const SHARING: readonly ProductKind[] = ['parkA', 'parkB', 'hotels']

/** Sends bookings with one wrong field each, and then a valid one. */
async function bookingsWrongInOneField(check: ProductCheck, isShared = false): Promise<void> {
  const { v2, act, arrange } = check
  const { anyBody, key, kind, offer, offersTogether, trafficIsFree } = arrange
  const sent = anyBody(trafficIsFree ? await offersTogether(2) : [await offer()], 'a reference')
  const ask = (body: unknown) => v2.book({ key: key(), body })
  const turn = SHARING.indexOf(kind)
  const isOwn = ({ refused }: Mutation, at: number) => !isShared || refused || at % SHARING.length === turn
  await tryAll(check, { what: 'Booking', sent, ask }, mutationsOf(sent, NEEDED).filter(isOwn))
  await act.booked('the same booking without the fault')
}

const tickets = async ({ v2, arrange }: ProductCheck<'parkA' | 'parkB'>): Promise<Valid> => {
  const offer = await arrange.offer()
  const { adapter } = arrange
  return {
    what: 'Asking for tickets',
    sent: sentIn(offer.exchange),
    ask: body => untilSupplierAnswers(() => v2.ticketAvailability(body), 'availability of tickets'),
    found: answer => adapter.read(answer, adapter.productOf(offer)).length,
  }
}

const hotels = async ({ arrange }: ProductCheck<'hotels'>): Promise<Valid> => {
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
async function claimRefusing(
  check: Pick<ProductCheck, 'arrange' | 'expect' | 'holds'>,
  valid: Valid,
): Promise<void> {
  const { what, sent, ask, found } = valid
  const text = JSON.stringify(sent)
  const days = [...new Set(text.match(/"\d{4}-\d{2}-\d{2}"/g))]
  assume(days.length > 0, `dates written YYYY-MM-DD for ${what.toLowerCase()}`)
  const forms = days.flatMap(day =>
    otherDateForms(day.slice(1, -1)).map(form => text.replaceAll(day, `"${form}"`)),
  )
  await independently(
    async () => {
      for (const form of check.arrange.drawn(forms, 1)) {
        const answer = await ask(JSON.parse(form))
        const count = succeeded(answer) ? await found!(answer) : 0
        check.expect(answer).toTell('the number of things on sale', count, 0)
      }
    },
    // Which fields are required is open.
    () => tryAll(check, valid, mutationsOf(sent, [])),
  )
}

describe('requests with one invalid field', () => {
  test(
    'to book: refused with 4xx if something required is missing, never answered with 5xx',
    { tags: ['V2-INVALID-REFUSED', 'V2-INVALID-NOT-5XX'], kinds: 'any' },
    check => bookingsWrongInOneField(check),
  )

  test('to book other kinds of product: never answered with 5xx', {
    tags: ['V2-INVALID-REFUSED', 'V2-INVALID-NOT-5XX'],
    kinds: SHARING,
  }, async check => {
    assume(check.arrange.realIsFree, 'a deployment on which requests cost nobody anything')
    await bookingsWrongInOneField(check, true)
  })

  test('to check an offer: refused with 4xx, never answered with 5xx', {
    tags: ['V2-INVALID-REFUSED', 'V2-INVALID-NOT-5XX'],
    kinds: 'any',
  }, async check => {
    const offer = await check.arrange.offer()
    const sent = { offer_id: offer.offerId }
    const ask = (body: unknown) => check.v2.checkOffer(body as typeof sent)
    await tryAll(check, { what: 'Checking an offer', sent, ask }, mutationsOf(sent, ['offer_id']))
    await check.act.checked('the same check without the fault', offer)
  })

  test('for transfer availability: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: ['transfers'],
  }, async check => {
    const { v2, arrange } = check
    const sent = await transferQuestionOf(arrange)
    const ask = (body: unknown) => v2.transferAvailability(body as typeof sent)
    assume.accepted(await ask(sent), 'the same request without the fault')
    const beside = { ...sent, product_ids: [...sent.product_ids, UNKNOWN_ID] }
    await tryAll(check, { what: 'Asking for transfers', sent, ask }, [
      ...mutationsOf(sent, []),
      { field: 'product_ids', change: 'with an unknown one', body: beside, refused: false },
    ])
  })

  test('with a booking id that cannot exist: never answered with 5xx', {
    tags: ['V2-INVALID-NOT-5XX'],
    kinds: 'any',
  }, async ({ v2, arrange, expect }) => {
    for (const id of arrange.drawn(['no-number', '99999999999999999999', '0', '-1', '1.5'], 2)) {
      const calls = [v2.booking, v2.voucher, (id: string) => v2.cancel(id)]
      for (const call of arrange.trafficIsFree ? calls : calls.slice(0, 1)) {
        expect(await call(id), 'V2-INVALID-NOT-5XX').not.toBreakDown()
      }
    }
  })

  test('with an Idempotency-Key that is empty or too long: never answered with 5xx', {
    tags: ['V2-IDEM-KEY-NOT-5XX'],
    kinds: 'any',
  }, async ({ v2, act, arrange, expect }) => {
    for (const length of [0, 192, 1000]) {
      const answer = await v2.book({
        key: arrange.key().padEnd(length, 'k').slice(0, length),
        body: arrange.anyBody([await arrange.offer()]),
      })
      if (isMarketRefusal(answer)) continue
      expect(answer).not.toBreakDown()
      expect.fact(`Booking with an Idempotency-Key of ${length} bytes: ${outcomeOf(answer)}`)
    }
    await act.booked('a booking with a key of 191 bytes', {
      spelled: { key: arrange.key().padEnd(191, 'k') },
    })
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
