import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import { type Offer, offersNeeding } from '../../fixtures/check/products/index.ts'
import {
  at,
  errorCode,
  isObject,
  type JsonObject,
  objectsIn,
  problemFields,
} from '../../fixtures/contracts/index.ts'
import { assume, describe, orOrdinary, type ProductCheck, test } from '../../fixtures/test.ts'

/** The parts of an item whose fields a product may require. */
const PARTS = ['travelers[0]', 'logistics', 'options'] as const

/** Finds offers of one product, of a ticket that needs something if there is one. */
async function offersOf({ arrange: { adapter, actor, offersTogether, kind } }: ProductCheck) {
  const ordinary = async (): Promise<readonly Offer[]> => {
    const offers: readonly Offer[] = await offersTogether(kind === 'transfers' ? 4 : 2)
    // Offers of different days may be of different products.
    const groups = [...Map.groupBy(offers, ({ productId }) => productId).values()]
    return groups.reduce((most, one) => (one.length > most.length ? one : most))
  }
  if (!('needs' in adapter)) return ordinary()
  return orOrdinary(async () => offersNeeding(adapter, await actor(), 'options', 'traveler'), ordinary)
}

/** Returns the fields that a product certainly requires: `logistics.airport`. */
async function statedOf(
  { v2, arrange: { adapter, kind, offered } }: ProductCheck,
  offer: Offer,
): Promise<string[]> {
  if ('needs' in adapter) {
    const { traveler, options } = adapter.needs(adapter.productOf(offer))
    return [...traveler.map(field => `${PARTS[0]}.${field}`), ...options.map(field => `options.${field}`)]
  }
  const catalog = kind === 'hotels' ? undefined : offered(await v2.transferProducts())
  const listed = JSON.stringify(
    [...objectsIn(catalog?.response.json)].map(({ object }) => object.booking_requirements ?? null),
  )
  const { logistics = {} } = adapter.extras(offer) as { logistics?: JsonObject }
  return Object.keys(logistics).flatMap(field => (listed.includes(`"${field}"`) ? `logistics.${field}` : []))
}

/** Judges a booking all of whose items lack whatever a product may require. */
async function claimMissed(check: ProductCheck) {
  const { v2, act, arrange, expect } = check
  const write = (some: readonly Offer[]) => {
    const body = arrange.anyBody(some)
    for (const { travelers } of body.items as { travelers?: JsonObject[] }[])
      if (arrange.trafficIsFree && travelers?.length === 1) travelers.push({ ...travelers[0] })
    return body
  }
  await act.booked('the same booking, complete', {
    what: async () => write(await offersOf(check)),
  })
  const offers = await offersOf(check)
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
    return answer
  }
  const stated = await statedOf(check, offers[0]!)
  const fields = PARTS.flatMap(part =>
    Object.keys(Object(at(body, `items[0].${part}`))).map(name => `${part}.${name}`),
  )
  const answer = await without(fields, offers.length)
  const told = problemFields(answer)
  for (const field of stated) {
    const [part, name] = field.split(/(?:\[0\])?\./) as [string, string]
    const clause = part === 'logistics' ? 'V2-BOOK-LOGISTICS' : 'V2-BOOK-REQUIRED'
    // An entry may be about the whole part; one that names the field must have its path.
    if (told.includes(`items[0].${part}`)) continue
    const isTold = told.some(path => path.split('.').at(-1) === name)
    expect(isTold ? answer : await without([field], 1), clause).toBeRefused()
    assume(errorCode(answer) === 'VALIDATION_ERROR', 'a refusal with VALIDATION_ERROR')
    const path = `items[0].${field}`
    if (isTold) expect(answer, 'V2-VALIDATION-PATH').toReportField(path)
    expect(answer, 'V2-VALIDATION-ALL-AT-ONCE').toReportField(path)
    expect(answer, 'V2-VALIDATION-REQUIRED').toReportField(path, 'REQUIRED')
  }
  assume(errorCode(answer) === 'VALIDATION_ERROR', 'a product that requires data')
  const ofEach = stated
    .filter(path => path.startsWith(PARTS[0]))
    .flatMap(path =>
      (at(body, 'items[0].travelers') as unknown[]).map((_, person) => path.replace('0', `${person}`)),
    )
  const ofFirst = told.flatMap(path => (path.startsWith('items[0].') ? path.slice(9) : []))
  // Which others a product requires is open, and of which travelers.
  for (const item of offers.keys())
    for (const field of [...ofFirst, ...ofEach])
      expect(answer, 'V2-BOOK-REQUIRED').toReportField(`items[${item}].${field}`)
  assume(offers.length > 1, 'two offers of a product')
  assume(stated.length > 0, 'a product that states what it requires')
}

const TOLD = [
  'V2-BOOK-REQUIRED',
  'V2-VALIDATION-PATH',
  'V2-VALIDATION-ALL-AT-ONCE',
  'V2-VALIDATION-REQUIRED',
] as const

describe('what the product of a booking requires', () => {
  test(
    'is missed in any transfer, and told at once',
    {
      tags: [
        ...TOLD,
        'V2-BOOK-LOGISTICS',
        'V2-VALIDATION-ERRORS',
        'V2-VALIDATION-FIELD',
        'V2-VALIDATION-CODE',
      ],
      kinds: ['transfers'],
    },
    claimMissed,
  )

  test(
    'is missed in any item, and told at once',
    {
      tags: TOLD,
      kinds: ['parkA', 'parkB', 'hotels'],
    },
    claimMissed,
  )
})
