import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { describe, EVERY_KIND, test } from '../../fixtures/test.ts'

describe('POST /api/v2/bookings: what a booking must hold', () => {
  test('a booking without items is refused', {
    tags: ['V2-BOOK-ITEMS-REQUIRED', 'V2-ERR-STATUS-VALIDATION-ERROR'],
    kinds: 'any',
  }, async ({ v2, act, arrange, expect }) => {
    const body = arrange.body(await arrange.offer(), 'no items')
    const { items: _, ...without }: JsonObject = body
    const answer = await v2.book({ key: arrange.key(), body: without })
    expect(answer).toFailWith('VALIDATION_ERROR')
    expect(answer).toReportField('items')
    await act.booked('the same booking with its items', { body })
  })

  test('an item without offer_id is refused, whichever item it is', {
    tags: ['V2-BOOK-OFFER-ID-REQUIRED', 'V2-VALIDATION-PATH', 'V2-VALIDATION-REQUIRED'],
    kinds: EVERY_KIND,
  }, async ({ v2, act, arrange, expect }) => {
    const offers = await arrange.offersTogether(2)
    for (const place of [0, 1]) {
      const body = arrange.anyBody(offers)
      delete (body.items as JsonObject[])[place]!.offer_id
      const answer = await v2.book({ key: arrange.key(), body })
      expect(answer, 'V2-BOOK-OFFER-ID-REQUIRED').toFailWith('VALIDATION_ERROR')
      expect(answer, 'V2-VALIDATION-PATH').toReportField(`items[${place}].offer_id`)
      expect(answer, 'V2-VALIDATION-REQUIRED').toReportField(`items[${place}].offer_id`, 'REQUIRED')
    }
    const body = arrange.body(offers)
    await act.booked('the same booking with both', { body })
  })
})
