import { hasBrokenDown } from '../../fixtures/check/buying/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { type ProductId, productOf, promising } from '../../fixtures/service/index.ts'
import {
  type Actor,
  assume,
  type Check,
  describe,
  type Exchange,
  header,
  independently,
  outcomeOf,
  type PartnerCall,
  RATE_LIMITS,
  TransportError,
  test,
} from '../../fixtures/test.ts'

type Version = 'v1' | 'v2'

/** The clauses about a credential that is past its limit, by version. */
const CLAUSES = {
  v1: {
    ...RATE_LIMITS.v1,
    judgedEverywhere: [
      'LIMIT-V1-429-RETRY-AFTER',
      'LIMIT-V1-429-ERROR',
      'LIMIT-V1-429-MESSAGE',
      'LIMIT-V1-429-CODE',
      'LIMIT-V1-429-LIMIT',
      'LIMIT-V1-429-WINDOW',
      'LIMIT-V1-NO-RATE-HEADERS',
    ],
  },
  v2: {
    ...RATE_LIMITS.v2,
    judgedEverywhere: [
      'LIMIT-V2-429-RETRY-AFTER',
      'LIMIT-V2-429-CODE',
      'V2-ERR-ENVELOPE-LIMIT',
      'V2-ERR-STATUS-RATE-LIMITED',
    ],
  },
} as const satisfies Record<Version, Record<string, ClauseId | readonly ClauseId[]>>

/** Requests a minute that the document gives a credential in each version. */
const LIMIT = 500
/** A higher limit can be arranged: after so many requests without a 429 nothing more is learned. */
const MOST = 1200
const WAVE = 40
/** Times that the first read is sent, at most, until the service does not break down over it. */
const READS = 4
/** Exchanges that are enough to show the same answer. */
const A_FEW = 3

/** A request with the product without which a deployment may have no such endpoint. */
interface OfNobody extends PartnerCall {
  of?: ProductId
}

/** Requests about what nobody has, at endpoints of their own. */
const REFUSED: Readonly<Record<Version, readonly OfNobody[]>> = {
  v1: [
    { method: 'GET', path: '/api/v1/hotel/distribution/bookingDetail?id_orden=0', of: 'v1-hotels' },
    { method: 'GET', path: '/api/v1/transfer/pdf?order_id=0', of: 'v1-transfers' },
    { method: 'GET', path: '/api/v1/parkA/pdf?order_id=0', of: 'v1-park-a' },
    { method: 'GET', path: '/api/v1/parkB/pdf?order_id=0', of: 'v1-park-b' },
  ],
  v2: [
    { method: 'GET', path: '/api/v2/bookings/0' },
    { method: 'GET', path: '/api/v2/bookings/0/voucher' },
    { method: 'POST', path: '/api/v2/offers/check', body: '{}' },
    { method: 'POST', path: '/api/v2/bookings/0/cancel', body: '{}' },
    { method: 'GET', path: '/api/v2/hotels/availability/0', of: 'v2-hotels' },
  ],
}

/** Requests that lack everything, one of each: what would quote, book or cancel counts as any other. */
const EMPTY: readonly (OfNobody & { version: Version; books: boolean })[] = promising(
  'authentication',
).flatMap(({ endpoint: { version, method, path, pathOpen, does, products } }) =>
  method === 'GET' || path === null || pathOpen
    ? []
    : products.map(of => ({
        ...{ version, method, of, path: path.replace(/\{\w+\}/, '0'), body: '{}' },
        ...{ books: does === 'books', kind: productOf(of).kinds[0]! },
      })),
)

/** Requests that change nothing, with a body that lacks everything: past a limit they are refused for that. */
const WRITTEN = {
  v1: { method: 'POST', path: '/api/v1/parkB/getTicketPrice' },
  v2: { method: 'POST', path: '/api/v2/offers/check' },
} as const satisfies Record<Version, Omit<PartnerCall, 'body'>>

let writings = 0
/** Writes one that nobody has sent before. */
const writing = (version: Version): PartnerCall => ({
  ...WRITTEN[version],
  body: JSON.stringify({ writing: ++writings }),
})

const limited = ({ response }: Exchange): boolean => response.status === 429
const isOneOf = (calls: readonly PartnerCall[], { request }: Exchange): boolean =>
  calls.some(call => call.method === request.method && call.path === request.path)
/**
 * What is about nobody's is refused anyway, and what lacks everything may be refused in any way; what else is refused may
 * be past the limit.
 */
function failed(answer: Exchange): boolean {
  if (isOneOf(EMPTY, answer)) return limited(answer)
  return answer.response.status >= (isOneOf([...REFUSED.v1, ...REFUSED.v2], answer) ? 429 : 400)
}

async function many(actor: Actor, call: PartnerCall, count: number): Promise<Exchange[]> {
  const send = () => actor.send({ ...call, unpaced: true })
  try {
    return await Promise.all(Array.from({ length: count }, send))
  } catch (error) {
    // Of so many connections one may be lost. Whether its request counts nobody knows; where no other is answered, it was no chance.
    if (!(error instanceof TransportError)) throw error
    const later = await Promise.allSettled([send(), send(), send()])
    assume(
      later.every(({ status }) => status === 'rejected'),
      `connections that last: ${error.message}`,
    )
    throw error
  }
}

/** Returns the requests of a version for what nobody has, and those that lack everything, of the products on sale. */
function inVain({ sells, trafficIsFree }: Check['arrange'], version: Version) {
  const isSold = ({ of }: OfNobody) => of === undefined || sells(of)
  // A confirmation waits for the proof of test mode where bookings outlive the run.
  const mayBeSent = ({ books }: (typeof EMPTY)[number]) => !books || trafficIsFree
  return {
    ofNobody: REFUSED[version].filter(isSold).map(({ of: _, ...call }) => call),
    empty: EMPTY.filter(one => one.version === version && isSold(one) && mayBeSent(one)).map(
      ({ of: _, version: _own, books: _books, ...call }) => call,
    ),
  }
}

let turn: Promise<unknown> = Promise.resolve()

/**
 * Takes turns. Many bursts at once take each other so long that none of them says anything of a minute; and where both
 * versions are driven past their limits with one credential, each asks whether the other is spared.
 */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = turn.then(work)
  turn = mine.catch(() => {})
  return mine
}

/**
 * Sends with a new credential the documented number of requests of a minute, and one more, which comes last: every
 * request counts, whatever it asked for and whatever was answered, so most are for what nobody has.
 *
 * @throws Inconclusive where it takes so long that the limit might not be reached, and nothing was refused before
 */
const exactlyOneMore = ({ arrange, now }: Check, version: Version, actor: Actor): Promise<Exchange[]> =>
  inTurn(async () => {
    const began = performance.now()
    const call = arrange.cheapRead(version)
    // Sent once more where the service broke down over it: every one counts.
    const answers: Exchange[] = []
    do answers.push(...(await many(actor, call, 1)))
    while (hasBrokenDown(answers.at(-1)!) && answers.length < READS)
    arrange.served(answers.at(-1)!)
    // Its own minutes may pass faster: that of a service whose clock is put right meanwhile.
    const beganThere = now(actor)
    const { ofNobody, empty } = inVain(arrange, version)
    for (const one of empty) answers.push(...(await many(actor, one, 1)))
    for (const other of ofNobody)
      answers.push(...(await many(actor, other, Math.floor(LIMIT / (ofNobody.length + 1)))))
    answers.push(...(await many(actor, call, LIMIT - answers.length)), ...(await many(actor, call, 1)))
    // So many are served in any minute: whoever is refused before is refused too early, however long it took.
    const refusedEarly = answers.slice(0, LIMIT).some(limited)
    assume(
      refusedEarly || Math.max(performance.now() - began, now(actor) - beganThere) < 30_000,
      `a connection that carries ${LIMIT} requests in half a minute`,
    )
    return answers
  })

/** Milliseconds in which a bucket lets several through. */
const A_WHILE = 600
/** Requests past a limit that all have to be refused before what refused others is taken for a limit. */
const BEYOND = 12

/**
 * Ends the check where requests failed and no limit did it: none was refused with 429, and of those sent after them some
 * are served.
 */
async function assumeNoAccident(
  first: readonly Exchange[],
  { actor, read }: { actor: Actor; read: PartnerCall },
): Promise<void> {
  const accident = first.find(failed)
  if (accident === undefined || first.some(limited)) return
  const beyond = await many(actor, read, BEYOND)
  if (beyond.every(failed)) return
  assume(false, `a read that always answers: one of ${first.length} answered ${outcomeOf(accident)}`)
}

/** How many were served: where there is a limit, whatever else failed was none of its doing. */
const servedOf = (answers: readonly Exchange[]): number => {
  const refused = answers.some(limited) ? limited : failed
  return answers.filter(answer => !refused(answer)).length
}

/**
 * Returns whether a credential that was served more than the limit has a bucket, which fills evenly while requests come: it
 * serves what fills in, and nothing beyond that.
 */
async function hasBucket(actor: Actor, read: PartnerCall, sent: readonly Exchange[]): Promise<boolean> {
  const began = Date.parse(sent[0]!.startedAt)
  let [served, refusedAt] = [sent.length, Number.POSITIVE_INFINITY]
  for (let count = 0; count < MOST && Date.now() - refusedAt <= A_WHILE; count += BEYOND) {
    const more = (await many(actor, read, BEYOND)).filter(answer => !failed(answer)).length
    served += more
    if (served > LIMIT + ((Date.now() - began) * LIMIT) / 60_000 + 1) return false
    if (more > 0 && refusedAt < Number.POSITIVE_INFINITY) return true
    if (more < BEYOND) refusedAt = Math.min(refusedAt, Date.now())
  }
  return false
}

/** Goes on until there is a 429. */
async function untilLimited(answers: Exchange[], actor: Actor, call: PartnerCall): Promise<Exchange[]> {
  while (answers.length < MOST && !answers.some(limited))
    answers.push(...(await many(actor, call, Math.min(WAVE, MOST - answers.length))))
  return answers
}

describe('a credential past its limit', () => {
  for (const [version, other] of [
    ['v1', 'v2'],
    ['v2', 'v1'],
  ] as const) {
    const clause = CLAUSES[version]

    test(`is refused by ${version} for a minute, and nobody else is`, {
      tags: [
        clause.status,
        clause.serves,
        clause.refuses,
        ...clause.judgedEverywhere,
        clause.sparesOther,
        clause.perCredential,
        clause.companyCredentials,
        clause.recovers,
      ],
      costs: 'requests',
    }, async context => {
      const { arrange, control, expect, claim } = context
      await arrange.probe(version)
      const { actor, fresh, shared } = await arrange.exhaustible()

      /** Whoever must not suffer is served. */
      const isServed = async (by: Actor, spared: ClauseId, ...calls: PartnerCall[]) => {
        for (const call of calls)
          expect(await by.send({ ...call, unpaced: true }), spared).not.toHaveStatus(429)
      }

      const drive = async () => {
        // Those who must not suffer are served before; where there is no such actor, only its own clause is lost.
        const elsewhere = arrange.probe(other, actor)
        const nearby = arrange
          .actor(shared ? 'otherCompany' : 'standard')
          .then(async by => ({ by, ...(await arrange.probe(version, by)) }))
        await Promise.allSettled([elsewhere, nearby])

        const read = arrange.cheapRead(version)
        const first = fresh
          ? await exactlyOneMore(context, version, actor)
          : [(await arrange.probe(version, actor)).answer]
        if (fresh) await assumeNoAccident(first, { actor, read })
        // A new credential of which a request was refused is at its limit, whatever the refusal says.
        const answers = first.some(failed) ? first : await untilLimited([...first], actor, read)
        const refusal = answers.find(limited) ?? (fresh ? answers.find(failed) : undefined)
        const served = servedOf(fresh ? first : answers)
        const pastLimit = () => {
          if (answers.some(limited)) return
          assume(
            false,
            `a credential that reaches its limit: ${answers.length} requests met no 429, and higher limits can be arranged`,
          )
        }

        await independently(
          async () => {
            if (refusal === undefined) return pastLimit()
            expect(refusal, clause.status).toHaveStatus(429)
          },
          async () => {
            assume(!(!fresh && served < LIMIT), 'a credential with which nothing was sent before')
            claim(clause.serves, served >= LIMIT, {
              tried: `Sending ${LIMIT} requests in a minute with a new credential`,
              expected: 'all of them to be served',
              observed: `${served}, and ${refusal === undefined ? 'no refusal' : outcomeOf(refusal)}`,
              exchanges: answers.filter(failed).slice(0, A_FEW),
            })
          },
          async () => {
            control.require('mint')
            let last = first.at(-1)!
            if (!first.some(failed)) {
              // Where minutes are those of a clock, it may have been the first request of a new one. Not twice.
              const { actor: next } = await arrange.exhaustible()
              const again = await exactlyOneMore(context, version, next)
              last = again.find(failed) ?? again.at(-1)!
              if (!failed(last) && (await hasBucket(next, read, again))) return
            }
            claim(clause.refuses, first.some(failed) || failed(last), {
              tried: `Sending ${LIMIT + 1} requests in a minute with a new credential, most of them for what nobody has, twice`,
              expected: 'the last one to be refused',
              observed: 'every one was served',
              exchanges: [...first.slice(0, 1), ...first.slice(-1), last],
            })
          },
          async () => {
            pastLimit()
            // How a refusal reads is judged wherever there is one.
            const { ofNobody, empty } = inVain(arrange, version)
            const calls = [writing(version), ...ofNobody, ...empty]
            for (const call of arrange.trafficIsFree ? calls : calls.slice(0, 1)) {
              if (limited(await actor.send({ ...call, unpaced: true }))) continue
              // A limit that fills up again lets one through now and then, and a new minute lets all of them.
              const more = await many(actor, call, BEYOND)
              const [after] = await many(actor, read, 1)
              claim(clause.refuses, more.some(limited) || !limited(after!), {
                tried: `Sending ${call.method} ${call.path} ${BEYOND} times past the limit`,
                expected: '429, as before and after it',
                observed: outcomeOf(more[0]!),
                exchanges: [...more.slice(0, A_FEW), after!],
              })
            }
          },
          async () => {
            pastLimit()
            await isServed(actor, clause.sparesOther, (await elsewhere).call, writing(other))
          },
          async () => {
            pastLimit()
            const { by, call } = await nearby
            await isServed(by, clause.perCredential, call, read, writing(version))
          },
          async () => {
            pastLimit()
            const colleague = await arrange.actor('expendable', { companyOf: actor.tenant })
            await isServed(colleague, clause.companyCredentials, read, writing(version))
          },
          async () => {
            pastLimit()
            assume(!shared, 'a credential that nobody else uses meanwhile')
            await arrange.elapse(actor, retryAfter(answers.findLast(limited)!))
            let answer = await actor.send({ ...read, unpaced: true })
            // A clock that is moved need not be the one that limits go by: then it moves them by no stretch. Twice: a real
            // minute may have ended meanwhile.
            for (let time = 1; time <= 2 && limited(answer) && control.offers('advanceClock'); time++) {
              if (time > 1) {
                const over = (await untilLimited([], actor, read)).findLast(limited)
                assume(over !== undefined, 'a credential that is past its limit again')
                await arrange.elapse(actor, retryAfter(over))
                answer = await actor.send({ ...read, unpaced: true })
                if (!limited(answer)) break
              }
              await arrange.elapse(actor, A_DAY)
              const later = await actor.send({ ...read, unpaced: true })
              assume(!limited(later), 'a minute of real time, or a clock that the rate limit goes by')
            }
            expect(answer, clause.recovers).not.toHaveStatus(429)
            if (fresh || served >= LIMIT) return
            // A whole minute has passed in silence, so whatever was sent before this run is forgotten.
            const minute = [answer, ...(await many(actor, read, LIMIT - 1))]
            const refused = minute.filter(limited)
            claim(clause.serves, refused.length === 0, {
              tried: `Sending ${LIMIT} requests in a minute after a minute of silence`,
              expected: 'all of them to be served',
              observed: `${LIMIT - refused.length} of them`,
              exchanges: refused.slice(0, A_FEW),
            })
          },
        )
      }
      await (fresh ? drive() : inTurn(drive))
    })
  }
})

/** In seconds. */
const A_DAY = 86_400

/** Seconds that a 429 asks to wait, and at least the documented minute. One more for clocks that differ. */
function retryAfter({ response }: Exchange): number {
  const stated = header(response.headers, 'retry-after') ?? ''
  return Math.max(60, /^\d+$/.test(stated) ? Number(stated) : 0) + 1
}
