import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import { type Offer, offersNeeding } from '../../fixtures/check/products/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import {
  at,
  errorCode,
  isObject,
  type JsonObject,
  objectsIn,
  problemFields,
} from '../../fixtures/contracts/index.ts'
import { assume, describe, independently, orOrdinary, type ProductCheck, test } from '../../fixtures/test.ts'

/** The parts of an item whose fields a product may require. */
const PARTS = ['travelers[0]', 'logistics', 'options'] as const

/** Offers for the items of one booking, and the fields that their product certainly requires: `logistics.airport`. */
interface Needing {
  offers: readonly Offer[]
  stated: readonly string[]
}

/** Finds offers of one product, of a ticket that needs something if there is one. */
async function offersOf({ arrange: { adapter, actor, offersTogether, kind } }: ProductCheck) {
  const ordinary = async (): Promise<readonly Offer[]> => {
    const offers: readonly Offer[] = await offersTogether(kind === 'transfers' ? 4 : 2)
    // Offers of different days may be of different products.
    const groups = [...Map.groupBy(offers, ({ productId }) => productId).values()]
    return groups.reduce((most, one) => (one.length > most.length ? one : most))
  }
  if (!('needs' in adapter)) return ordinary()
  const by = await actor()
  const needing = (part: 'options' | 'traveler') => async () =>
    (await offersNeeding(adapter, by, part)).offers
  return orOrdinary<readonly Offer[]>(needing('options'), () => orOrdinary(needing('traveler'), ordinary))
}

async function find(check: ProductCheck): Promise<Needing> {
  const { v2, arrange } = check
  const { adapter } = arrange
  const offers = await offersOf(check)
  if ('needs' in adapter) {
    const { traveler, options } = adapter.needs(adapter.productOf(offers[0]!))
    return {
      offers,
      stated: [...traveler.map(field => `${PARTS[0]}.${field}`), ...options.map(field => `options.${field}`)],
    }
  }
  const catalog = arrange.kind === 'hotels' ? undefined : arrange.offered(await v2.transferProducts())
  const listed = JSON.stringify(
    [...objectsIn(catalog?.response.json)].map(({ object }) => object.booking_requirements ?? null),
  )
  const { logistics = {} } = adapter.extras(offers[0]!) as { logistics?: JsonObject }
  const required = Object.keys(logistics).filter(field => listed.includes(`"${field}"`))
  return { offers, stated: required.map(field => `logistics.${field}`) }
}

/** The fields that are left out alone where requests are limited, besides those that are stated. */
const ALONE = 2

/** Judges bookings that lack what a product may require: each field alone in the first item, and all in each item. */
async function claimMissed(check: ProductCheck) {
  const { v2, act, arrange, expect } = check
  const { offers, stated } = await find(check)
  const write = (some: readonly Offer[]) => {
    const body = arrange.anyBody(some)
    for (const { travelers } of body.items as { travelers?: JsonObject[] }[])
      if (arrange.trafficIsFree && travelers?.length === 1) travelers.push({ ...travelers[0] })
    return body
  }
  await act.booked('the same booking, complete', { body: async () => write(await offersOf(check)) })
  const body = write(offers)
  /** Books without these fields of the first items, of each traveler those of the first one. */
  const without = async (fields: readonly string[], items: number) => {
    const copy = structuredClone(body)
    for (let item = 0; item < items; item++)
      for (const path of fields) {
        const [part, field] = path.split(/(?:\[0\])?\./) as [string, string]
        for (const holder of [at(copy, `items[${item}].${part}`)].flat())
          if (isObject(holder)) delete holder[field]
      }
    const answer = await v2.book({ key: arrange.key(), body: copy })
    // A booked offer may be used up, and which of two faults is told first is open.
    assume(!isMarketRefusal(answer), 'a booking that is not refused for availability or price')
    return { answer, told: problemFields(answer) }
  }
  const fields = PARTS.flatMap(part =>
    Object.keys(Object(at(body, `items[0].${part}`))).map(name => `${part}.${name}`),
  )
  const others = arrange.drawn(
    fields.filter(field => !stated.includes(field)),
    ALONE,
  )
  const needed: string[] = []
  await independently(
    ...[...stated, ...others].map(field => async () => {
      const { answer, told } = await without([field], 1)
      const clause = field.startsWith('logistics') ? 'V2-BOOK-LOGISTICS' : 'V2-BOOK-REQUIRED'
      if (stated.includes(field)) expect(answer, clause).toBeRefused()
      // An entry may be about the whole part; one that names the field must have its path.
      const name = field.split('.')[1]
      if (!told.some(path => path.split('.').at(-1) === name)) return
      needed.push(field)
      expect(answer, 'V2-VALIDATION-PATH').toReportField(`items[0].${field}`)
      if (stated.includes(field))
        expect(answer, 'V2-VALIDATION-REQUIRED').toReportField(`items[0].${field}`, 'REQUIRED')
    }),
    async () => {
      const { answer, told } = await without(fields, offers.length)
      assume(errorCode(answer) === 'VALIDATION_ERROR', 'a product that requires data')
      const ofFirst = told.flatMap(path => (path.startsWith('items[0].') ? path.slice(9) : []))
      const ofEach = stated.flatMap(path =>
        path.startsWith(PARTS[0])
          ? (at(body, 'items[0].travelers') as unknown[]).map((_, person) => path.replace('0', `${person}`))
          : [],
      )
      for (const field of needed)
        expect(answer, 'V2-VALIDATION-ALL-AT-ONCE').toReportField(`items[0].${field}`)
      // Which of them a product requires is open, and of which travelers.
      for (const item of offers.keys())
        for (const field of [...ofFirst, ...ofEach])
          expect(answer, 'V2-BOOK-REQUIRED').toReportField(`items[${item}].${field}`)
      assume(arrange.kind === 'hotels' || stated.length > 0, 'a product that states what it requires')
      assume(needed.length > 1 && offers.length > 1, 'two offers of a product that requires two fields')
    },
  )
}

const TESTED: readonly [kind: ProductCheck['arrange']['kind'], ...tags: ClauseId[]][] = [
  [
    'transfers',
    'V2-BOOK-LOGISTICS',
    'V2-VALIDATION-REQUIRED',
    'V2-VALIDATION-ERRORS',
    'V2-VALIDATION-FIELD',
    'V2-VALIDATION-CODE',
  ],
  ['parkA', 'V2-VALIDATION-REQUIRED'],
  ['parkB', 'V2-VALIDATION-REQUIRED'],
  ['hotels'],
]

describe('what the product of a booking requires', () => {
  for (const [kind, ...tags] of TESTED)
    test(
      `of ${kind} is missed in any item, and told at once`,
      {
        tags: ['V2-BOOK-REQUIRED', 'V2-VALIDATION-ALL-AT-ONCE', 'V2-VALIDATION-PATH', ...tags],
        kinds: [kind],
      },
      claimMissed,
    )
})
