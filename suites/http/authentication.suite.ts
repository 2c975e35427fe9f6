import { inFields, inOtherHeaders, inQuery } from '../../fixtures/check/sending/index.ts'
import { describe, test } from '../../fixtures/test.ts'

/** Only with credentials made for this, or expendable ones: URLs and bodies are logged, headers are not. */
describe('a credential outside of the Authorization header', () => {
  for (const [version, clause] of [
    ['v1', 'AUTH-NOT-FROM-QUERY-V1'],
    ['v2', 'AUTH-NOT-FROM-QUERY-V2'],
  ] as const) {
    test(`in the URL is ignored by ${version}`, { tags: [clause] }, async ({ arrange, expect }) => {
      await arrange.withExpendable(async actor => {
        const { call } = await arrange.probe(version, actor)
        const path = inQuery(call.path, actor.token)
        expect(await actor.send({ ...call, path, token: null })).toBeRefused()
      })
    })
  }

  test('in the body is ignored', {
    tags: ['AUTH-NOT-FROM-BODY-V2'],
    kinds: 'any',
  }, async ({ act, arrange, expect }) => {
    await arrange.withExpendable(async actor => {
      const offer = await arrange.offer({ actor })
      const { offerId } = offer
      await act.checked('the same call with its credential', offer, actor)
      const body = { ...inFields(actor.token), offer_id: offerId }
      expect(await actor.v2.checkOffer(body, { token: null })).toBeRefused()
    })
  })
})

describe('a credential that is not sent as Authorization: Bearer', () => {
  for (const version of ['v1', 'v2'] as const) {
    for (const [clause, how, headers] of [
      [
        version === 'v1' ? 'AUTH-SCHEME-V1' : 'AUTH-SCHEME-V2',
        'with another scheme, or with none',
        (token: string) => [
          { authorization: `Basic ${token}` },
          { authorization: `Token ${token}` },
          { authorization: token },
        ],
      ],
      [
        version === 'v1' ? 'AUTH-HEADER-V1' : 'AUTH-HEADER-V2',
        'in another header',
        (token: string) => [inOtherHeaders(token)],
      ],
    ] as const) {
      test(`sent ${how} is refused by ${version}`, { tags: [clause] }, async ({ send, arrange, expect }) => {
        const { call } = await arrange.probe(version)
        const { token } = await arrange.actor()
        for (const header of headers(token))
          expect(await send({ ...call, headers: { ...call.headers, ...header }, token: null })).toBeRefused()
      })
    }
  }
})

describe('one credential for both versions', () => {
  test('v1 and v2 accept the same credential', {
    tags: ['AUTH-BOTH-VERSIONS', 'LIMIT-V1-NO-RATE-HEADERS'],
  }, async ({ send, arrange, expect }) => {
    await arrange.probe('v2')
    const answer = await send(arrange.cheapRead('v1'))
    // Another refusal means that this credential may not read this, not that it is unknown.
    if (answer.response.status !== 401) arrange.served(answer)
    expect(answer, 'AUTH-BOTH-VERSIONS').not.toHaveStatus(401)
  })
})
