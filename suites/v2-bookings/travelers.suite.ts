import { type Aspect, madeUp } from '../../fixtures/check/buying/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, bookingOf, isObject, type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import { alpha2Of, countryForm, isUsableId, type Kind } from '../../fixtures/service/index.ts'
import { assume, describe, EVERY_KIND, test } from '../../fixtures/test.ts'

type Item = JsonObject & { travelers?: JsonObject[] }

type TransferItem = Item & { logistics?: JsonObject }

/** The lead traveler of each transfer in one booking, and the last digit of their flight number. */
const GROUPS = [
  { digit: '6', name: 'Rosa', nationality: 'ES' },
  { digit: '7', name: 'Renata', nationality: 'PT' },
  { digit: '8', name: 'Ramiro', nationality: 'FR' },
] as const

const leadOf = (body: JsonObject): JsonObject => (body.items as Item[])[0]?.travelers?.[0] ?? {}
const everyone =
  (field: string, fits: (value: string) => boolean) =>
  (body: JsonObject): boolean =>
    (body.items as Item[]).every(({ travelers = [] }) =>
      travelers.every(({ [field]: value }) => typeof value === 'string' && fits(value)),
    )
const from = (form: ReturnType<typeof countryForm>, fits = (_: string) => true) =>
  everyone('nationality', country => countryForm(country) === form && fits(country))

/** Names that tell letters, marks and length apart. A service that does not keep accents usually writes the plain letters. */
const areLong = (body: JsonObject): boolean =>
  /^(?=.*[^ -~])(?=.*').{21}/.test(textOf(leadOf(body).last_name ?? ''))

/** What is drawn for everybody, and what is shown if a booking with it is accepted. Items of other kinds need not show who leads them. */
const DRAWN = [
  ['names', 'names', ['V2-BOOK-LETTERS', 'V2-BOOKING-LEAD-TRAVELER-SENT'], areLong, ['transfers']],
  ['names', 'names, shown or not', ['V2-BOOK-LETTERS'], areLong, ['parkA', 'parkB', 'hotels']],
  // Of other countries than those of ordinary bookings.
  ['phones', 'phones', ['V2-BOOK-PHONES'], everyone('phone', phone => !/^\+(?:34|44|49)/.test(phone))],
  ['nationalities', 'alpha-2 codes', ['FORMAT-V2-COUNTRY-ALPHA-2'], from('ALPHA-2')],
  // Their first two letters are of other countries.
  [
    'nationalities',
    'alpha-3 codes',
    ['FORMAT-V2-COUNTRY-ALPHA-3'],
    from('ALPHA-3', code => ![undefined, alpha2Of(code)].includes(alpha2Of(code.slice(0, 2)))),
  ],
  ['nationalities', 'names of countries', ['FORMAT-V2-COUNTRY-NAME'], from('NAME')],
  [
    'references',
    'references of 50 bytes',
    ['V2-BOOK-REFERENCE-50-BYTES', 'V2-BOOKING-REFERENCE'],
    ({ external_reference: text }) => Buffer.byteLength(textOf(text)) === 50 && textOf(text).includes('&'),
  ],
] as const satisfies readonly (readonly [
  Aspect,
  string,
  readonly [ClauseId, ...ClauseId[]],
  (body: JsonObject) => boolean,
  (readonly Kind[])?,
])[]

describe('travelers of a booking', () => {
  for (const [aspect, what, tags, fits, kinds = EVERY_KIND] of DRAWN)
    test(`may have any ${what}`, {
      tags,
      opportunistic: ['V2-BOOKING-LEAD-TRAVELER-SENT', 'V2-BOOKING-REFERENCE'],
      kinds,
    }, async ({ act, arrange, expect, v2 }) => {
      const write = async () => {
        const offer = await arrange.offer()
        return () => arrange.anyBody([offer])
      }
      const beside = async () => arrange.draw.plainly(await write())
      const { answer } = await act.under({ beside }).book({
        async what() {
          const body = arrange.draw.such(aspect, await write(), fits)
          assume(body !== undefined, `a product that is booked with ${what}`)
          return body
        },
      })
      expect(answer, tags[0]).toHaveStatus(201, 202)
      const id = bookingOf(answer)?.booking_id
      if (isUsableId(id)) await v2.booking(id)
      const isShown = at(bookingOf(answer), 'items[0].lead_traveler.last_name') !== undefined
      assume(
        isShown || tags[1] !== 'V2-BOOKING-LEAD-TRAVELER-SENT',
        'a booked item that shows its lead traveler',
      )
    })

  test('keep all letters of the name of their hotel', {
    tags: ['V2-BOOKING-LOGISTICS', 'V2-BOOK-LETTERS'],
    kinds: ['transfers'],
  }, async ({ act, arrange, expect }) => {
    const { answer } = await act.book({
      async what() {
        const body = structuredClone(arrange.anyBody([await arrange.offer()]))
        const [item] = body.items as TransferItem[]
        const { hotel } = item?.logistics ?? {}
        assume(typeof hotel === 'string', 'logistics that name a hotel')
        item!.logistics = { ...item!.logistics, hotel: `${hotel}, "L'Étoile" & Núñez (2.ª planta)` }
        return body
      },
    })
    expect(answer, 'V2-BOOK-LETTERS').toHaveStatus(201, 202)
    assume(isObject(at(bookingOf(answer), 'items[0].logistics')), 'a booked item that shows its logistics')
  })

  test('stay with their own item, as do its flight details', {
    tags: ['V2-BOOKING-LEAD-TRAVELER-SENT', 'V2-BOOKING-LOGISTICS'],
    kinds: ['transfers'],
  }, async ({ act, arrange }) => {
    const { answer } = await act.booked('transfers of different people on different flights', {
      async what() {
        const body = arrange.anyBody(await arrange.offersTogether(GROUPS.length))
        const items = body.items as TransferItem[]
        const { airline: flight, flight_time: time } = items[0]?.logistics ?? {}
        assume(typeof flight === 'string', 'logistics that name an airline')
        for (const [position, { digit, name, nationality }] of GROUPS.entries()) {
          const item = items[position]!
          item.logistics = {
            ...item.logistics,
            airline: flight.replace(/\d?$/, digit),
            ...(typeof time === 'string' && { flight_time: time.replace(/\d$/, digit) }),
          }
          const lead = item.travelers?.[0] ?? {}
          Object.assign(lead, madeUp({ first_name: name, last_name: 'Otherwise' }))
          // A product may reject fields that it does not need.
          if (typeof lead.nationality === 'string') lead.nationality = nationality
        }
        return body
      },
    })
    const items = at(bookingOf(answer), 'items')
    assume(Array.isArray(items) && items.length === GROUPS.length, 'a booking that shows every item')
  })
})
