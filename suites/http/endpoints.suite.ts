import { claimNoneMore, hasBrokenDown, isMarketRefusal } from '../../fixtures/check/buying/index.ts'
import {
  claimSameCompressed,
  clauseOfEndpoint,
  clausesOfEndpoints,
  type EndpointCalls,
  endpointOf,
  inFields,
  inOtherHeaders,
  inQuery,
  resend,
  v1EndpointCalls,
  v2EndpointCalls,
} from '../../fixtures/check/sending/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { allowedMethods, type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import { type Kind, type ProductId, productOf, promising, v2ProductOf } from '../../fixtures/service/index.ts'
import {
  assume,
  type Check,
  describe,
  EVERY_KIND,
  EVERY_V1_KIND,
  type Exchange,
  independently,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/**
 * Returns invalid credentials: one with its second half replaced by other characters of the same kind, and one that only
 * starts like a real one.
 */
const madeUp = (token: string): string[] => {
  const half = Math.floor(token.length / 2)
  const other = (letter: string) =>
    /[0-9]/.test(letter) ? String((Number(letter) + 5) % 10) : letter.toLowerCase() === 'a' ? 'b' : 'a'
  const spoiled = token.slice(0, half) + token.slice(half).replaceAll(/[A-Za-z0-9]/g, other)
  return [spoiled, `${token}x`]
}

/** Returns all values if requests are free; otherwise one in turn, so that all endpoints together cover each. */
const drawn = <One>(
  all: readonly One[],
  turn: number,
  { trafficIsFree }: Check['arrange'],
  everything: boolean,
): readonly One[] => (trafficIsFree && everything ? all : [all[turn % all.length]!])

const UNKNOWN = { v1: 'AUTH-UNKNOWN-V1', v2: 'AUTH-UNKNOWN-V2' } as const
const SCHEME = { v1: 'AUTH-SCHEME-V1', v2: 'AUTH-SCHEME-V2' } as const

/** The clauses about a credential in query or body. Behind a gateway, each service may read it there. */
const ELSEWHERE = {
  v1: ['AUTH-NOT-FROM-QUERY-V1', 'AUTH-NOT-FROM-BODY-V1'],
  v2: ['AUTH-NOT-FROM-QUERY-V2', 'AUTH-NOT-FROM-BODY-V2'],
} as const

const HEADER = { v1: 'AUTH-HEADER-V1', v2: 'AUTH-HEADER-V2' } as const

/** Changes to a call: without its credential, or not as a Bearer credential. */
interface Stranger {
  token: string | null
  headers?: Readonly<Record<string, string>>
  path?: string
  fields?: (given: JsonObject) => JsonObject
}

/** The clauses about every 405 of v2. */
const ALLOW = [
  'METHOD-V2-ALLOW',
  'METHOD-V2-ALLOW-REFUSED',
  'METHOD-V2-ALLOW-VALID',
  'V2-ERR-ENVELOPE-METHOD',
] as const

/** HEAD and OPTIONS are customarily answered, so they are left out. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The endpoints in the order of the document. */
const titles = promising('authentication').map(({ endpoint }) => endpoint.title)

/**
 * Returns whether everything is tried with this product at an endpoint that several products share: authentication and
 * method are checked before the product matters.
 */
const isTriedWith = (product: ProductId, { title, products }: ReturnType<typeof endpointOf>): boolean =>
  products.indexOf(product) === Math.max(0, titles.indexOf(title)) % products.length

/** Makes a call that succeeds. */
type Ready = () => Promise<Exchange>

/** The clauses about large answers of lists and quotes, by product. */
const COMPRESSED: Partial<Record<ProductId, readonly ClauseId[]>> = {
  'v2-transfers': ['GZIP-V2-TRANSFER-CATALOG', 'GZIP-V2-TRANSFER-AVAILABILITY'],
  'v2-tickets': ['GZIP-V2-TICKETS'],
  'v2-hotels': ['GZIP-V2-HOTELS'],
}

/** The clauses shown by the endpoints of a product. */
const tagsOf = (product: ProductId): [ClauseId, ...ClauseId[]] => {
  const { version } = productOf(product)
  const isV1 = version === 'v1'
  const own: ClauseId[] = isV1
    ? ['GZIP-V1-INTACT', 'V1-REQUEST-ID-OWN']
    : ['GZIP-V2-INTACT', 'GZIP-V2-ONLY-ASKED', 'V2-REQUEST-ID-OWN', 'V2-REQUEST-ID-FRESH', ...ALLOW]
  return [
    isV1 ? UNKNOWN.v1 : UNKNOWN.v2,
    ...clausesOfEndpoints('authentication', product),
    ...(product === 'v1-park-a' ? (['AUTH-V1-PARK-A-ERROR'] as const) : []),
    ...clausesOfEndpoints('methods', product),
    ...own,
    ...(COMPRESSED[product] ?? []),
    'TEST-MODE-HEADER-LISTS',
  ]
}

/** Returns the probes that repeat a call of a product with changes. */
async function probesOf(check: Check, product: ProductId, first: number) {
  const { arrange, expect } = check
  const { version } = productOf(product)
  const strangers = madeUp((await arrange.actor()).token)
  // Products share endpoints, so each starts with another value in turn.
  let turn = first
  let compared = 0
  let wereSchemesTried = false
  const closed = new Set<string>()

  return {
    /** Decides that a call is refused without a credential and with an invalid one. Returns the refusal. */
    async isClosed(send: (change: Stranger) => Promise<Exchange>): Promise<Exchange> {
      const answer = await send({ token: null })
      const clause = clauseOfEndpoint('authentication', answer)
      if (clause !== undefined) expect(answer, clause).toBeRefused()
      if (product === 'v1-park-a') expect(answer, 'AUTH-V1-PARK-A-STATUS').toHaveStatus(401)
      // If requests are limited, one wrong credential is enough after all of them were refused.
      const wereTried = closed.has(endpointOf(answer).id) && !arrange.trafficIsFree
      const isTried = isTriedWith(product, endpointOf(answer)) && !wereTried
      closed.add(endpointOf(answer).id)
      const isRefused = async (change: Stranger, clause: ClauseId) => {
        expect(await send(change), clause).toBeRefused()
      }
      const tokens = isTried || arrange.trafficIsFree ? drawn(strangers, turn++, arrange, isTried) : []
      for (const token of tokens) await isRefused({ token }, UNKNOWN[version])
      // The credential was made for this check, so it may appear in logs.
      if (!isTried || !arrange.realIsFree || (wereSchemesTried && !arrange.trafficIsFree)) return answer
      wereSchemesTried = true
      const { token } = await arrange.actor()
      const schemes = [token, `Basic ${token}`, `Token ${token}`].map(one => [one, SCHEME[version]] as const)
      for (const [authorization, clause] of [['Bearer', UNKNOWN[version]] as const, ...schemes])
        await isRefused({ token: null, headers: { authorization } }, clause)
      const { path, body } = answer.request
      const [fromQuery, fromBody] = ELSEWHERE[version]
      const places = [
        [{ headers: inOtherHeaders(token) }, HEADER[version]],
        [{ path: inQuery(path, token) }, fromQuery],
      ] as const
      const everywhere = await send({ token: null, ...places[0][0], ...places[1][0] })
      const isNowhere = Math.floor(everywhere.response.status / 100) === 4
      for (const [change, clause] of places)
        expect(isNowhere ? everywhere : await send({ token: null, ...change }), clause).toBeRefused()
      if (body !== null)
        await isRefused({ token: null, fields: given => ({ ...given, ...inFields(token) }) }, fromBody)
      return answer
    },

    /** Decides that an endpoint answers 405 to other methods. */
    async hasNoOther(asked: Exchange): Promise<void> {
      const { does, method, path } = endpointOf(asked)
      const clause = clauseOfEndpoint('methods', asked)
      if (clause === undefined) return
      // If the document shows no path, other endpoints may share it with other methods.
      const wrong = METHODS.filter(
        one => one !== asked.request.method && (path !== null || !/GET|POST/.test(one)),
      )
      const refusals: Exchange[] = []
      for (const other of drawn(wrong, turn++, arrange, isTriedWith(product, endpointOf(asked)))) {
        // Nor is there a search by what bookings are called.
        const isSearch = other === 'GET' && does === 'books' && version === 'v2' && arrange.trafficIsFree
        for (const query of isSearch ? ['', '?external_reference=any-reference'] : ['']) {
          const answer = await resend(check, asked, { method: other, path: `${asked.request.path}${query}` })
          expect(answer, clause).toHaveStatus(405)
          refusals.push(answer)
        }
      }
      for (const answer of refusals) {
        const allowed = allowedMethods(answer)
        if (answer.version === 'v1' || allowed === null) continue
        const refused = refusals.map(({ request }) => request.method)
        expect(answer, 'METHOD-V2-ALLOW-VALID').toGive(
          `Allow with ${method} and without ${refused.join(', ')}`,
          allowed.includes(method) && !allowed.some(one => refused.includes(one)),
          allowed.join(', ') || 'an empty Allow',
          { of: 'header', at: 'allow', has: [method], lacks: refused },
        )
      }
    },

    /** Decides that the content is the same with and without compression. */
    async saysTheSame(served: Exchange): Promise<void> {
      // Every product tests its own endpoints; shared ones are tested with one product.
      if (!arrange.trafficIsFree && compared > 0 && !isTriedWith(product, endpointOf(served))) return
      const ask = (headers: { 'accept-encoding': string }) => resend(check, served, { headers })
      const intact = version === 'v1' ? 'GZIP-V1-INTACT' : 'GZIP-V2-INTACT'
      if (await claimSameCompressed(check, ask, intact, served)) compared++
    },

    /** Decides that a call that changes nothing ignores X-Test-Mode. */
    async mindsNoMode(served: Exchange): Promise<void> {
      const isList = endpointOf(served).does === 'lists'
      if (isList ? !isTriedWith(product, endpointOf(served)) : !arrange.trafficIsFree) return
      const answer = await resend(check, served, { headers: { 'X-Test-Mode': 'true' } })
      // A catalog may change or fail at any time, but not lose half of its size.
      const [size, usual] = [answer, served].map(
        ({ response }) => textOf(response.json ?? response.text).length,
      )
      const isWhole = !isList || 2 * size! > usual!
      const isExcused = hasBrokenDown(answer) || isMarketRefusal(answer)
      // A search that was read may be over: then it is refused without the header, too.
      const holds = succeeded(answer)
        ? isWhole
        : isExcused || !succeeded(await resend(check, served, { headers: {} }))
      expect(answer, 'TEST-MODE-HEADER-LISTS').toGive('what it returns without the header', holds)
    },

    wasCompared: () =>
      assume(compared > 0, 'a compressed answer whose content does not change between requests'),
  }
}

/** Applies the probes to each call of a product. The arrangement is made once. */
async function probeAll(
  check: Check,
  { offered, booked }: EndpointCalls,
  product: ProductId,
  first: number,
): Promise<void> {
  const probes = await probesOf(check, product, first)
  const { isClosed, hasNoOther, saysTheSame, mindsNoMode, wasCompared } = probes
  const lists: Exchange[] = []
  const probed = (ready: Ready, more?: (served: Exchange) => Promise<void>) => async () => {
    const asked = await ready()
    const served = () => assume.sold(asked, 'the same call with its credential')
    await independently(
      () => hasNoOther(asked),
      async () => void (await isClosed(change => resend(check, served(), change))),
      () => more?.(served()),
    )
  }
  /** Decides that refused confirmations booked nothing, whatever their answers. */
  const madeNothing = async (ready: Ready) => {
    const by = await check.arrange.actor()
    const { control } = check as ProductCheck
    const before = await control.counted(by)
    await probed(ready)()
    const after = await control.counted(by)
    const served = await ready()
    const clause = clauseOfEndpoint('authentication', served)
    if (clause === undefined) return
    const tried = 'Confirming without the credential, and by other methods'
    claimNoneMore(check, clause, { tried, before, after, answer: served })
  }
  await independently(
    ...offered.map(ready =>
      probed(ready, served => {
        if (endpointOf(served).does === 'lists') lists.push(served)
        return independently(
          () => saysTheSame(served),
          () => mindsNoMode(served),
        )
      }),
    ),
    wasCompared,
    async () => {
      const { standing, printed, voucher, cancelOtherwise, untouched, afterwards } = await booked()
      const [confirmation, ...reads] = standing
      // If requests are limited, each product tries every second one of these calls.
      const tried = afterwards.filter((_, at) => check.arrange.trafficIsFree || at % 2 === first % 2)
      let early: Exchange | undefined
      await independently(
        () => madeNothing(confirmation),
        ...reads.map(ready => probed(ready, mindsNoMode)),
        // The endpoint has one method whether or not the voucher is published.
        async () => {
          early = await voucher?.()
          if (early !== undefined) await hasNoOther(early)
        },
        async () => {
          if (printed === undefined) return
          const isThere = early !== undefined && succeeded(early)
          const served = assume.accepted(isThere ? early! : await printed(), 'a voucher with its credential')
          await independently(
            async () => void (await isClosed(change => resend(check, served, change))),
            () => mindsNoMode(served),
          )
        },
        async () => {
          const refused = await isClosed(cancelOtherwise)
          await independently(
            () => hasNoOther(refused),
            async () => {
              // A refusal must not have the effect that it refuses.
              await untouched(clauseOfEndpoint('authentication', refused)!)
              await independently(
                ...tried.map(ready => async () => {
                  const served = assume.accepted(await ready(), 'the same call with its credential')
                  await isClosed(change => resend(check, served, change))
                }),
              )
            },
          )
        },
      )
    },
    () => listedLater(check, lists),
  )
}

/** Seconds: longer than a catalog may be cached. */
const LATER = 65 * 60

/** Reads the lists as a colleague, an hour later, so that the rules about every answer see these too. */
async function listedLater(check: Check, lists: readonly Exchange[]): Promise<void> {
  const { arrange, control } = check
  if (!control.offers('mint') || !control.offers('advanceClock')) return
  const { role, tenant: companyOf, modes, features } = await arrange.actor()
  const colleague = await arrange.actor(role, { companyOf, modes, features })
  await (check as ProductCheck).control.advanceClock(colleague, LATER)
  for (const served of lists) await resend({ arrange, send: colleague.send }, served, {})
}

const TITLE =
  'refuses a missing credential and other methods, sends the same content compressed, and gives each answer its own request id'

describe('every endpoint', () => {
  for (const [turn, product] of EVERY_V1_KIND.entries()) {
    test(
      `${TITLE} (${productOf(product).title})`,
      {
        tags: tagsOf(product),
        opportunistic: [SCHEME.v1, HEADER.v1, ...ELSEWHERE.v1],
        kinds: [product],
        costs: 'requests',
      },
      async check => probeAll(check as Check, await v1EndpointCalls(check), product, turn),
    )
  }
  for (const [turn, kind] of EVERY_KIND.entries()) {
    const product = v2ProductOf(kind)
    test(
      `${TITLE} (v2, ${kind})`,
      {
        tags: tagsOf(product),
        opportunistic: [SCHEME.v2, HEADER.v2, ...ELSEWHERE.v2],
        kinds: [kind as Kind],
        costs: 'requests',
      },
      async check => probeAll(check, await v2EndpointCalls(check), product, turn),
    )
  }
})
