import fc from 'fast-check'
import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import { at, errorCode, type JsonObject, problemFields } from '../../fixtures/contracts/index.ts'
import { otherDateForms } from '../../fixtures/service/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  Inconclusive,
  independently,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

const kinds = ['parkA'] as const

/** The number of products tried for each operator. */
const TRIES = 3

/** The birth date of a traveler whom the definition sends without one. */
const BORN = '1990-01-15'

const THREE_ADULTS = { adult: 3, child: 0, infant: 0 }

/** The position of a traveler in a booking. */
interface Place {
  item: number
  traveler: number
}

type Items = { travelers: JsonObject[] }[]

const pathOf = ({ item, traveler }: Place) => `items[${item}].travelers[${traveler}].birth_date`

/** Returns the booking with another birth date for one traveler; `undefined` removes it. */
function withBirthDate(
  body: JsonObject,
  { item, traveler }: Place,
  birthDate: string | null | undefined,
): JsonObject {
  const copy = structuredClone(body)
  const person = (copy.items as Items)[item]!.travelers[traveler]!
  if (birthDate === undefined) delete person.birth_date
  else person.birth_date = birthDate
  return copy
}

/** An accepted booking of a product that requires birth dates. */
interface Strict {
  body: JsonObject
  /** Travelers whose birth date is known to be required. */
  places: readonly [Place, ...Place[]]
  /** The refusal without the birth date of the first of them. */
  without: Exchange
  /** The fields that the product requires of every traveler. */
  needs: readonly string[]
}

/** An operator without tickets on sale has no requirements. */
function none(error: unknown): [] {
  if (error instanceof Inconclusive) return []
  throw error
}

/**
 * Finds a product that requires birth dates, whose requirements have no shown structure. If the definition does not know, a
 * refusal of the same booking without one shows it, at least for the first traveler.
 */
async function strictBooking(context: ProductCheck<'parkA' | 'parkB'>): Promise<Strict> {
  for await (const strict of strictBookings(context)) return strict
  assume(false, 'a ticket that requires birth dates')
}

/** Yields one for each brand: for the first, any product that requires it; for the others, those whose records say so. */
async function* strictBookings({
  v2,
  arrange,
}: ProductCheck<'parkA' | 'parkB'>): AsyncGenerator<Strict, void> {
  const by = await arrange.actor()
  const brands = new Set<unknown>()
  for (const adapter of arrange.adapter.both()) {
    const products = await adapter.products(by).catch(none)
    for (const [place, product] of products.entries()) {
      const { traveler } = adapter.needs(product)
      const stated = traveler.includes('birth_date')
      // Without known brands, the last product probably has another one.
      const brand = at(product.record, 'brand') ?? (product === products.at(-1) ? 'last' : 'any')
      if (brands.has(brand) || (!stated && (place >= TRIES || brands.size > 0))) continue
      const from = product.days?.from ?? adapter.day()
      const to = product.days?.to ?? addDays(from, 3)
      const offers = (await adapter.between(by, product, from, to, THREE_ADULTS)).slice(0, 2)
      if (offers.length === 0) continue
      const body = arrange.anyBody(offers)
      const people = (body.items as Items).flatMap(({ travelers }, item) =>
        travelers.map((person, traveler) => ({ person, place: { item, traveler } })),
      )
      for (const { person } of people) person.birth_date ??= BORN
      const [first, ...others] = people.map(({ place }): Place => place)
      const without = await v2.book({
        key: arrange.key(),
        body: withBirthDate(body, first!, undefined),
      })
      if (!stated && !problemFields(without).some(field => field.endsWith('birth_date'))) continue
      const accepted = await v2.book({ key: arrange.key(), body })
      if (accepted.response.status >= 300) continue
      // A requirement for the first traveler of one item holds for the first of another.
      const known = others.filter(({ traveler }) => stated || traveler === 0)
      brands.add(brand)
      yield { body, places: [first!, ...known], without, needs: stated ? traveler : [] }
    }
  }
}

/** Decides that no traveler of the last item may lack a field that the product requires of every traveler. */
async function claimAllMissed(
  { v2, arrange, expect }: ProductCheck<'parkA' | 'parkB'>,
  { body, places, needs }: Strict,
): Promise<void> {
  assume(needs.length > 0, 'a ticket that states its requirements for every traveler')
  const { item } = places.at(-1)!
  const lacking = structuredClone(body)
  const people = (lacking.items as Items)[item]!.travelers
  for (const person of people) for (const field of needs) delete person[field]
  const answer = await v2.book({ key: arrange.key(), body: lacking })
  const isJudged = answer.response.status < 300 || errorCode(answer) === 'VALIDATION_ERROR'
  assume(isJudged, 'a booking that is not refused for availability or price')
  const named = problemFields(answer)
  const paths = people.keys().flatMap(at => needs.map(field => `items[${item}].travelers[${at}].${field}`))
  const unnamed = [...paths].filter(path => !named.includes(path))
  expect(answer, 'V2-BOOK-REQUIRED').toTell('paths that are not named', unnamed, [])
}

describe('birth_date of a ticket traveler', () => {
  test('is required wherever the product states so', {
    tags: ['V2-BOOK-TICKET-BIRTH-DATE', 'V2-BOOK-REQUIRED'],
    kinds,
  }, async context => {
    const { v2, arrange, expect } = context
    const found: Strict[] = []
    for await (const strict of strictBookings(context)) {
      const { body, places, without } = strict
      expect(without, 'V2-BOOK-TICKET-BIRTH-DATE').toBeRefused()
      for (const place of found.length === 0 ? arrange.drawn(places.slice(1), 3) : []) {
        const answer = await v2.book({
          key: arrange.key(),
          body: withBirthDate(body, place, undefined),
        })
        expect(answer, 'V2-BOOK-TICKET-BIRTH-DATE').toBeRefused()
      }
      found.push(strict)
    }
    const [strict] = found
    assume(strict !== undefined, 'a ticket that requires birth dates')
    await claimAllMissed(context, strict)
  })

  test('is reported by its path if missing, and refused in any form but YYYY-MM-DD', {
    tags: ['V2-VALIDATION-PATH', 'V2-VALIDATION-REQUIRED', 'FORMAT-V2-DATE-REFUSED-BIRTH'],
    kinds,
  }, async context => {
    const { v2, arrange, expect, holds } = context
    const { body, places } = await strictBooking(context)
    const isNamed = async () => {
      for (const place of arrange.drawn(places.slice(1), 3)) {
        const lacking = withBirthDate(body, place, undefined)
        const answer = assume.refused(
          await v2.book({ key: arrange.key(), body: lacking }),
          'a booking without a birth date that its product requires',
        )
        // A booked offer may be used up, and which of two faults is reported first is open.
        assume(!isMarketRefusal(answer), 'a booking that is not refused for availability or price')
        expect(answer, 'V2-VALIDATION-PATH').toReportField(pathOf(place))
        expect(answer, 'V2-VALIDATION-REQUIRED').toReportField(pathOf(place), 'REQUIRED')
      }
      assume(places.length !== 1, 'a ticket with two offers')
    }
    const isWritten = async () => {
      const { birth_date } = (body.items as Items)[0]!.travelers[0]!
      const forms = [...otherDateForms(String(birth_date)), '', null]
      await holds(
        fc.constantFrom(...forms),
        async written => {
          const book = async (wrong: JsonObject) => v2.book({ key: arrange.key(), body: wrong })
          const refusal = await book(
            places.reduce((odd: JsonObject, place) => withBirthDate(odd, place, written), body),
          )
          expect(refusal, 'FORMAT-V2-DATE-REFUSED-BIRTH').toBeRefused()
          // All problems must be listed at once. Travelers who are not listed may have been accepted, and are tried alone.
          const named = problemFields(refusal)
          const unnamed = places.filter(place => !named.includes(pathOf(place)))
          for (const place of arrange.drawn(unnamed, 1))
            expect(
              await book(withBirthDate(body, place, written)),
              'FORMAT-V2-DATE-REFUSED-BIRTH',
            ).toBeRefused()
        },
        { runs: forms.length, live: 6, examples: forms },
      )
    }
    await independently(isNamed, isWritten)
  })
})
