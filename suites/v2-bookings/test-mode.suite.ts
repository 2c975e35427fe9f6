import { at, type JsonObject } from '../../fixtures/contracts/index.ts'
import { endpointRow, timeoutOf } from '../../fixtures/service/index.ts'
import { assume, describe, EVERY_KIND, testFor } from '../../fixtures/test.ts'

const test = testFor(...EVERY_KIND)

/** The body with fields of its first traveler changed. */
const withTraveler = (body: JsonObject, fields: JsonObject): JsonObject => {
  const copy = structuredClone(body) as { items: { travelers: JsonObject[] }[] }
  Object.assign(copy.items[0]!.travelers[0]!, fields)
  return copy as JsonObject
}

describe('test mode of a v2 booking', () => {
  test('a test booking is validated like any other', {
    tags: ['TEST-MODE-V2-VALIDATES'],
  }, async ({ v2, act, arrange, expect }) => {
    await arrange.testCredential()
    const body = arrange.body(await arrange.offer())
    const asksForCountry = typeof at(body, 'items[0].travelers[0].nationality') === 'string'
    const mistakes = [
      ...(asksForCountry ? [withTraveler(body, { nationality: 'Atlantis' })] : []),
      withTraveler(body, { first_name: undefined, last_name: undefined }),
    ]
    for (const wrong of mistakes) expect(await v2.book({ key: arrange.key(), body: wrong })).toBeRefused()
    await act.booked('the same booking without a mistake', { body })
  })

  test('a booking of a test credential says test_mode: true, whatever X-Test-Mode says', {
    tags: ['V2-BOOKING-TEST-MODE-TEST', 'TEST-MODE-HEADER-V2'],
  }, async ({ act, arrange, expect }) => {
    await arrange.testCredential()
    const plain = await arrange.booking()
    expect(plain.exchange, 'V2-BOOKING-TEST-MODE-TEST').toShowBooking('test_mode', true)
    for (const value of arrange.trafficIsFree ? ['false', '0'] : ['false']) {
      const { answer } = await act.booked('a booking with X-Test-Mode', {
        body: arrange.body(await arrange.offer()),
        headers: { 'X-Test-Mode': value },
      })
      expect(answer, 'TEST-MODE-HEADER-V2').toShowBooking('test_mode', true)
    }
  })

  test('a booking of a test credential stays one, whatever its body and its URL say', {
    tags: ['TEST-MODE-REQUEST-V2'],
  }, async ({ send, act, arrange, expect }) => {
    await arrange.testCredential()
    const { kind } = arrange
    // Whether it takes fields that the document does not name is open; where it does not, nothing is booked.
    const { answer: inBody } = await act.book({
      body: async () => ({ ...arrange.body(await arrange.offer()), test_mode: false }),
    })
    const plain: JsonObject = arrange.body(await arrange.offer())
    const inUrl = await send({
      method: 'POST',
      path: `${endpointRow('v2 book').path}?test_mode=false`,
      headers: { 'idempotency-key': arrange.key() },
      body: plain,
      timeoutMs: timeoutOf('v2 book'),
      kind,
    })
    const made = [inBody, inUrl].filter(({ response }) => response.status === 201)
    assume(made.length > 0 || inBody.response.status === 400, 'a booking that says test_mode: false')
    for (const answer of made) expect(answer).toShowBooking('test_mode', true)
    if (made.length === 0) expect(inBody).toBeRefused()
  })

  test('a booking of a live credential says test_mode: false', {
    tags: ['V2-BOOKING-TEST-MODE-LIVE', 'TEST-MODE-HEADER-LIVE-V2'],
  }, async ({ act, arrange, expect }) => {
    const actor = await arrange.actor('live')
    const { exchange } = await arrange.booking({ actor })
    expect(exchange).toShowBooking('test_mode', false)
    // It has to be booked to show, which is worth it where a booking costs nobody anything.
    assume(arrange.trafficIsFree, 'a deployment on which real bookings are free')
    const { answer } = await act.booked('a booking with X-Test-Mode', {
      by: actor,
      body: async () => arrange.body(await arrange.offer({ actor })),
      headers: { 'X-Test-Mode': 'true' },
    })
    expect(answer, 'TEST-MODE-HEADER-LIVE-V2').toShowBooking('test_mode', false)
  })
})
