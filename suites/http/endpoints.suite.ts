import {
  claimSameCompressed,
  type EndpointCalls,
  endpointOf,
  resend,
  v1EndpointCalls,
  v2EndpointCalls,
} from '../../fixtures/check/sending/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { allowedMethods, at } from '../../fixtures/contracts/index.ts'
import {
  type CommonPromise,
  type Kind,
  type ProductId,
  productOf,
  promising,
  v2ProductOf,
} from '../../fixtures/service/index.ts'
import {
  assume,
  type Check,
  describe,
  EVERY_KIND,
  EVERY_V1_KIND,
  type Exchange,
  independently,
  test,
} from '../../fixtures/test.ts'

/** The clauses that hold the endpoints of a product to a promise. */
const clausesOf = (promise: 'authentication' | 'methods', product: ProductId): ClauseId[] => [
  ...new Set(
    promising(promise)
      .filter(({ endpoint }) => endpoint.products.includes(product))
      .map(({ clause }) => clause),
  ),
]

/** The clause that holds the endpoint of an exchange to a promise; `undefined` where the document makes none. */
const clauseOf = (promise: CommonPromise, served: Exchange) =>
  endpointOf(served).clauses[promise] as ClauseId | undefined

type Body = (check: Check, calls: EndpointCalls, product: ProductId) => Promise<void>

/** Registers a check of every endpoint of each product, v1 and v2. */
function forEveryProduct(title: string, tagsOf: (product: ProductId) => ClauseId[], body: Body) {
  for (const product of EVERY_V1_KIND) {
    const tags = tagsOf(product) as [ClauseId]
    test(
      `${title} (${productOf(product).title})`,
      { tags, kinds: [product], costs: 'requests' },
      async check => body(check as Check, await v1EndpointCalls(check), product),
    )
  }
  for (const kind of EVERY_KIND) {
    const tags = tagsOf(v2ProductOf(kind)) as [ClauseId]
    test(`${title} (v2, ${kind})`, { tags, kinds: [kind as Kind], costs: 'requests' }, async check =>
      body(check, await v2EndpointCalls(check), v2ProductOf(kind)),
    )
  }
}

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

/** All of them where requests cost nobody anything; else some in turn, so that all endpoints together see each. */
const drawn = <One>(
  all: readonly One[],
  turn: number,
  { trafficIsFree }: Check['arrange'],
  most = 1,
): readonly One[] =>
  trafficIsFree
    ? all
    : Array.from({ length: Math.min(most, all.length) }, (_, index) => all[(turn + index) % all.length]!)

const UNKNOWN = { v1: 'AUTH-UNKNOWN-V1', v2: 'AUTH-UNKNOWN-V2' } as const

/** The clauses that every 405 of v2 shows. */
const ALLOW = [
  'METHOD-V2-ALLOW',
  'METHOD-V2-ALLOW-REFUSED',
  'METHOD-V2-ALLOW-VALID',
  'V2-ERR-ENVELOPE-METHOD',
] as const

/** HEAD and OPTIONS are customarily answered, so they are left out. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Methods that are tried of an endpoint where every request counts. */
const FEW = 2

describe('every endpoint', () => {
  forEveryProduct(
    'is refused without a credential, and with one that nobody was given',
    product => [
      ...clausesOf('authentication', product),
      UNKNOWN[productOf(product).version],
      ...(product === 'v1-park-a' ? (['AUTH-V1-PARK-A-ERROR'] as const) : []),
    ],
    async (check, { offered, booked }, product) => {
      const { arrange, expect } = check
      const strangers = madeUp((await arrange.actor()).token)
      let turn = 0
      const isClosed = async (send: (token: string | null) => Promise<Exchange>) => {
        const answer = await send(null)
        const clause = clauseOf('authentication', answer)
        if (clause !== undefined) expect(answer, clause).toBeRefused()
        if (product === 'v1-park-a') expect(answer, 'AUTH-V1-PARK-A-STATUS').toHaveStatus(401)
        for (const token of drawn(strangers, turn++, arrange))
          expect(await send(token), UNKNOWN[productOf(product).version]).toBeRefused()
      }
      const opensForItsOwn = (ready: () => Promise<Exchange>) => async () => {
        const served = assume.accepted(await ready(), 'the same call with its credential')
        await isClosed(token => resend(check, served, { token }))
      }
      await independently(...offered.map(opensForItsOwn), async () => {
        const { standing, printed, cancelOtherwise, cancelled, afterwards } = await booked()
        const calls = printed === undefined ? standing : [...standing, printed]
        await independently(...calls.map(opensForItsOwn), async () => {
          await isClosed(token => cancelOtherwise({ token }))
          assume.accepted(await cancelled(), 'the same cancellation with its credential')
          await independently(...afterwards.map(opensForItsOwn))
        })
      })
    },
  )

  forEveryProduct(
    'answers 405 to a method that it does not have',
    product => [...clausesOf('methods', product), ...(productOf(product).version === 'v2' ? ALLOW : [])],
    async (check, { offered, booked }) => {
      const { arrange, expect, claim } = check
      let turn = 0
      const hasNoOther = (ready: () => Promise<Exchange>) => async () => {
        const asked = await ready()
        const { title, method, path } = endpointOf(asked)
        const clause = clauseOf('methods', asked)
        if (clause === undefined) return
        // Where the document shows no path, the endpoint may share its own with others, by method.
        const wrong = METHODS.filter(
          one => one !== asked.request.method && (path !== null || !/GET|POST/.test(one)),
        )
        const refusals: Exchange[] = []
        for (const other of drawn(wrong, turn++, arrange, FEW)) {
          const answer = await resend(check, asked, { method: other })
          expect(answer, clause).toHaveStatus(405)
          refusals.push(answer)
        }
        for (const answer of refusals) {
          const allowed = allowedMethods(answer)
          if (answer.version === 'v1' || allowed === null) continue
          const refused = refusals.map(({ request }) => request.method)
          claim(
            'METHOD-V2-ALLOW-VALID',
            allowed.includes(method) && !allowed.some(one => refused.includes(one)),
            {
              tried: `Asking ${title} for ${answer.request.method}`,
              expected: `Allow with ${method} and without ${refused.join(', ')}, all of which it refuses`,
              observed: allowed.join(', ') || 'an empty Allow',
              exchanges: refusals,
            },
          )
        }
      }
      await independently(...offered.map(hasNoOther), async () => {
        const { standing, voucher, cancelOtherwise } = await booked()
        const calls = [
          ...standing,
          ...(voucher === undefined ? [] : [voucher]),
          () => cancelOtherwise({ token: null }),
        ]
        await independently(...calls.map(hasNoOther))
      })
    },
  )

  forEveryProduct(
    'says the same compressed and not',
    product =>
      productOf(product).version === 'v1' ? ['GZIP-V1-INTACT'] : ['GZIP-V2-INTACT', 'GZIP-V2-ONLY-ASKED'],
    async (check, { offered }, product) => {
      let compared = 0
      await independently(
        ...offered.map(ready => async () => {
          const served = assume.accepted(await ready(), 'a call that is served')
          const clauses =
            productOf(product).version === 'v1'
              ? ({ intact: 'GZIP-V1-INTACT' } as const)
              : ({ intact: 'GZIP-V2-INTACT', onlyAsked: 'GZIP-V2-ONLY-ASKED' } as const)
          if (await claimSameCompressed(check, headers => resend(check, served, { headers }), clauses))
            compared++
        }),
      )
      assume(compared > 0, 'an answer that is compressed and does not change by itself')
    },
  )

  forEveryProduct(
    'gives each answer a request_id of its own',
    product => [productOf(product).version === 'v1' ? 'V1-REQUEST-ID-OWN' : 'V2-REQUEST-ID-OWN'],
    async (check, { offered }, product) => {
      const answers: Exchange[] = []
      for (const ready of offered) {
        const served = assume.accepted(await ready(), 'a call that is served')
        // What may be cached may be said again as it was.
        const { cache = ['no-store'] } = endpointOf(served)
        if (!cache.includes('no-store')) continue
        answers.push(served, await resend(check, served, {}))
      }
      const stamped = answers.filter(({ response }) => typeof at(response.json, 'request_id') === 'string')
      const ids = stamped.map(({ response }) => at(response.json, 'request_id'))
      assume(ids.length > 1, 'two answers with a request_id')
      check.claim(
        productOf(product).version === 'v1' ? 'V1-REQUEST-ID-OWN' : 'V2-REQUEST-ID-OWN',
        new Set(ids).size === ids.length,
        {
          tried: `Comparing the request_id of ${ids.length} answers`,
          expected: 'one for each',
          observed: `${new Set(ids).size} different ones`,
          exchanges: stamped,
        },
      )
    },
  )
})
