import { independently } from '../../fixtures/check/independently.ts'
import { roomsApart, roomsTogether } from '../../fixtures/check/v1/hotel-offers.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { at, type JsonObject, textOf } from '../../fixtures/contracts/reading.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

/** A confirmation with one thing taken away or misspelled. */
type Spoil = (body: JsonObject, holder: JsonObject) => JsonObject

const lacking: readonly (readonly [clause: ClauseId, spoil: Spoil])[] = [
  ['V1-HOTEL-CONFIRM-RATEKEY-REQUIRED', ({ ratekey: _, ...rest }) => rest],
  ['V1-HOTEL-CONFIRM-RATEKEY-SPELLING', ({ ratekey, ...rest }) => ({ ...rest, rate_key: ratekey })],
  ['V1-HOTEL-CONFIRM-HOLDER-REQUIRED', ({ bookingHolder: _, ...rest }) => rest],
  ['V1-HOTEL-CONFIRM-HOLDER-NAME', (body, { name: _, ...holder }) => ({ ...body, bookingHolder: holder })],
  [
    'V1-HOTEL-CONFIRM-HOLDER-SURNAME',
    (body, { surname: _, ...holder }) => ({ ...body, bookingHolder: holder }),
  ],
]

describe('bookingConfirm: what is refused', () => {
  test('a confirmation that lacks something required', {
    tags: [
      'V1-HOTEL-CONFIRM-RATEKEY-REQUIRED',
      'V1-HOTEL-CONFIRM-RATEKEY-SPELLING',
      'V1-HOTEL-CONFIRM-HOLDER-REQUIRED',
      'V1-HOTEL-CONFIRM-HOLDER-NAME',
      'V1-HOTEL-CONFIRM-HOLDER-SURNAME',
      'V1-HOTEL-CONFIRM-FAILED-NO-ID',
      'TEST-MODE-V1-HOTEL-VALIDATES',
    ],
    kinds: ['v1-hotels'],
  }, async ({ v1, arrange, act, expect, claim }) => {
    const { modes } = await arrange.actor()
    const offer = await arrange.offer()
    const answers: Exchange[] = []
    await independently(
      ...lacking.map(([clause, spoil]) => async () => {
        const body = arrange.anyBody(offer)
        const spoiled = spoil(body, body.bookingHolder as JsonObject)
        const answer = await v1.hotels.confirm({ ...spoiled, external_reference: arrange.reference() })
        answers.push(answer)
        expect(answer, clause).toBeRefused()
      }),
      async () => {
        if (modes.hotels === 'live') return
        const refused = answers.filter(({ response }) => response.status >= 400)
        claim('TEST-MODE-V1-HOTEL-VALIDATES', refused.length > 0, {
          tried: 'Confirmations of a test credential that each lack something required',
          expected: 'refusals',
          observed: `${answers.length} bookings`,
          exchanges: answers,
        })
      },
      async () => {
        await act.confirmed('the same confirmation with everything in it', { body: arrange.body(offer) })
      },
    )
  })

  test('a grouped key that is sent more often than it covers rooms', {
    tags: [
      'V1-HOTEL-CONFIRM-REPETITION',
      'V1-HOTEL-ERR-REPETITION',
      'V1-HOTEL-CONFIRM-REPETITION-NOTHING',
      'V1-HOTEL-CONFIRM-FAILED-NO-ID',
    ],
    kinds: ['v1-hotels'],
  }, async ({ arrange, act, control, expect, claim }) => {
    const actor = await arrange.actor()
    let before: number | undefined
    const refused = await act.confirm({
      async body() {
        const offer = await roomsTogether(arrange)
        before = await control.counted(actor)
        const [key] = offer.productData.rateKeys
        return { ...arrange.anyBody(offer), ratekey: [key, key, key] }
      },
      expecting: ['Invalid rate_key repetition'],
    })
    const after = await control.counted(actor)
    await independently(
      async () => {
        expect(refused, 'V1-HOTEL-CONFIRM-REPETITION').not.toSucceed()
        expect(refused, 'V1-HOTEL-ERR-REPETITION').toHaveStatus(400)
        expect(refused, 'V1-HOTEL-ERR-REPETITION').toSay('Invalid rate_key repetition')
      },
      async () => {
        assume(before !== undefined && after !== undefined, 'control that reports its own counters')
        claim('V1-HOTEL-CONFIRM-REPETITION-NOTHING', before === after, {
          tried: 'Sending a key of two rooms three times',
          expected: `${before} bookings as before`,
          observed: `${after}`,
          exchanges: [refused],
        })
      },
      async () => {
        await act.confirmed('the key sent once for each of its rooms', {
          body: async () => arrange.body(await roomsTogether(arrange)),
        })
      },
    )
  })

  test('two rooms of which one has no rate that exists', {
    tags: ['V1-HOTEL-CONFIRM-ALL-ROOMS', 'V1-HOTEL-CONFIRM-FAILED-NO-ID'],
    kinds: ['v1-hotels'],
  }, async ({ v1, arrange, act, expect }) => {
    const offer = await roomsApart(arrange)
    const [key] = offer.productData.rateKeys
    const body = { ...arrange.anyBody(offer), ratekey: [key, arrange.reference()] }
    const answer = await v1.hotels.confirm({ ...body, external_reference: arrange.reference() })
    expect(answer).not.toSucceed()
    await act.confirmed('both rooms by keys that exist', {
      body: async () => arrange.body(await roomsApart(arrange)),
    })
  })

  test('two rooms of which only one is left, and that one stays free', {
    tags: ['V1-HOTEL-CONFIRM-ALL-ROOMS', 'V1-HOTEL-CONFIRM-ALL-ROOMS-NOTHING'],
    kinds: ['v1-hotels'],
  }, async ({ v1, arrange, control, expect, claim }) => {
    const actor = await arrange.actor()
    const offer = await roomsApart(arrange)
    const before = await control.counted(actor)
    await control.setStock(actor, offer.productId, 1)
    const body = { ...arrange.anyBody(offer), external_reference: arrange.reference() }
    const answer = await v1.hotels.confirm(body)
    const after = await control.counted(actor)
    const rooms = at(answer.response.json, 'booking.hotels[0].rooms')
    assume(
      !(Array.isArray(rooms) && rooms.length === 2),
      'control that leaves one room of a hotel, and no more',
    )
    expect(answer, 'V1-HOTEL-CONFIRM-ALL-ROOMS').toShow('id_orden', undefined)
    expect(answer, 'V1-HOTEL-CONFIRM-ALL-ROOMS').not.toSucceed()
    assume(before !== undefined && after !== undefined, 'control that reports its own counters')
    claim('V1-HOTEL-CONFIRM-ALL-ROOMS-NOTHING', before === after, {
      tried: 'Confirming two rooms of which one is left',
      expected: `${before} bookings as before`,
      observed: textOf(after ?? null),
      exchanges: [answer],
    })
  })
})
