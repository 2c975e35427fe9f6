import { untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import { spread } from '../../fixtures/check/products/index.ts'
import { checksOf, type V1Requests } from '../../fixtures/check/requests/index.ts'
import { hasChildFare, offerAmong, type ParkACheck, V1_PARK_A } from '../../fixtures/check/v1/index.ts'
import { at, type JsonObject, objects } from '../../fixtures/contracts/index.ts'
import { clausesAbout, ParkAPrice, parkAQuestion } from '../../fixtures/service/index.ts'
import { addDays, assume, describe, type Exchange, independently, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

/** Requests prices with any body. */
const ask = ({ v1 }: ParkACheck, body: JsonObject) =>
  untilSupplierAnswers(() => v1.parkA.price(body), 'a price of operator A')

const isWithoutPrices = ({ response }: Exchange) => V1_PARK_A.rowsIn(response.json).size === 0

const todayOf = async ({ arrange }: ParkACheck) =>
  new Date((await arrange.actor()).now()).toISOString().slice(0, 10)

/** Returns the first family, a valid price request for it, and the answer. */
async function asked(context: ParkACheck) {
  const { arrange } = context
  const { productData, date } = await offerAmong(context, { what: 'a ticket on sale' })
  const { ticket: family } = productData
  const question = { product_id: family.adult?.product_id, from_date: date, to_date: addDays(date, 6) }
  const answer = assume.accepted(await ask(context, question), 'a price')
  assume(arrange.adapter.rowsOf(answer).size > 0, 'a price')
  return { family, question, answer }
}

const NAMED = ['V1-PARK-A-PRICE-PRODUCT-ID', 'V1-PARK-A-PRICE-AGE-TYPE'] as const

/** Decides that a price answer names the listed product that was asked for. What it tells of unknown products is open. */
function namesProduct({ expect }: ParkACheck, { product_id, age_type }: JsonObject, answer: Exchange): void {
  expect(answer, 'V1-PARK-A-PRICE-PRODUCT-ID').toShow('product_id', product_id)
  expect(answer, 'V1-PARK-A-PRICE-AGE-TYPE').toShow('age_type', age_type)
}

describe('the answer of POST /api/v1/parkA/getTicketPrice', () => {
  test('shows product, age type and prices', {
    tags: [...NAMED, 'V1-PARK-A-PRICE-RANGE', ...clausesAbout(ParkAPrice)],
    kinds,
  }, async context => {
    const { arrange } = context
    const by = await arrange.actor()
    // Products of the other brand may have other fields.
    const [, brand = ''] = arrange.adapter.brands
    const others = await by.v1.parkA.catalog({ brand })
    const chosen = [
      await arrange.adapter.tickets(by),
      V1_PARK_A.ticketsIn(others.response.json, brand),
    ].flatMap(families =>
      arrange.trafficIsFree ? spread(families) : (families.find(hasChildFare) ?? families[0] ?? []),
    )
    await independently(
      ...chosen.flatMap(({ adult, child, eventDate: day = arrange.adapter.day() }) =>
        [adult, child].flatMap(record =>
          record === undefined
            ? []
            : async () => {
                const answer = await arrange.adapter.price(by, record.product_id, day, addDays(day, 6))
                assume.accepted(answer, 'a price')
                namesProduct(context, record, answer)
              },
        ),
      ),
    )
  })

  test('is empty if no day can be sold', {
    tags: [...NAMED, 'V1-PARK-A-PRICE-NONE', 'V1-PARK-A-PRICE-PAST-ACCEPTED'],
    kinds,
  }, async context => {
    const { expect } = context
    const { family, question } = await asked(context)
    const today = await todayOf(context)
    const past = { ...question, from_date: addDays(today, -20), to_date: addDays(today, -10) }
    const answer = await ask(context, past)
    // Whether a range of past days only is refused is open.
    const isRefused = ({ response }: Exchange) => response.status >= 400
    const partly = isRefused(answer) ? await ask(context, { ...past, to_date: question.to_date }) : answer
    expect(partly, 'V1-PARK-A-PRICE-PAST-ACCEPTED').toSucceed()
    namesProduct(context, family.adult!, partly)
    expect(answer, 'V1-PARK-A-PRICE-NONE').toHaveStatus(200)
    context.expect(answer, 'V1-PARK-A-PRICE-NONE').toShow('results', [])
  })
})

describe('the range of POST /api/v1/parkA/getTicketPrice', () => {
  test('may be almost a year', { tags: ['V1-PARK-A-PRICE-RANGE-YEAR'], kinds }, async context => {
    const { question } = await asked(context)
    const from = addDays(await todayOf(context), 1)
    const answer = await ask(context, { ...question, from_date: from, to_date: addDays(from, 362) })
    context.expect(answer).toSucceed()
  })

  test('is limited to 366 days', { tags: ['V1-PARK-A-PRICE-RANGE-LONG'], kinds }, async context => {
    const { arrange, expect } = context
    const { question } = await asked(context)
    const from = addDays(await todayOf(context), 1)
    const answer = await ask(context, { ...question, from_date: from, to_date: addDays(from, 420) })
    const days = [...arrange.adapter.rowsOf(answer).keys()].sort()
    const beyond = days.filter(date => date > addDays(from, 366))
    expect(answer, 'V1-PARK-A-PRICE-RANGE-LONG').toHaveNo('days after the first 366', beyond)
  })
})

/** Price requests for one product and a week. */
const questions: V1Requests<'v1-park-a'> = {
  kinds: ['v1-park-a'],
  refusal: 'a refusal (400 or higher, not 500) and no price',
  isRefused: answer => answer.response.status >= 400 && isWithoutPrices(answer),
  isFruitless: isWithoutPrices,
  valid: async check => (await asked(check)).question,
  // Of an event, of the last brand and of a child, each for a day.
  async others(valid, _, { arrange: { actor, adapter, trafficIsFree } }) {
    if (!trafficIsFree) return []
    const by = await actor()
    const [first, last] = await Promise.all(
      [adapter.brands[0], adapter.brands.at(-1)!].map(brand => adapter.catalog(by, brand)),
    )
    const [own, others] = [first, last].map(catalog => V1_PARK_A.ticketsIn(catalog!.response.json, ''))
    return [own!.at(-1), others!.at(-1)].flatMap(family => {
      const record = family?.child ?? family?.adult
      const day = family?.eventDate ?? valid.from_date
      return record === undefined ? [] : { product_id: record.product_id, from_date: day, to_date: day }
    })
  },
  send: ask,
  proves: async check => void (await asked(check)),
  takes: async (check, make) => ask(check, await make()),
}

describe(parkAQuestion.subject, () => {
  for (const { title, body, ...options } of checksOf(parkAQuestion, questions)) test(title, options, body)

  test('does not return prices of several products at once', {
    tags: ['V1-PARK-A-PRICE-ONE-PRODUCT'],
    kinds,
  }, async context => {
    const { arrange, expect } = context
    const { question } = await asked(context)
    const families = await arrange.adapter.tickets(await arrange.actor())
    const ids = families.flatMap(({ adult }) => adult?.product_id ?? [])
    assume(ids.length > 1, 'two products')
    const answer = await ask(context, { ...question, product_id: ids.slice(0, 2) })
    const told = at(answer.response.json, 'results')
    const rows = objects(told)
    const days = rows.map(({ date }) => date)
    expect(answer, 'V1-PARK-A-PRICE-ONE-PRODUCT').toTell('the days of prices', days, [...new Set(days)])
  })
})
