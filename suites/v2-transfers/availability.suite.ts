import {
  claimSameInRanges,
  OPEN,
  UNKNOWN_ID,
  untilSupplierAnswers,
} from '../../fixtures/check/buying/index.ts'
import { askForTransfers, spread, transferQuestionOf } from '../../fixtures/check/products/index.ts'
import { checksOf, type Requests } from '../../fixtures/check/requests/index.ts'
import {
  errorCode,
  isSameAmount,
  type OfferedDay,
  offeredDays,
  sentIn,
  textOf,
} from '../../fixtures/contracts/index.ts'
import {
  Availability,
  AvailabilityDay,
  AvailabilityResult,
  clausesAbout,
  transferQuestion,
} from '../../fixtures/service/index.ts'
import {
  addDays,
  assume,
  describe,
  independently,
  type ProductCheck,
  test,
  untilAgreed,
} from '../../fixtures/test.ts'

const kinds = ['transfers'] as const

const questions: Requests<'transfers', ProductCheck<'transfers'>> = {
  kinds: ['transfers'],
  refusal: 'a refusal (4xx)',
  isRefused: ({ response: { status } }) => status >= 400 && status < 500 && status !== 429,
  isFruitless: answer =>
    questions.isRefused(answer) || (answer.response.status < 300 && offeredDays(answer).length === 0),
  valid: ({ arrange }) => transferQuestionOf(arrange),
  send: ({ v2 }, body) => v2.transferAvailability(body),
  async proves(check) {
    const answer = await check.v2.transferAvailability(await transferQuestionOf(check.arrange))
    assume.accepted(answer, 'the same question without a mistake')
  },
  takes: async ({ v2 }, make) => v2.transferAvailability(await make()),
  lacking: {
    tags: ['V2-VALIDATION-ALL-AT-ONCE'],
    judge: ({ expect }, answer, field) => {
      // Which fields are required, and the code, are not certain.
      if (errorCode(answer) === 'VALIDATION_ERROR')
        expect(answer, 'V2-VALIDATION-ALL-AT-ONCE').toReportField(field)
    },
  },
}

describe(transferQuestion.subject, () => {
  for (const { title, body, ...options } of checksOf(transferQuestion, questions)) test(title, options, body)
})

const ANSWERED = ['V2-TRANSFER-AVAILABILITY-OK', 'V2-TRANSFER-CATALOG-SELLABLE'] as const

describe('POST /api/v2/transfers/availability', () => {
  test('each day on sale has a price, a currency and an offer', {
    tags: [
      'V2-TRANSFER-AVAILABILITY-OK',
      'V2-AVAIL-PRODUCT-ASKED',
      'V2-AVAIL-DAY-IN-RANGE',
      'V2-AVAIL-DAY-OFFER-OWN',
      'CACHE-V2-TRANSFER-AVAILABILITY',
      'FORMAT-V2-KEYS-TRANSFER-AVAILABILITY',
      ...clausesAbout(Availability, AvailabilityResult, AvailabilityDay),
    ],
    kinds,
  }, async ({ v2, arrange, expect }) => {
    const productIds = (await arrange.adapter.productIds(await arrange.actor())).slice(0, 3)
    const ask = { ...(await transferQuestionOf(arrange, 6)), product_ids: productIds }
    const answer = await askForTransfers({ v2 }, ask)
    expect(answer, 'V2-TRANSFER-AVAILABILITY-OK').toHaveStatus(200, 201)
    // One product, and all products, may be handled differently from some.
    const isAsked = textOf(sentIn(answer)) === textOf(ask)
    if (isAsked && productIds.length > 2) {
      // In another order, too.
      const others = { ...ask, product_ids: productIds.slice(1).toReversed() }
      const some = await untilSupplierAnswers(
        () => v2.transferAvailability(others),
        'availability of transfers',
      )
      expect(some, 'V2-TRANSFER-AVAILABILITY-OK').toHaveStatus(200, 201)
    }
    // Whether an unknown product is refused is open; an empty answer has a list, too.
    await v2.transferAvailability({ ...ask, product_ids: [UNKNOWN_ID] })
    // The capacity is open; an answer for a family may be cached too.
    if (arrange.trafficIsFree)
      await v2.transferAvailability({ ...ask, pax: { adult: 2, child: 1, infant: 1 } })
    const days = offeredDays(answer)
    const { exchange } = days.length === 0 ? await arrange.offer() : { exchange: answer }
    const dated = offeredDays(exchange).some(({ expiresAt }) => expiresAt != null)
    assume(dated, 'an availability offer that has an expires_at')
  })

  test('a transfer on sale when requested alone is on sale among others, at the same price', {
    tags: ['V2-AVAIL-EVERY-PRODUCT', 'V2-AVAIL-DAY-AVAILABLE'],
    kinds,
  }, async ({ v2, arrange, expect }) => {
    // In another order than in the catalog.
    const ids = (await arrange.adapter.productIds(await arrange.actor())).slice(0, 3).toReversed()
    assume(ids.length > 1, 'two transfers in the catalog')
    const from = arrange.adapter.day()
    const days = { from, to: addDays(from, 6), pax: await arrange.adapter.fewest(await arrange.actor()) }
    const ask = async (product_ids: readonly number[]) => {
      const answer = await untilSupplierAnswers(
        () => v2.transferAvailability({ product_ids, ...days }),
        'availability of transfers',
      )
      const offered = offeredDays(assume.sold(answer, 'availability of transfers'))
      return { answer, offered }
    }
    const isAmong = (days: readonly OfferedDay[]) => (one: OfferedDay) =>
      days.some(
        ({ productId, date, total }) =>
          textOf([textOf(productId), date]) === textOf([textOf(one.productId), one.date]) &&
          (textOf(total ?? null) === textOf(one.total ?? null) || isSameAmount(total, one.total)),
      )
    /**
     * Returns days on which a transfer has another price alone (before and after) than among others. A market may change at
     * any time.
     */
    const missedOf = async (id: number, time: number) => {
      const alone = await ask([id])
      // The number of requests grows, so that a market that changes every nth request does not stay in step.
      for (let more = 1; more < time; more++) await ask([id])
      const [among, still] = [await ask(ids), await ask([id])]
      const [stays, isShown] = [isAmong(still.offered), isAmong(among.offered)]
      const missed = alone.offered.filter(day => stays(day) && !isShown(day))
      return { missed, exchanges: [alone.answer, among.answer, still.answer] }
    }
    const among = await ask(ids)
    const isShown = isAmong(among.offered)
    let compared = 0
    for (const id of ids) {
      const { offered } = await ask([id])
      compared += offered.length
      if (offered.every(isShown)) continue
      let days: ReadonlySet<string> | undefined
      const { agrees, missed, exchanges } = await untilAgreed(async time => {
        const { missed, exchanges } = await missedOf(id, time)
        const still = missed.filter(({ date }) => days?.has(date) !== false)
        days = new Set(still.map(({ date }) => date))
        return { agrees: still.length === 0, missed: still[0], exchanges }
      })
      expect.claim('V2-AVAIL-EVERY-PRODUCT', agrees, {
        tried: `Asking for transfer ${id} alone, and with ${ids.length - 1} others, again and again`,
        expected: `${missed?.date} at ${textOf(missed?.total ?? null)} in both answers`,
        observed: 'that day, at that price, where it is asked for alone',
        exchanges,
      })
    }
    assume(compared > 0, 'a transfer that is on sale')
    expect.claim('V2-AVAIL-EVERY-PRODUCT', true, {
      tried: '',
      expected: '',
      observed: '',
      answer: among.answer,
    })
    // Other values of availability are not shown, but one of so many days must be available.
    const words = [...new Set(among.offered.map(({ availability }) => textOf(availability ?? null)))]
    assume(words.length > 0, 'days with an offer')
    const isThere = words.includes('available')
    expect(among.answer, 'V2-AVAIL-DAY-AVAILABLE').toGive('a day available', isThere, words.join(', '))
  })

  test('a day on sale when requested alone is on sale among other days, at the same price', {
    tags: ['V2-AVAIL-EVERY-DAY'],
    kinds,
  }, async ({ v2, arrange, expect }) => {
    const one = await transferQuestionOf(arrange)
    const ids = await arrange.adapter.productIds(await arrange.actor())
    const several = { ...one, product_ids: ids.slice(0, 3) }
    // How many transfers one request may be about is not shown.
    const isTaken = arrange.trafficIsFree && (await v2.transferAvailability(several)).response.status < 300
    const question = isTaken ? several : one
    await claimSameInRanges(
      expect,
      'V2-AVAIL-EVERY-DAY',
      { first: question.from, trafficIsFree: arrange.trafficIsFree },
      async (from, to) => {
        const ask = { ...question, from, to }
        const answer = assume.sold(
          await untilSupplierAnswers(() => v2.transferAvailability(ask), 'availability of transfers'),
          'availability of transfers',
        )
        // Days with an offer and another availability are open.
        const prices = offeredDays(answer).map(
          ({ productId, date, availability, total }) =>
            [`${date} ${productId}`, availability === 'available' ? textOf(total ?? null) : OPEN] as const,
        )
        return { answer, prices: new Map(prices) }
      },
    )
  })

  test('every product of the catalog and every week is answered', {
    tags: ANSWERED,
    kinds,
  }, async ({ v2, arrange, expect }) => {
    const productIds = spread(await arrange.adapter.productIds(await arrange.actor()))
    const question = await transferQuestionOf(arrange)
    for (const [at, id] of arrange.drawn([...productIds.entries()], 2)) {
      const ask = { ...question, product_ids: [id], to: addDays(question.from, at % 7) }
      // If the last day is not included, a range of one day may be refused.
      const answer = await askForTransfers({ v2 }, ask)
      await independently(...ANSWERED.map(clause => () => expect(answer, clause).toHaveStatus(200, 201)))
    }
  })
})
