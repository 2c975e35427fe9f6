import fc from 'fast-check'
import { isMarketRefusal, UNKNOWN_ID } from '../../fixtures/check/buying/index.ts'
import { sentIn } from '../../fixtures/contracts/index.ts'
import { ENDPOINTS, v2ProductOf } from '../../fixtures/service/index.ts'
import { assume, describe, EVERY_KIND, type Exchange, header, test } from '../../fixtures/test.ts'

const UNKNOWN_PATH = '/api/v2/no-such-endpoint'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Changes that make JSON text invalid. */
const SPOILED: readonly ((json: string) => string)[] = [
  json => json.slice(0, -1),
  json => json.slice(0, json.length / 2),
  json => `${json}}`,
  json => json.replace(':', ''),
  json => json.replace('"', ''),
  json => json.replaceAll('"', "'"),
  json => `<${json}>`,
]

describe('errors of v2', () => {
  test('have the same envelope, and a request id in body and header, for every kind of error', {
    tags: [
      'V2-ERR-ENVELOPE',
      'V2-ERR-CODE',
      'V2-ERR-MESSAGE',
      'V2-ERR-REQUEST-ID',
      'V2-ERR-REQUEST-ID-HEADER',
      'V2-ERR-REQUEST-ID-SAME',
      'V2-ERR-STATUS-VALIDATION-ERROR',
      'FORMAT-V2-KEYS-ERROR',
      'V2-JSON-CONTENT-TYPE',
    ],
    kinds: 'any',
  }, async ({ v2, send, arrange, expect }) => {
    const errors = [
      await v2.checkOffer({}),
      await v2.checkOffer({}, { headers: { 'content-type': 'text/plain' } }),
      await v2.checkOffer('no-offer-that-anyone-has-issued'),
      await v2.book({ key: arrange.key(), body: {} }),
      await v2.book({ key: null, body: {} }),
      await v2.booking(UNKNOWN_ID),
      await v2.voucher(UNKNOWN_ID),
      await send({ method: 'GET', path: UNKNOWN_PATH }),
      await send({ method: 'DELETE', path: '/api/v2/offers/check' }),
      await v2.booking(UNKNOWN_ID, { token: null }),
    ]
    for (const error of errors) {
      assume.refused(error, 'something that is wrong')
      expect(error).toHaveV2Envelope()
    }
  })

  test('have the envelope on a path that does not exist', { tags: ['V2-ERR-ENVELOPE-UNKNOWN-PATH'] }, async ({
    send,
    arrange,
    expect,
  }) => {
    const under = ENDPOINTS.flatMap(({ version, path }) => (version === 'v2' ? [path] : []))
    const beside = new Set(['/api/v2', ...under, ...under.map(path => path.replace(/\/[^/]+$/, ''))])
    for (const [at, parent] of arrange.drawn([...[...beside].entries()], 5)) {
      const method = METHODS[at % METHODS.length]!
      const path = `${parent.replace(/\{\w+\}/, '0')}/no-such-endpoint${at % 2 === 0 ? '' : '?limit=1'}`
      const answer = await send({ method, path })
      // The last segment may be taken for an id.
      if (answer.response.status >= 400) expect(answer).toHaveV2Envelope()
    }
  })

  test('have the envelope if the credential is missing or unknown', {
    tags: ['V2-ERR-ENVELOPE-AUTH'],
  }, async ({ send, arrange, expect }) => {
    const { call } = await arrange.probe('v2')
    const { token } = await arrange.actor()
    for (const unknown of [null, `${token}x`, 'a-credential-that-nobody-was-given']) {
      const answer = await send({ ...call, token: unknown })
      assume(answer.response.status >= 400, 'a refusal of an unknown credential')
      expect(answer).toHaveV2Envelope()
    }
  })

  test('have the envelope if the body is not JSON', {
    tags: ['V2-ERR-ENVELOPE-MALFORMED-BODY'],
    kinds: ['transfers'],
  }, async ({ send, arrange, expect, holds }) => {
    const offer = await arrange.offer()
    const calls = [
      { path: '/api/v2/offers/check', body: { offer_id: offer.offerId } },
      { path: '/api/v2/transfers/availability', body: sentIn(offer.exchange) },
      { path: '/api/v2/bookings', body: arrange.body(offer) },
    ]
    // A service that accepts an invalid body uses up its key, so each request has a new one.
    const headers = () => ({ 'idempotency-key': arrange.key() })
    const taken = new Set<object>()
    let refusals = 0
    await holds(
      fc.tuple(fc.constantFrom(...calls), fc.constantFrom(...SPOILED)),
      async ([call, spoil]) => {
        const body = spoil(JSON.stringify(call.body))
        const answer = await send({ method: 'POST', ...call, headers: headers(), body })
        // How strictly a body is parsed is open; the form of a refusal is not.
        if (answer.response.status < 400) {
          taken.add(call)
          return
        }
        refusals++
        expect(answer).toHaveV2Envelope()
      },
      { runs: 12, live: 4, examples: calls.map(call => [call, SPOILED[0]]) },
    )
    assume(refusals !== 0, 'a refusal of a body that is not JSON')
    // A call whose invalid body was accepted needs no accepted counterpart, and its offer may be valid for one booking.
    for (const call of calls.filter(one => !taken.has(one))) {
      const answer = await send({ method: 'POST', ...call, headers: headers() })
      // A market refusal shows that the body was parsed.
      if (!isMarketRefusal(answer)) assume.accepted(answer, 'a body that is JSON')
    }
  })
})

/** Other POST endpoints, which make nothing. */
const OTHERS = ENDPOINTS.filter(
  ({ version, method, does }) => version === 'v2' && method === 'POST' && does !== 'books',
)

describe('errors of v2 to a truncated body', () => {
  test('have the envelope at every endpoint that takes a body', {
    tags: ['V2-ERR-ENVELOPE-MALFORMED-BODY'],
    kinds: EVERY_KIND,
  }, async ({ send, arrange, expect }) => {
    const product = v2ProductOf(arrange.kind)
    const refusals: Exchange[] = []
    const taking = OTHERS.filter(({ products }) => products.some(one => one === product))
    for (const { path } of arrange.drawn(taking, 1)) {
      const answer = await send({ method: 'POST', path: path!.replace(/\{\w+\}/, '0'), body: '{"reason":' })
      // How strictly a body is parsed is open.
      if (answer.response.status < 400) continue
      refusals.push(answer)
      expect(answer).toHaveV2Envelope()
    }
    assume(refusals.length > 0, 'a refusal of a body that is not JSON')
  })
})

describe('request ids of v2', () => {
  test('are the same in body and header of a success, if a header is sent', {
    tags: ['V2-REQUEST-ID-SUCCESS-SAME'],
    kinds: 'any',
  }, async ({ v2, act, arrange }) => {
    const { bookingId, exchange } = await arrange.booking()
    assume.accepted(await v2.booking(bookingId), 'a read')
    // Whether a booked offer can be checked again is open.
    await act.checked('a check', await arrange.offer())
    assume(
      header(exchange.response.headers, 'x-request-id') !== null,
      'an X-Request-Id on a success (v2 does not promise one)',
    )
  })
})
