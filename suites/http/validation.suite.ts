import fc from 'fast-check'
import { transferQuestionOf } from '../../fixtures/check/products/index.ts'
import { errorCode, type JsonObject, problemFields } from '../../fixtures/contracts/index.ts'
import { assume, describe, EVERY_KIND, independently, type ProductCheck, test } from '../../fixtures/test.ts'

/** Returns a booking body whose items at these places lack their offer_id. */
const without = (body: JsonObject, places: readonly number[]): JsonObject => {
  const copy = structuredClone(body)
  for (const place of places) delete (copy.items as JsonObject[])[place]!.offer_id
  return copy
}

const ITEMS = 3

/** Sends items without the required offer_id. */
async function itemsWithoutOffers({ v2, act, arrange, expect, holds }: ProductCheck): Promise<void> {
  const body = arrange.body(await arrange.offersTogether(ITEMS))
  await holds(
    fc.subarray([...Array(ITEMS).keys()], { minLength: 1 }),
    async places => {
      const answer = await v2.book({ key: arrange.key(), body: without(body, places) })
      expect(answer, 'V2-VALIDATION-ALL-AT-ONCE').toFailWith('VALIDATION_ERROR')
      // There must be one entry for each, however the paths are written.
      const entries = problemFields(answer).filter(field => field.includes('offer_id'))
      expect(answer, 'V2-VALIDATION-ALL-AT-ONCE').toGive(
        `${places.length} entries for offer_id`,
        new Set(entries).size >= places.length,
        entries.join(', '),
      )
      for (const place of places) {
        const field = `items[${place}].offer_id`
        expect(answer, 'V2-VALIDATION-PATH').toReportField(field)
        expect(answer, 'V2-VALIDATION-REQUIRED').toReportField(field, 'REQUIRED')
      }
    },
    { runs: 7, live: 2, examples: [[0, 1, 2], [1]] },
  )
  await act.booked('the same booking, complete', { body })
}

/** Other forms of a date are certainly rejected; the required fields, and the code VALIDATION_ERROR, are not certain. */
async function fieldsOfAvailability({ v2, arrange, expect }: ProductCheck<'transfers'>): Promise<void> {
  const ask = await transferQuestionOf(arrange)
  assume.accepted(await v2.transferAvailability(ask), 'the same request with both dates well formed')
  const malformed = ask.from.replaceAll('-', '/')
  const answer = await v2.transferAvailability({ ...ask, from: malformed, to: malformed })
  if (errorCode(answer) !== 'VALIDATION_ERROR') return
  expect(answer, 'V2-VALIDATION-ALL-AT-ONCE').toReportField('from')
  expect(answer, 'V2-VALIDATION-ALL-AT-ONCE').toReportField('to')
  for (const missing of ['product_ids', 'from', 'to']) {
    const refused = await v2.transferAvailability({ ...ask, [missing]: undefined })
    if (errorCode(refused) !== 'VALIDATION_ERROR') continue
    expect(refused, 'V2-VALIDATION-ALL-AT-ONCE').toReportField(missing)
  }
}

/** Fields that a transfer item may lack: two of one traveler, and one of the item. */
const LACKING = [
  ['travelers', 'first_name'],
  ['travelers', 'phone'],
  ['logistics', 'airport'],
] as const

/** Sends transfer items with missing fields. Which fields are required is open, so each is tried alone first. */
async function nameAndFlight({ v2, act, arrange, expect }: ProductCheck<'transfers'>): Promise<void> {
  const body = arrange.body(await arrange.offer())
  const lacking = async (fields: readonly (typeof LACKING)[number][]) => {
    const wrong = structuredClone<JsonObject>(body) as { items: Record<string, JsonObject | JsonObject[]>[] }
    for (const [part, field] of fields) delete [wrong.items[0]![part] ?? {}].flat()[0]?.[field]
    return v2.book({ key: arrange.key(), body: wrong })
  }
  const needed: (typeof LACKING)[number][] = []
  const told: string[] = []
  for (const one of LACKING) {
    const answer = await lacking([one])
    if (errorCode(answer) !== 'VALIDATION_ERROR') continue
    needed.push(one)
    told.push(...problemFields(answer))
  }
  assume(needed.length > 1, 'two fields whose absence is refused with VALIDATION_ERROR')
  const all = await lacking(needed)
  for (const field of told) expect(all, 'V2-VALIDATION-ALL-AT-ONCE').toReportField(field)
  await act.booked('the same booking, complete', { body })
}

describe('VALIDATION_ERROR', () => {
  test('lists all problems at once, each with its path and code', {
    tags: [
      'V2-VALIDATION-ALL-AT-ONCE',
      'V2-VALIDATION-PATH',
      'V2-VALIDATION-REQUIRED',
      'V2-VALIDATION-ERRORS',
      'V2-VALIDATION-FIELD',
      'V2-VALIDATION-CODE',
      'V2-ERR-STATUS-VALIDATION-ERROR',
    ],
    kinds: ['transfers'],
  }, async context => {
    await independently(
      () => itemsWithoutOffers(context),
      () => fieldsOfAvailability(context),
      () => nameAndFlight(context),
    )
  })

  test('lists the problems of every item, for every kind of product', {
    tags: ['V2-VALIDATION-ALL-AT-ONCE', 'V2-VALIDATION-PATH', 'V2-VALIDATION-REQUIRED'],
    kinds: ['parkA', 'parkB', 'hotels'],
  }, async context => {
    assume(context.arrange.realIsFree, 'a deployment on which bookings of several items are free')
    await itemsWithoutOffers(context)
  })

  // An unknown country certainly answers 400, but not necessarily VALIDATION_ERROR.
  test('names the traveler with the problem by position, or both travelers', {
    tags: ['V2-VALIDATION-PATH', 'V2-VALIDATION-ALL-AT-ONCE'],
    kinds: EVERY_KIND,
  }, async ({ v2, act, arrange, expect }) => {
    const offer = await arrange.offer({ pax: { adult: 2, child: 0, infant: 0 } })
    const body = arrange.body(offer)
    const wrong = structuredClone(body as JsonObject) as { items: { travelers: JsonObject[] }[] }
    wrong.items[0]!.travelers[1]!.nationality = 'Atlantis'
    const second = 'items[0].travelers[1].nationality'
    const answer = await v2.book({ key: arrange.key(), body: wrong })
    assume(errorCode(answer) === 'VALIDATION_ERROR', 'a nationality that is refused with VALIDATION_ERROR')
    expect(answer, 'V2-VALIDATION-PATH').toReportField(second)
    // Two problems of one item need two entries.
    wrong.items[0]!.travelers[0]!.nationality = 'Atlantis'
    const both = await v2.book({ key: arrange.key(), body: wrong })
    for (const field of ['items[0].travelers[0].nationality', second])
      expect(both, 'V2-VALIDATION-ALL-AT-ONCE').toReportField(field)
    await act.booked('the same booking with a country', { body })
  })
})
