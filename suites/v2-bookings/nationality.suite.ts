import fc from 'fast-check'
import { untilRefusedForItself } from '../../fixtures/check/buying/index.ts'
import type { Offer } from '../../fixtures/check/products/index.ts'
import { at, type JsonObject } from '../../fixtures/contracts/index.ts'
import { unknownCountries } from '../../fixtures/service/index.ts'
import { assume, describe, EVERY_KIND, type Exchange, independently, test } from '../../fixtures/test.ts'

/** The number of unknown countries tried for each kind of product if requests are limited. */
const COUNTRIES_LIVE = 2

/** Indexes of an item and a traveler; negative from the end. */
type Place = readonly [item: number, traveler: number]
const FIRST: Place = [0, 0]
const LAST: Place = [-1, -1]

/** Returns the body with another nationality for these travelers. */
const from = (body: JsonObject, nationality: string, ...places: readonly Place[]): JsonObject => {
  const copy = structuredClone(body) as { items: { travelers: JsonObject[] }[] }
  for (const [item, one] of places) copy.items.at(item)!.travelers.at(one)!.nationality = nationality
  return copy as JsonObject
}

describe('travelers of a v2 booking', () => {
  test('an unknown nationality is refused with 400, also with a test credential', {
    tags: ['FORMAT-V2-COUNTRY-UNKNOWN', 'TEST-MODE-V2-VALIDATES'],
    kinds: EVERY_KIND,
  }, async ({ v2, arrange, expect, holds }) => {
    const isTest = (await arrange.actor()).modes[arrange.kind] !== 'live'
    let offer: Offer | undefined = await arrange.offer()
    const body = arrange.body(offer)
    const sending = (spoil: (body: JsonObject) => JsonObject) => {
      let own = offer
      return untilRefusedForItself(async () => {
        offer = own ?? (await arrange.offer())
        own = undefined
        return v2.book({ key: arrange.key(), body: spoil(arrange.anyBody([offer])) })
      })
    }
    const isValidated = (answer: Exchange) => () => expect(answer, 'TEST-MODE-V2-VALIDATES').toBeRefused()
    await independently(
      async () => {
        assume(
          typeof at(body, 'items[0].travelers[0].nationality') === 'string',
          'a product whose travelers have a nationality',
        )
        await holds(
          fc.constantFrom(...unknownCountries),
          async country => {
            const answer = await sending(body => from(body, country, FIRST))
            await independently(
              () => expect(answer, 'FORMAT-V2-COUNTRY-UNKNOWN').toHaveStatus(400),
              ...(isTest ? [isValidated(answer)] : []),
            )
          },
          // Codes of different forms. Together, all kinds of product try most of them.
          { runs: unknownCountries.length, live: COUNTRIES_LIVE, examples: unknownCountries },
        )
      },
      async () => {
        await arrange.testCredential()
        const nameless = (body: JsonObject) => {
          const [item] = body.items as { travelers: JsonObject[] }[]
          for (const field of ['first_name', 'last_name']) delete item!.travelers[0]![field]
          return body
        }
        isValidated(await sending(nameless))()
      },
    )
    await arrange.booking({ offers: offer })
  })

  test('an unknown nationality of any other traveler of any item is refused with 400', {
    tags: ['FORMAT-V2-COUNTRY-UNKNOWN'],
    kinds: EVERY_KIND,
  }, async ({ act, arrange, expect }) => {
    const body = async () => {
      const whole = arrange.anyBody(await arrange.offersTogether(2))
      // Whether an item may have two travelers is open; the valid booking shows it.
      for (const item of whole.items as { travelers?: JsonObject[] }[]) {
        const [first] = item.travelers ?? []
        if (first !== undefined && item.travelers?.length === 1) item.travelers.push({ ...first })
      }
      const usual = at(whole, 'items[0].travelers[0].nationality')
      assume(typeof usual === 'string', 'a product whose travelers have a nationality')
      return whole
    }
    const isRefused = async (body: () => Promise<JsonObject>, ...places: readonly Place[]) => {
      await act.booked('the same travelers from countries that exist', { body })
      for (const place of places) {
        const { answer } = await act.book({
          body: async () => from(await body(), unknownCountries[0]!, place),
          beside: body,
        })
        expect(answer).toHaveStatus(400)
      }
    }
    const others: readonly Place[] = [[0, 1], [1, 0], LAST]
    await independently(
      () => isRefused(body, ...(arrange.trafficIsFree ? others : [LAST])),
      async () => {
        assume(arrange.trafficIsFree && arrange.kind !== 'hotels', 'an item for three travelers')
        const pax = { adult: 3, child: 0, infant: 0 }
        const three = async () => arrange.anyBody([await arrange.offer({ pax })])
        assume(at(await three(), 'items[0].travelers[2].nationality'), 'travelers who have a nationality')
        await isRefused(three, [0, 1])
      },
    )
  })
})
