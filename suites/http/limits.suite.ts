import { hasBrokenDown } from '../../fixtures/check/buying/index.ts'
import { inTurn, limited, many, mostFor, untilLimited } from '../../fixtures/check/sending/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import {
  DOCUMENTED_LIMIT,
  limitToldBy,
  type ProductId,
  productOf,
  promising,
} from '../../fixtures/service/index.ts'
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
  test,
} from '../../fixtures/test.ts'

type Version = 'v1' | 'v2'

/** The clauses about a credential past its rate limit, by version. */
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

/** The maximum number of attempts at the first read, if the service breaks down. */
const READS = 4
/** The number of exchanges that show an answer repeated many times. */
const A_FEW = 3

/** One request about nothing for each endpoint: whatever is called, it counts. */
const EMPTY: readonly (PartnerCall & {
  version: Version
  books: boolean
  /** Whether it names what does not exist. Other requests may be refused in any way. */
  isOfNobody: boolean
  /** The products without any of which a deployment may have no such endpoint. */
  of: readonly ProductId[]
})[] = promising('authentication').flatMap(
  ({ endpoint: { id, version, method, path, pathOpen, does, products } }) =>
    path === null || pathOpen
      ? []
      : (does === 'books' ? products.map(one => [one]) : [products]).map(of => ({
          version,
          method,
          of,
          books: does === 'books',
          kind: productOf(of[0]!).kinds[0]!,
          // A read of a list is told by its query from the one that has to be served.
          path: `${path.replace(/\{\w+\}/, '0')}${method === 'GET' ? '?id_orden=0&order_id=0' : ''}`,
          ...(method === 'POST' && { body: '{}' }),
          isOfNobody: does === 'prints' || does === 'reads' || path.includes('{') || id === 'v2 offer check',
        })),
)

/** Requests that change nothing, with an incomplete body. Past a limit they are refused for that. */
const WRITTEN = {
  v1: { method: 'POST', path: '/api/v1/parkB/getTicketPrice' },
  v2: { method: 'POST', path: '/api/v2/offers/check' },
} as const satisfies Record<Version, Omit<PartnerCall, 'body'>>

let writings = 0
/** Returns such a request with a new body. */
const writing = (version: Version): PartnerCall => ({
  ...WRITTEN[version],
  body: JSON.stringify({ writing: ++writings }),
})

/**
 * Returns whether an answer may be due to the limit. Requests about nonexistent objects are refused anyway, and empty
 * requests may be refused in any way.
 */
function failed(answer: Exchange): boolean {
  const { method, path } = answer.request
  const empty = EMPTY.find(call => call.method === method && call.path === path)
  if (empty?.isOfNobody === false) return limited(answer)
  return answer.response.status >= (empty === undefined ? 400 : 429)
}

/** Returns a version's requests about nothing, for products on sale. */
const inVain = ({ sells, trafficIsFree }: Check['arrange'], version: Version) =>
  EMPTY.filter(
    // A confirmation waits for the proof of test mode, if bookings outlive the run.
    one => one.version === version && one.of.some(sells) && (!one.books || trafficIsFree),
  ).map(({ of: _, version: _own, books: _books, isOfNobody, ...call }) => ({ call, isOfNobody }))

/** The milliseconds in which a limit per minute has to be reached, and the requests sent at once. */
const [HALF_A_MINUTE, WAVE] = [30_000, 500]

/**
 * Sends with a new credential as many requests as it may send in a minute, and one more. Every request counts, whatever its
 * path and answer, so most are about nonexistent objects.
 *
 * @throws Inconclusive if it takes so long that the limit might not be reached, and nothing was refused before
 */
const exactlyOneMore = ({ arrange }: Check, version: Version, actor: Actor) =>
  inTurn(async () => {
    const began = performance.now()
    const { limit } = arrange
    const call = arrange.cheapRead(version)
    // Repeated if the service broke down: every attempt counts.
    const answers: Exchange[] = []
    do answers.push(...(await many(actor, call, 1)))
    while (hasBrokenDown(answers.at(-1)!) && answers.length < READS)
    arrange.served(answers.at(-1)!)
    // The service's own minutes may pass faster, if its clock is being corrected.
    const beganThere = actor.now()
    const took = () => Math.max(performance.now() - began, actor.now() - beganThere)
    const send = async (one: PartnerCall, count: number) => {
      for (let left = count; left > 0 && took() < HALF_A_MINUTE; left -= WAVE)
        answers.push(...(await many(actor, one, Math.min(left, WAVE))))
    }
    const vain = inVain(arrange, version)
    const { length: kinds } = vain.filter(({ isOfNobody }) => isOfNobody)
    for (const { call: one, isOfNobody } of vain)
      await send(one, isOfNobody ? Math.floor(limit / (kinds + 1)) - 2 : 1)
    await send(call, limit - answers.length)
    await send(call, 1)
    // This many must be served in any minute: an earlier refusal is too early, however long it took.
    const refusedEarly = answers.slice(0, limit).some(limited)
    assume(
      refusedEarly || took() < HALF_A_MINUTE,
      `a connection that carries ${limit} requests in half a minute`,
    )
    return { answers, began }
  })

/** The time in which a bucket admits several requests, in milliseconds. */
const A_WHILE = 600
/** The number of requests past a limit that must all be refused before a refusal counts as a rate limit. */
const BEYOND = 12

/** Ends the check if requests failed without a limit: none was refused with 429, and some later ones succeed. */
async function assumeNoAccident(
  first: readonly Exchange[],
  { actor, read }: { actor: Actor; read: PartnerCall },
): Promise<void> {
  const accident = first.find(failed)
  if (accident === undefined || first.some(limited)) return
  const beyond = await many(actor, read, BEYOND)
  if (beyond.every(failed)) return
  assume(false, `a read that always succeeds: one of ${first.length} answered ${outcomeOf(accident)}`)
}

/** Returns how many were served. If there is a 429, other failures are not due to the limit. */
const servedOf = (answers: readonly Exchange[]): number => {
  const refused = answers.some(limited) ? limited : failed
  return answers.filter(answer => !refused(answer)).length
}

/**
 * Returns whether a credential that was served more than the limit has a bucket, which fills evenly while requests come: it
 * serves what fills in, and nothing beyond that.
 */
async function hasBucket(
  actor: Actor,
  read: PartnerCall,
  { limit, began }: { limit: number; began: number },
): Promise<boolean> {
  let [served, refusedAt] = [limit + 1, Number.POSITIVE_INFINITY]
  for (let count = 0; count < mostFor(limit) && performance.now() - refusedAt <= A_WHILE; count += BEYOND) {
    const more = (await many(actor, read, BEYOND)).filter(answer => !failed(answer)).length
    served += more
    if (served > limit + ((performance.now() - began) * limit) / 60_000 + 1) return false
    if (more > 0 && refusedAt < Number.POSITIVE_INFINITY) return true
    if (more < BEYOND) refusedAt = Math.min(refusedAt, performance.now())
  }
  return false
}

describe('a credential past its limit', () => {
  for (const [version, other] of [
    ['v1', 'v2'],
    ['v2', 'v1'],
  ] as const) {
    const clause = CLAUSES[version]

    test(`is refused by ${version} until the minute is over, and no other credential is`, {
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
      const { arrange, control, expect } = context
      const { limit } = arrange
      await arrange.probe(version)
      const counts = [clause.status, clause.serves, clause.refuses]
      const { actor, fresh, shared } = await arrange.exhaustible(version, counts)

      /** Each endpoint may count for itself. */
      const all = (of: Version) => (arrange.trafficIsFree ? inVain(arrange, of).map(({ call }) => call) : [])

      /** Decides that another credential or version is still served. */
      const isServed = async (by: Actor, spared: ClauseId, ...calls: PartnerCall[]) => {
        assume(
          arrange.keepsLimit,
          `other checks to keep within ${limit} requests a minute (traffic.perMinute, TSS_PER_MINUTE)`,
        )
        for (const call of calls)
          expect(await by.send({ ...call, unpaced: true }), spared).not.toHaveStatus(429)
      }

      const drive = async () => {
        const began = performance.now()
        // The others are probed first. If an actor is missing, only its clause is lost.
        const elsewhere = arrange.probe(other, actor)
        const nearby = arrange
          .actor(shared ? 'otherCompany' : 'standard')
          .then(async by => ({ by, ...(await arrange.probe(version, by)) }))
        await Promise.allSettled([elsewhere, nearby])

        const read = arrange.cheapRead(version)
        const first = fresh
          ? (await exactlyOneMore(context, version, actor)).answers
          : [(await arrange.probe(version, actor)).answer]
        if (fresh) await assumeNoAccident(first, { actor, read })
        // A refusal of a new credential means its limit, whatever the error, unless it had to pass a limit that is not stated.
        const answers = first.some(failed) ? first : await untilLimited([...first], actor, read, limit)
        const refusals = arrange.limitIsStated ? answers : first
        const refusal = answers.find(limited) ?? (fresh ? refusals.find(failed) : undefined)
        const served = servedOf(fresh ? first : answers)
        const told = answers.findLast(one => limitToldBy(one) !== undefined)
        /** Whether something states the limit. A definition may not know what was arranged. */
        const isStated =
          arrange.limitIsStated || (told !== undefined && limitToldBy(told) === DOCUMENTED_LIMIT)
        const arranged = (met: string) =>
          assume(
            false,
            `the limit of the account: ${met}, and a higher one can be arranged (limits.perMinute of the definition, TSS_LIMIT)`,
          )
        const pastLimit = () => {
          if (answers.some(limited)) return
          if (!isStated) arranged(`${answers.length} requests met no 429`)
          assume(false, `a credential that reaches its limit: ${answers.length} requests got no 429`)
        }

        await independently(
          async () => {
            if (refusal === undefined) return pastLimit()
            expect(refusal, clause.status).toHaveStatus(429)
          },
          // That it states one is judged wherever there is a 429.
          async () => {
            if (version === 'v2' || told === undefined || !arrange.limitIsStated) return
            expect.claim('LIMIT-V1-429-LIMIT', limitToldBy(told) === limit, {
              tried: `Sending more than ${limit} requests in a minute`,
              expected: `a 429 with the limit ${limit}`,
              observed: `the limit ${limitToldBy(told)}`,
              exchanges: [told],
            })
          },
          async () => {
            if (refusal === undefined && !isStated) return pastLimit()
            assume(!(!fresh && served < limit), 'a credential that was not used before')
            expect.claim(clause.serves, served >= limit, {
              tried: `Sending ${limit} requests in a minute with a new credential`,
              expected: 'all of them to be served',
              observed: `${served}, and ${refusal === undefined ? 'no refusal' : outcomeOf(refusal)}`,
              exchanges: answers.filter(failed).slice(0, A_FEW),
            })
          },
          async () => {
            control.require('mint')
            assume(fresh, 'a credential that was not used before')
            let last = first.at(-1)!
            if (!first.some(failed)) {
              if (refusal === undefined && !isStated) return pastLimit()
              if (!isStated) arranged(`the first 429 came after ${answers.findIndex(limited)} requests`)
              // If minutes are those of a clock, it may have been the first request of a new one, but not twice.
              const { actor: next } = await arrange.exhaustible(version, counts)
              const { answers: again, began } = await exactlyOneMore(context, version, next)
              last = again.find(failed) ?? again.at(-1)!
              if (!failed(last) && (await hasBucket(next, read, { limit, began }))) return
            }
            expect.claim(clause.refuses, first.some(failed) || failed(last), {
              tried: `Sending ${limit + 1} requests in a minute with a new credential, most of them about objects that do not exist, twice`,
              expected: 'the last one to be refused',
              observed: 'every one was served',
              exchanges: [...first.slice(0, 1), ...first.slice(-1), last],
            })
          },
          async () => {
            pastLimit()
            // The form of a refusal is judged wherever there is one.
            const calls = [writing(version), ...inVain(arrange, version).map(({ call }) => call)]
            let refusedAt = began
            /** The number of requests that a limit which refills continuously may have admitted since the last refusal. */
            const rate = isStated ? limit : Math.max(limit, answers.length)
            const filled = () => 1 + ((performance.now() - refusedAt) * rate) / 60_000
            for (const call of arrange.trafficIsFree ? calls : calls.slice(0, 1)) {
              const sentAt = performance.now()
              if (limited(await actor.send({ ...call, unpaced: true }))) {
                refusedAt = sentAt
                continue
              }
              const more: Exchange[] = []
              do more.push(...(await many(actor, call, BEYOND)))
              while (!more.some(limited) && more.length <= filled() && more.length < limit)
              const isAdmitted = more.length <= filled()
              const [after] = await many(actor, read, 1)
              // A new minute lets all through.
              expect.claim(clause.refuses, more.some(limited) || isAdmitted || !limited(after!), {
                tried: `Sending ${call.method} ${call.path} ${more.length} times past the limit`,
                expected: '429, as before and after it',
                observed: outcomeOf(more[0]!),
                exchanges: [...more.slice(0, A_FEW), after!],
              })
            }
          },
          async () => {
            pastLimit()
            await isServed(actor, clause.sparesOther, (await elsewhere).call, writing(other), ...all(other))
          },
          async () => {
            pastLimit()
            const { by, call } = await nearby
            await isServed(by, clause.perCredential, call, read, writing(version), ...all(version))
          },
          async () => {
            pastLimit()
            const colleague = await arrange.actor('expendable', { companyOf: actor.tenant })
            await isServed(colleague, clause.companyCredentials, read, writing(version))
          },
          async () => {
            pastLimit()
            assume(!shared, 'a credential that nobody else uses during the run')
            await arrange.elapse(actor, retryAfter(answers.findLast(limited)!))
            let answer = await actor.send({ ...read, unpaced: true })
            // The clock of control need not be that of the rate limit. Tried twice, since a real minute may have ended
            // meanwhile.
            for (let time = 1; time <= 2 && limited(answer) && control.offers('advanceClock'); time++) {
              if (time > 1) {
                const over = (await untilLimited([], actor, read, limit)).findLast(limited)
                assume(over !== undefined, 'a credential that reaches its limit again')
                await arrange.elapse(actor, retryAfter(over))
                answer = await actor.send({ ...read, unpaced: true })
                if (!limited(answer)) break
              }
              await arrange.elapse(actor, A_DAY)
              const later = await actor.send({ ...read, unpaced: true })
              assume(
                !limited(later),
                'a minute of real time, or a clock (control.advanceClock) that the rate limit follows',
              )
            }
            expect(answer, clause.recovers).not.toHaveStatus(429)
            if (fresh || served >= limit) return
            // After a whole minute without requests, earlier requests no longer count.
            const minute = [answer, ...(await many(actor, read, limit - 1))]
            const refused = minute.filter(limited)
            expect.claim(clause.serves, refused.length === 0, {
              tried: `Sending ${limit} requests in a minute after a minute of silence`,
              expected: 'all of them to be served',
              observed: `${limit - refused.length} of them`,
              exchanges: refused.slice(0, A_FEW),
            })
          },
        )
      }
      await (fresh ? drive() : inTurn(drive))
    })
  }
})

const A_DAY = 86_400

/** Returns the seconds to wait after a 429: at least the documented minute, and one more for clock differences. */
function retryAfter({ response }: Exchange): number {
  const stated = header(response.headers, 'retry-after') ?? ''
  return Math.max(60, /^\d+$/.test(stated) ? Number(stated) : 0) + 1
}
