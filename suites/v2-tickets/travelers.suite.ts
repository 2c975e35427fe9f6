import { placeChecks, type Write } from '../../fixtures/check/requests/index.ts'
import { at, type JsonObject } from '../../fixtures/contracts/index.ts'
import { datedTraveler } from '../../fixtures/service/index.ts'
import { addDays, assume, describe, ifHad, type ProductCheck, test } from '../../fixtures/test.ts'

/** The number of products of a brand that are tried until one is sold. */
const TRIES = 3

/** The birth date of a traveler whom the definition sends without one. */
const BORN = '1990-01-15'

const THREE_ADULTS = { adult: 3, child: 0, infant: 0 }

/** Finds a product of each brand whose records, or the definition, say that it requires birth dates. */
async function strictBookings(check: ProductCheck): Promise<Write[][]> {
  const { arrange } = check as unknown as ProductCheck<'parkA' | 'parkB'>
  const by = await arrange.actor()
  const found = new Map<unknown, Write[]>()
  for (const adapter of arrange.adapter.both())
    for (const product of (await ifHad(adapter.products(by))) ?? []) {
      if (!adapter.needs(product).traveler.includes('birth_date')) continue
      const brand = at(product.record, 'brand') ?? adapter.kind
      const from = product.days?.from ?? adapter.day()
      const to = product.days?.to ?? addDays(from, 3)
      const write = async () => {
        const offers = await adapter.between(by, product, from, to, THREE_ADULTS)
        assume(offers.length > 0, `an offer of ${product.id}`)
        const body = arrange.anyBody(offers.slice(0, 2))
        for (const { travelers } of body.items as { travelers: JsonObject[] }[])
          for (const person of travelers) person.birth_date ??= BORN
        return body
      }
      found.set(brand, [...(found.get(brand) ?? []), write].slice(0, TRIES))
    }
  assume(found.size > 0, 'a ticket that requires birth dates (shapes.tickets.needs in the definition)')
  return [...found.values()]
}

describe('birth_date of a ticket traveler', () => {
  for (const { title, body, ...options } of placeChecks(datedTraveler, {
    kinds: ['parkA'],
    ways: strictBookings,
  }))
    test(title, options, body)
})
