import { isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import { offersWithOptions } from '../../fixtures/check/products/index.ts'
import { isTicketExcuse } from '../../fixtures/checkers/index.ts'
import { isObject, type JsonObject } from '../../fixtures/contracts/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

describe('an option that a ticket requires', () => {
  test('is reported by its path if it is missing, in any item', {
    tags: ['V2-VALIDATION-REQUIRED', 'V2-VALIDATION-PATH'],
    kinds: ['parkA', 'parkB'],
  }, async context => {
    const { v2, arrange, expect } = context
    const { offers, keys } = await offersWithOptions(arrange.adapter, await arrange.actor())
    const body = arrange.anyBody(offers)
    const complete = await v2.book({ key: arrange.key(), body })
    assume(!isTicketExcuse(complete), `a booking with options (exchange ${complete.id})`)
    assume.accepted(complete, 'the same booking with its options')
    for (const [item, at] of (body.items as JsonObject[]).map((item, at) => [item, at] as const)) {
      for (const key of keys) {
        if (!isObject(item.options) || !(key in item.options)) continue
        const lacking = structuredClone(body) as { items: { options: JsonObject }[] }
        delete lacking.items[at]!.options[key]
        const answer = await v2.book({ key: arrange.key(), body: { ...lacking } })
        // A booked offer may be used up, and which of two faults is reported first is open.
        assume(!isMarketRefusal(answer), 'a booking that is not refused for availability or price')
        const field = `items[${at}].options.${key}`
        expect(answer, 'V2-VALIDATION-REQUIRED').toFailWith('VALIDATION_ERROR')
        expect(answer, 'V2-VALIDATION-PATH').toReportField(field)
        expect(answer, 'V2-VALIDATION-REQUIRED').toReportField(field, 'REQUIRED')
      }
    }
  })
})
