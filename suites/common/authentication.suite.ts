import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import type { Extra } from '../../fixtures/client/v2.ts'
import { type Bench, describe, test } from '../../fixtures/test.ts'

/** A call that its own credential is served; `extra` changes how it is sent. */
type Call = (extra: Extra) => Promise<Exchange>

/** The calls of v2, each on something that is there for its own credential. */
const CALLS: readonly [clause: ClauseId, what: string, arrange: (bench: Bench) => Promise<Call>][] = [
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
    async ({ v2, given }) => {
      const [productId] = await given.transferProducts()
      const day = given.date()
      const pax = { adult: 1, child: 0, infant: 0 }
      return extra => v2.transferAvailability({ product_ids: [productId], from: day, to: day, pax }, extra)
    },
  ],
  [
    'AUTH-V2-OFFER-CHECK',
    'the offer check',
    async ({ v2, given }) => {
      const { offerId } = await given.offer()
      return extra => v2.checkOffer(offerId, extra)
    },
  ],
  [
    'AUTH-V2-BOOK',
    'a booking',
    async ({ v2, given }) => {
      const body = given.bookingBody([await given.offer()])
      return extra => v2.book({ key: given.idempotencyKey(), body }, extra)
    },
  ],
  [
    'AUTH-V2-READ',
    'reading a booking',
    async ({ v2, given }) => {
      const { bookingId } = await given.booking()
      return extra => v2.booking(bookingId, extra)
    },
  ],
  [
    'AUTH-V2-CANCEL',
    'cancelling a booking',
    async ({ v2, given }) => {
      const { bookingId } = await given.booking()
      return async extra => {
        const answer = await v2.cancel(bookingId, undefined, extra)
        return extra.token === null ? answer : given.cancelled(answer)
      }
    },
  ],
  [
    'AUTH-V2-VOUCHER',
    'the voucher of a booking',
    async ({ v2, given }) => {
      const { bookingId } = await given.voucherReady(await given.booking())
      return extra => v2.voucher(bookingId, extra)
    },
  ],
]

describe('a call without a credential', () => {
  for (const [clause, what, arrange] of CALLS) {
    test(`${what} is refused`, { tags: [clause] }, async bench => {
      const { given, expect } = bench
      const call = await arrange(bench)
      expect(await call({ token: null })).toBeRefused()
      given.accepted(await call({}), 'the same call with its credential')
    })
  }

  test('a v1 read is refused', { tags: ['AUTH-V1-READS'] }, async ({ send, given, expect }) => {
    const { call } = await given.probe('v1')
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
    ['v2', 'AUTH-UNKNOWN-V2', 'AUTH-NOT-ECHOED'],
  ] as const) {
    test(`is refused by ${version}`, { tags }, async ({ send, given, expect }) => {
      const { call } = await given.probe(version)
      const { token } = await given.party()
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
      given,
      control,
      expect,
    }) => {
      control.require('mint')
      const party = await given.party('otherCompany')
      const { call } = await given.probe(version, party)
      for (const name of NAMES) {
        const mark = call.path.includes('?') ? '&' : '?'
        const path = `${call.path}${mark}${name}=${encodeURIComponent(party.token)}`
        expect(await party.send({ ...call, path, token: null })).toBeRefused()
      }
    })
  }

  test('is not taken from the body', { tags: ['AUTH-NOT-FROM-BODY-V2'] }, async ({
    given,
    control,
    expect,
  }) => {
    control.require('mint')
    const party = await given.party('otherCompany')
    const { offerId } = await given.offer({ party })
    given.accepted(await party.v2.checkOffer({ offer_id: offerId }), 'the same call with its credential')
    for (const name of NAMES) {
      const body = { offer_id: offerId, [name]: party.token }
      expect(await party.v2.checkOffer(body, { token: null })).toBeRefused()
    }
  })
})

describe('one credential for both versions', () => {
  test('what is served by one version is known to the other', {
    tags: ['AUTH-BOTH-VERSIONS', 'LIMIT-V1-NO-RATE-HEADERS'],
  }, async ({ send, given, expect }) => {
    await given.probe('v2')
    const answer = await send(given.cheapRead('v1'))
    // Any other refusal says that this read is not for this credential, not that nobody knows the credential.
    if (answer.response.status !== 401) given.served(answer)
    expect(answer, 'AUTH-BOTH-VERSIONS').not.toHaveStatus(401)
  })
})
