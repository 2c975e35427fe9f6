import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, bookingOf, errorCode, type JsonObject, problemFields } from '../../fixtures/contracts/index.ts'
import { assume, describe, EVERY_KIND, outcomeOf, test } from '../../fixtures/test.ts'

type Item = JsonObject & { travelers?: JsonObject[] }

interface Lack {
  what: string
  spoil: (item: Item) => void
  /** The clause that recommends a refusal; absent: the product may not need it. */
  clause?: ClauseId
  /** The problems of which a VALIDATION_ERROR may name any, each by this path. */
  fields?: readonly string[]
}

const without =
  (...fields: readonly string[]) =>
  ({ travelers = [] }: Item): void => {
    for (const field of fields) delete travelers[0]![field]
  }

const LACKS: readonly Lack[] = [
  {
    what: 'no travelers',
    spoil: item => {
      delete item.travelers
    },
    clause: 'V2-BOOK-TRAVELERS',
    fields: ['items[0].travelers'],
  },
  {
    what: 'an empty list of travelers',
    spoil: item => {
      item.travelers = []
    },
    clause: 'V2-BOOK-TRAVELERS',
  },
  {
    what: 'a traveler without a name',
    spoil: without('first_name', 'last_name'),
    clause: 'V2-BOOK-TRAVELER-NAME',
    fields: ['items[0].travelers[0].first_name', 'items[0].travelers[0].last_name'],
  },
  { what: 'a traveler without phone', spoil: without('phone'), fields: ['items[0].travelers[0].phone'] },
  {
    what: 'a traveler without nationality',
    spoil: without('nationality'),
    fields: ['items[0].travelers[0].nationality'],
  },
]

/** Who leads each of several transfers of one booking, and what the number of their flight ends with. */
const GROUPS = [
  { digit: '6', name: 'Rosa' },
  { digit: '7', name: 'Renata' },
  { digit: '8', name: 'Ramiro' },
] as const

describe('travelers of a booking', () => {
  test('keep the letters of their names', {
    tags: ['V2-BOOKING-LEAD-TRAVELER-SENT'],
    kinds: EVERY_KIND,
  }, async ({ act, arrange }) => {
    const { answer } = await act.booked('a traveler with accents in the name', {
      async body() {
        const body = arrange.anyBody([await arrange.offer()])
        const [lead] = (body.items as Item[])[0]?.travelers ?? []
        assume(lead !== undefined, 'a product that is booked with travelers')
        // Letters that are written without their accents where they are not kept: no other spelling is usual.
        Object.assign(lead, { first_name: 'Renée', last_name: 'Núñez' })
        return body
      },
    })
    const shown = at(bookingOf(answer), 'items[0].lead_traveler.last_name')
    assume(typeof shown === 'string', 'a booked item that shows its lead traveler')
  })

  test('are those of their own item, and so is what is known of their flight', {
    tags: ['V2-BOOKING-LEAD-TRAVELER-SENT', 'V2-BOOKING-LOGISTICS'],
    kinds: ['transfers'],
  }, async ({ act, arrange }) => {
    const { answer } = await act.booked('transfers of different people on different flights', {
      async body() {
        const body = arrange.anyBody(await arrange.offersTogether(GROUPS.length))
        const items = body.items as (Item & { logistics?: JsonObject })[]
        const flight = items[0]?.logistics?.airline
        assume(typeof flight === 'string', 'logistics that name an airline')
        for (const [position, { digit, name }] of GROUPS.entries()) {
          const item = items[position]!
          item.logistics = { ...item.logistics, airline: flight.replace(/\d?$/, digit) }
          Object.assign(item.travelers?.[0] ?? {}, { first_name: name, last_name: 'Otherwise' })
        }
        return body
      },
      settled: true,
    })
    const items = at(bookingOf(answer), 'items')
    assume(Array.isArray(items) && items.length === GROUPS.length, 'a booking that shows every item')
  })

  test('are there and have a name; what else they lack is named where it is refused', {
    tags: ['V2-BOOK-TRAVELERS', 'V2-BOOK-TRAVELER-NAME', 'V2-VALIDATION-PATH', 'V2-INVALID-NOT-5XX'],
    kinds: EVERY_KIND,
  }, async ({ v2, act, arrange, expect, claim, fact }) => {
    for (const { what, spoil, clause, fields = [] } of LACKS) {
      const body = arrange.anyBody([await arrange.offer()])
      spoil((body.items as Item[])[0]!)
      const answer = await v2.book({ key: arrange.key(), body })
      if (isMarketRefusal(answer)) continue
      const tried = `Booking with ${what}`
      const told = { tried, observed: outcomeOf(answer), exchanges: [answer] }
      claim('V2-INVALID-NOT-5XX', answer.response.status < 500, { ...told, expected: 'anything but a 5xx' })
      if (clause === undefined) fact(`${tried} (${arrange.kind}): ${told.observed}`)
      else claim(clause, answer.response.status >= 400, { ...told, expected: 'a refusal (4xx)' })
      if (errorCode(answer) !== 'VALIDATION_ERROR') continue
      // Which of them a product needs is its own; what is named has to be named by its path.
      const named = problemFields(answer)
      for (const field of fields) {
        const name = field.slice(field.lastIndexOf('.') + 1)
        if (named.some(entry => entry.endsWith(name)))
          expect(answer, 'V2-VALIDATION-PATH').toReportField(field)
      }
    }
    await act.booked('a booking with travelers')
  })
})
