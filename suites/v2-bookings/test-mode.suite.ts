import { pendingBooking } from '../../fixtures/check/buying/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { endpointRow, timeoutOf } from '../../fixtures/service/index.ts'
import { assume, describe, EVERY_KIND, EVERY_SORT, type Exchange, testFor } from '../../fixtures/test.ts'

const test = testFor(...EVERY_SORT)

describe('test mode of a v2 booking', () => {
  test('a booking of a test credential says test_mode: true, whatever X-Test-Mode says', {
    tags: ['V2-BOOKING-TEST-MODE-TEST', 'TEST-MODE-HEADER-V2'],
    forReal: false,
  }, async ({ v2, act, arrange, expect }) => {
    await arrange.testCredential()
    const plain = await arrange.booking()
    expect(plain.exchange, 'V2-BOOKING-TEST-MODE-TEST').toShowBooking('test_mode', true)
    const read = await v2.booking(plain.bookingId, { headers: { 'X-Test-Mode': 'false' } })
    expect(read, 'TEST-MODE-HEADER-V2').toShowBooking('test_mode', true)
    for (const value of arrange.trafficIsFree ? ['false', '0'] : ['false']) {
      const { answer } = await act.booked('a booking with X-Test-Mode', {
        body: arrange.body(await arrange.offer()),
        headers: { 'X-Test-Mode': value },
      })
      expect(answer, 'TEST-MODE-HEADER-V2').toShowBooking('test_mode', true)
    }
  })

  test('a booking of unknown result says so already, and when it is read', {
    tags: ['V2-BOOKING-TEST-MODE-TEST'],
    forReal: false,
  }, async context => {
    const { v2, arrange, expect } = context
    await arrange.testCredential()
    const { exchange, bookingId } = await pendingBooking(context, 'confirmed')
    expect(exchange).toShowBooking('test_mode', true)
    expect(assume.accepted(await v2.booking(bookingId), 'a read')).toShowBooking('test_mode', true)
  })

  test('a booking of a test credential stays one, whatever its body and its URL say', {
    tags: ['TEST-MODE-REQUEST-V2'],
  }, async ({ send, act, arrange, expect }) => {
    await arrange.testCredential()
    const { kind } = arrange
    // Whether unknown fields are accepted is open; if not, nothing is booked.
    const inBody = async () => {
      const body = async () => ({ ...arrange.body(await arrange.offer()), test_mode: false })
      return (await act.book({ body })).answer
    }
    const inUrl = async () => {
      const plain: JsonObject = arrange.body(await arrange.offer())
      return send({
        method: 'POST',
        path: `${endpointRow('v2 book').path}?test_mode=false`,
        headers: { 'idempotency-key': arrange.key() },
        body: plain,
        timeoutMs: timeoutOf('v2 book'),
        kind,
      })
    }
    // If requests are limited, kinds of product take turns.
    const places = [inBody, inUrl]
    const turn = EVERY_KIND.indexOf(kind) % places.length
    const answers: Exchange[] = []
    for (const say of arrange.trafficIsFree ? places : [places[turn]!]) answers.push(await say())
    const made = answers.filter(({ response }) => response.status === 201)
    const [first] = answers
    assume(made.length > 0 || first!.response.status === 400, 'a booking that says test_mode: false')
    for (const answer of made) expect(answer).toShowBooking('test_mode', true)
    if (made.length === 0) expect(first!).toBeRefused()
  })

  test('a booking of a live credential says test_mode: false', {
    kinds: EVERY_KIND,
    tags: ['V2-BOOKING-TEST-MODE-LIVE', 'TEST-MODE-HEADER-LIVE-V2'],
  }, async ({ act, arrange, expect }) => {
    const actor = await arrange.actor('live')
    const { exchange, bookingId } = await arrange.booking({ actor })
    expect(exchange).toShowBooking('test_mode', false)
    const read = await actor.v2.booking(bookingId, { headers: { 'X-Test-Mode': 'true' } })
    expect(read, 'TEST-MODE-HEADER-LIVE-V2').toShowBooking('test_mode', false)
    // Only a booking shows it, which is made where bookings are free.
    assume(arrange.trafficIsFree, 'a deployment on which real bookings are free')
    const { answer } = await act.booked('a booking with X-Test-Mode', {
      by: actor,
      body: async () => arrange.body(await arrange.offer({ actor })),
      headers: { 'X-Test-Mode': 'true' },
    })
    expect(answer, 'TEST-MODE-HEADER-LIVE-V2').toShowBooking('test_mode', false)
  })
})
