import { independently } from '../../fixtures/check/independently.ts'
import { at, textOf } from '../../fixtures/contracts/reading.ts'
import { describe, test } from '../../fixtures/test.ts'

/** Ids are integers, and nothing says that they grow: one far from ours is unlikely to be anybody's. */
const unknownId = (id: string | number): number => 2_000_000_011 - (Number(id) % 1000)

describe('GET /api/v1/hotel/distribution/bookingDetail', () => {
  test('a booking that was confirmed is read as confirmed', {
    tags: ['V1-HOTEL-STATE-CONFIRMED', 'V1-HOTEL-DETAIL-STATUS', 'TEST-MODE-V1-HOTEL-DETAIL'],
    kinds: ['v1-hotels'],
  }, async ({ arrange, act, expect }) => {
    const { modes } = await arrange.actor()
    const read = await act.read(await arrange.order())
    expect(read, 'V1-HOTEL-STATE-CONFIRMED').toShow('booking.status', 'confirmed')
    if (modes.hotels !== 'live') expect(read, 'TEST-MODE-V1-HOTEL-DETAIL').toShow('test_mode', true)
  })

  test('a booking that does not exist is not found, and no id is no booking', {
    tags: [
      'V1-HOTEL-ERR-DETAIL-MISSING',
      'V1-HOTEL-ERR-HCN-MISSING',
      'V1-HOTEL-DETAIL-ID-REQUIRED',
      'V1-HOTEL-HCN-ID-REQUIRED',
      'TEST-MODE-V1-HOTEL-UNKNOWN',
    ],
    kinds: ['v1-hotels'],
  }, async ({ v1, arrange, act, expect }) => {
    const { modes } = await arrange.actor()
    const order = await arrange.order()
    const id_orden = unknownId(order.id)
    const detail = await v1.hotels.booking({ id_orden })
    const number = await v1.hotels.number({ id_orden })
    await independently(
      async () => {
        if (modes.hotels === 'live') return
        expect(detail, 'TEST-MODE-V1-HOTEL-UNKNOWN').toHaveStatus(404)
        expect(number, 'TEST-MODE-V1-HOTEL-UNKNOWN').toHaveStatus(404)
      },
      async () => {
        expect(detail, 'V1-HOTEL-ERR-DETAIL-MISSING').toHaveStatus(404)
        expect(detail, 'V1-HOTEL-ERR-DETAIL-MISSING').toSay('Booking not found')
      },
      async () => {
        expect(number, 'V1-HOTEL-ERR-HCN-MISSING').toHaveStatus(404)
        expect(number, 'V1-HOTEL-ERR-HCN-MISSING').toSay('Booking not found')
      },
      async () => {
        for (const query of [{}, { id_orden: 'first' }]) {
          expect(await v1.hotels.booking(query), 'V1-HOTEL-DETAIL-ID-REQUIRED').toBeRefused()
          expect(await v1.hotels.number(query), 'V1-HOTEL-HCN-ID-REQUIRED').toBeRefused()
        }
      },
    )
    expect(await act.read(order), 'V1-HOTEL-DETAIL-ID-REQUIRED').toSucceed()
    expect(await v1.hotels.number({ id_orden: order.id }), 'V1-HOTEL-HCN-ID-REQUIRED').toSucceed()
  })
})

describe("v1 hotel bookings of another company's", () => {
  test('are not found by a read, just like bookings that do not exist', {
    tags: [
      'V1-HOTEL-DETAIL-FOREIGN',
      'V1-HOTEL-ERR-DETAIL-FOREIGN',
      'V1-HOTEL-DETAIL-INDISTINGUISHABLE',
      'V1-HOTEL-HCN-FOREIGN',
      'V1-HOTEL-ERR-HCN-FOREIGN',
    ],
    kinds: ['v1-hotels'],
  }, async ({ arrange, act, expect, claim }) => {
    const stranger = await arrange.actor('otherCompany')
    const order = await arrange.order()
    const [foreign, missing] = [order.id, unknownId(order.id)]
    const detail = await stranger.v1.hotels.booking({ id_orden: foreign })
    const number = await stranger.v1.hotels.number({ id_orden: foreign })
    await independently(
      async () => {
        expect(detail, 'V1-HOTEL-DETAIL-FOREIGN').toBeRefused()
        expect(detail, 'V1-HOTEL-ERR-DETAIL-FOREIGN').toHaveStatus(404)
        expect(detail, 'V1-HOTEL-ERR-DETAIL-FOREIGN').toSay('Booking not found')
        const none = await stranger.v1.hotels.booking({ id_orden: missing })
        const [one, other] = [withoutIds(detail, foreign), withoutIds(none, missing)]
        claim('V1-HOTEL-DETAIL-INDISTINGUISHABLE', one === other, {
          tried: "Reading another company's booking, and one that does not exist",
          expected: `the same answer: ${other}`,
          observed: one,
          exchanges: [detail, none],
        })
      },
      async () => {
        expect(number, 'V1-HOTEL-HCN-FOREIGN').toBeRefused()
        expect(number, 'V1-HOTEL-ERR-HCN-FOREIGN').toHaveStatus(404)
        expect(number, 'V1-HOTEL-ERR-HCN-FOREIGN').toSay('Booking not found')
      },
    )
    expect(await act.read(order), 'V1-HOTEL-DETAIL-FOREIGN').toSucceed()
  })

  test('cannot be cancelled', {
    tags: ['V1-HOTEL-ERR-CANCEL-FOREIGN', 'V1-HOTEL-CANCEL-FOREIGN-UNTOUCHED'],
    kinds: ['v1-hotels'],
  }, async ({ arrange, act, expect }) => {
    const stranger = await arrange.actor('otherCompany')
    const order = await arrange.order()
    const answer = await stranger.v1.hotels.cancel({ id_orden: order.id })
    await independently(
      async () => {
        expect(await act.read(order), 'V1-HOTEL-CANCEL-FOREIGN-UNTOUCHED').toShow(
          'booking.status',
          'confirmed',
        )
      },
      async () => {
        // In test mode an id that is neither a test order nor the caller's is not found.
        const [statuses, strings] =
          stranger.modes.hotels === 'live'
            ? [[400], FOREIGN]
            : [
                [400, 404],
                [...FOREIGN, 'Booking not found'],
              ]
        expect(answer, 'V1-HOTEL-ERR-CANCEL-FOREIGN').toHaveStatus(...statuses)
        expect(answer, 'V1-HOTEL-ERR-CANCEL-FOREIGN').toSay(...strings)
      },
    )
    await act.cancelled(order)
  })
})

const FOREIGN = ['Cancellation not allowed', 'No active reservation found.']

/** An answer without what differs from one request to the next: its own id, and the id that was asked for. */
function withoutIds(
  { response }: { response: { status: number; json?: unknown } },
  asked: string | number,
): string {
  const { json } = response
  const rest = typeof json === 'object' && json !== null ? { ...json, request_id: undefined } : json
  return `${response.status} ${textOf(rest ?? null).replaceAll(String(asked), '…')} ${at(json, 'error') === undefined ? '' : ''}`.trim()
}
