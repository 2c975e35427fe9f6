import { placeChecks, type Write } from '../../fixtures/check/requests/index.ts'
import { at, type JsonObject, problemFields } from '../../fixtures/contracts/index.ts'
import { datedTraveler } from '../../fixtures/service/index.ts'
import { addDays, assume, describe, Inconclusive, type ProductCheck, test } from '../../fixtures/test.ts'

/** The number of products tried for each operator. */
const TRIES = 3

/** The birth date of a traveler whom the definition sends without one. */
const BORN = '1990-01-15'

const THREE_ADULTS = { adult: 3, child: 0, infant: 0 }

type Items = { travelers: JsonObject[] }[]

/** An operator without tickets on sale has no requirements. */
function none(error: unknown): [] {
  if (error instanceof Inconclusive) return []
  throw error
}

/**
 * Finds products that require birth dates, whose requirements have no shown structure: of the first brand any, of others those whose
 * records say so. If the definition does not know, a refusal of the same booking without one shows it for whoever travels alone.
 */
async function strictBookings(check: ProductCheck): Promise<Write[][]> {
  const { v2, arrange } = check as unknown as ProductCheck<'parkA' | 'parkB'>
  const by = await arrange.actor()
  const found = new Map<unknown, Write>()
  for (const adapter of arrange.adapter.both()) {
    const products = await adapter.products(by).catch(none)
    for (const [place, product] of products.entries()) {
      const stated = adapter.needs(product).traveler.includes('birth_date')
      // Without known brands, the last product probably has another one.
      const brand = at(product.record, 'brand') ?? (product === products.at(-1) ? 'last' : 'any')
      if (found.has(brand) || (!stated && (place >= TRIES || found.size > 0))) continue
      const from = product.days?.from ?? adapter.day()
      const to = product.days?.to ?? addDays(from, 3)
      const write = async () => {
        const offers = await adapter.between(by, product, from, to, stated ? THREE_ADULTS : undefined)
        assume(offers.length > 0, `an offer of ${product.id}`)
        const body = arrange.anyBody(offers.slice(0, 2))
        for (const { travelers } of body.items as Items)
          for (const person of travelers) person.birth_date ??= BORN
        return body
      }
      const body = await write().catch(none)
      if (!('items' in body)) continue
      const [item] = body.items as Items
      const [{ birth_date: _, ...nameless }, ...others] = item!.travelers as [JsonObject]
      const items = [{ ...item, travelers: [nameless, ...others] }]
      const isMissed = async () =>
        others.length === 0 &&
        problemFields(await v2.book({ key: arrange.key(), body: { items } })).some(field =>
          field.endsWith('birth_date'),
        )
      if (stated || (await isMissed())) found.set(brand, write)
    }
  }
  assume(found.size > 0, 'a ticket that requires birth dates')
  return [...found.values()].map(write => [write])
}

describe('birth_date of a ticket traveler', () => {
  for (const { title, body, ...options } of placeChecks(datedTraveler, {
    kinds: ['parkA'],
    forms: strictBookings,
    send: ({ v2, arrange }, body) => v2.book({ key: arrange.key(), body }),
    proves: ({ act }, body) => act.booked('the same booking with birth dates', { body }),
  }))
    test(title, options, body)
})
