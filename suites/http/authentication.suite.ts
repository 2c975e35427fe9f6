import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import type { Extra } from '../../fixtures/client/v2.ts'
import type { JsonObject } from '../../fixtures/contracts/reading.ts'
import { assume, describe, type ProductCheck, test } from '../../fixtures/test.ts'

/** A call that its own credential is served; `extra` changes how it is sent. */
type Call = (extra: Extra) => Promise<Exchange>

/** The calls of v2, each on something that is there for its own credential. */
const CALLS: readonly [clause: ClauseId, what: string, ready: (check: ProductCheck) => Promise<Call>][] = [
  [
    'AUTH-V2-OFFER-CHECK',
    'the offer check',
    async ({ v2, act, arrange }) => {
      const offer = await arrange.offer()
      return extra => (extra.token === null ? v2.checkOffer(offer.offerId, extra) : act.check(offer))
    },
  ],
  [
    'AUTH-V2-BOOK',
    'a booking',
    async ({ v2, act, arrange }) => {
      const body = arrange.body(await arrange.offer())
      const bare: JsonObject = body
      return extra =>
        extra.token === null ? v2.book({ key: arrange.key(), body: bare }, extra) : act.book({ body })
    },
  ],
  [
    'AUTH-V2-READ',
    'reading a booking',
    async ({ v2, arrange }) => {
      const { bookingId } = await arrange.booking()
      return extra => v2.booking(bookingId, extra)
    },
  ],
  [
    'AUTH-V2-CANCEL',
    'cancelling a booking',
    async ({ v2, act, arrange }) => {
      const booked = await arrange.booking()
      return extra =>
        extra.token === null ? v2.cancel(booked.bookingId, undefined, extra) : act.cancelled(booked)
    },
  ],
  [
    'AUTH-V2-VOUCHER',
    'the voucher of a booking',
    async ({ v2, arrange }) => {
      const { bookingId } = await arrange.voucherReady(await arrange.booking())
      return extra => v2.voucher(bookingId, extra)
    },
  ],
]

/** The calls of transfers, which other products do not have. */
const TRANSFER_CALLS: readonly [
  clause: ClauseId,
  what: string,
  ready: (check: ProductCheck<'transfers'>) => Promise<Call>,
][] = [
  [
    'AUTH-V2-TRANSFER-CATALOG',
    'the transfer catalog',
    async ({ v2 }) =>
      extra =>
        v2.transferProducts(extra),
  ],
  [
    'AUTH-V2-TRANSFER-AVAILABILITY',
    'transfer availability',
    async ({ v2, arrange }) => {
      const [productId] = await arrange.adapter.productIds(await arrange.actor())
      const day = arrange.adapter.day()
      const pax = { adult: 1, child: 0, infant: 0 }
      return extra => v2.transferAvailability({ product_ids: [productId], from: day, to: day, pax }, extra)
    },
  ],
]

describe('a call without a credential', () => {
  for (const [clause, what, ready] of CALLS) {
    test(`${what} is refused`, { tags: [clause], kinds: 'any' }, async check => {
      const call = await ready(check)
      check.expect(await call({ token: null })).toBeRefused()
      assume.accepted(await call({}), 'the same call with its credential')
    })
  }

  for (const [clause, what, ready] of TRANSFER_CALLS) {
    test(`${what} is refused`, { tags: [clause], kinds: ['transfers'] }, async check => {
      const call = await ready(check)
      check.expect(await call({ token: null })).toBeRefused()
      assume.accepted(await call({}), 'the same call with its credential')
    })
  }

  test('a v1 read is refused', { tags: ['AUTH-V1-READS'] }, async ({ send, arrange, expect }) => {
    const { call } = await arrange.probe('v1')
    expect(await send({ ...call, token: null })).toBeRefused()
  })
})

/**
 * Credentials that nobody was given: the second half of a real one exchanged for other characters of its kind, one
 * that only begins like a real one, and one of no known form.
 */
const madeUp = (token: string): string[] => {
  const half = Math.floor(token.length / 2)
  const other = (letter: string) =>
    /[0-9]/.test(letter) ? String((Number(letter) + 5) % 10) : letter.toLowerCase() === 'a' ? 'b' : 'a'
  const spoiled = token.slice(0, half) + token.slice(half).replaceAll(/[A-Za-z0-9]/g, other)
  return [spoiled, `${token}x`, 'a-credential-that-nobody-was-given']
}

describe('a call with a made-up credential', () => {
  for (const [version, ...tags] of [
    ['v1', 'AUTH-UNKNOWN-V1'],
    ['v2', 'AUTH-UNKNOWN-V2'],
  ] as const) {
    test(`is refused by ${version}`, { tags }, async ({ send, arrange, expect }) => {
      const { call } = await arrange.probe(version)
      const { token } = await arrange.actor()
      for (const unknown of madeUp(token)) {
        expect(await send({ ...call, token: unknown })).toBeRefused()
      }
    })
  }
})

/** Names under which services take a credential elsewhere than in the header. */
const NAMES = [
  'access_token',
  'token',
  'api_key',
  'apikey',
  'key',
  'authorization',
  'bearer',
  'credential',
  'access_credential',
]

/** Only ever done with credentials made for it: addresses and bodies are logged where headers are not. */
describe('a credential elsewhere than in the header', () => {
  for (const [version, clause] of [
    ['v1', 'AUTH-NOT-FROM-QUERY-V1'],
    ['v2', 'AUTH-NOT-FROM-QUERY-V2'],
  ] as const) {
    test(`is not taken from the URL by ${version}`, { tags: [clause] }, async ({
      arrange,
      control,
      expect,
    }) => {
      control.require('mint')
      const actor = await arrange.actor('otherCompany')
      const { call } = await arrange.probe(version, actor)
      for (const name of NAMES) {
        const mark = call.path.includes('?') ? '&' : '?'
        const path = `${call.path}${mark}${name}=${encodeURIComponent(actor.token)}`
        expect(await actor.send({ ...call, path, token: null })).toBeRefused()
      }
    })
  }

  test('is not taken from the body', {
    tags: ['AUTH-NOT-FROM-BODY-V2'],
    kinds: 'any',
  }, async ({ act, arrange, control, expect }) => {
    control.require('mint')
    const actor = await arrange.actor('otherCompany')
    const offer = await arrange.offer({ actor })
    const { offerId } = offer
    await act.checked('the same call with its credential', offer, { by: actor })
    for (const name of NAMES) {
      const body = { offer_id: offerId, [name]: actor.token }
      expect(await actor.v2.checkOffer(body, { token: null })).toBeRefused()
    }
  })
})

describe('a credential that is not sent as Authorization: Bearer', () => {
  for (const [clause, how, headers] of [
    [
      'AUTH-SCHEME-V2',
      'with another scheme, or with none',
      (token: string) => [
        { authorization: `Basic ${token}` },
        { authorization: `Token ${token}` },
        { authorization: token },
      ],
    ],
    [
      'AUTH-HEADER-V2',
      'in another header',
      (token: string) => [{ 'x-api-key': token }, { 'x-auth-token': token }],
    ],
  ] as const) {
    test(`but ${how} is refused`, { tags: [clause] }, async ({ send, arrange, expect }) => {
      const { call } = await arrange.probe('v2')
      const { token } = await arrange.actor()
      for (const header of headers(token)) {
        expect(await send({ ...call, headers: { ...call.headers, ...header }, token: null })).toBeRefused()
      }
    })
  }
})

describe('one credential for both versions', () => {
  test('what is served by one version is known to the other', {
    tags: ['AUTH-BOTH-VERSIONS', 'LIMIT-V1-NO-RATE-HEADERS'],
  }, async ({ send, arrange, expect }) => {
    await arrange.probe('v2')
    const answer = await send(arrange.cheapRead('v1'))
    // Any other refusal says that this read is not for this credential, not that nobody knows the credential.
    if (answer.response.status !== 401) arrange.served(answer)
    expect(answer, 'AUTH-BOTH-VERSIONS').not.toHaveStatus(401)
  })
})
