import { hasBrokenDown } from '../../fixtures/check/buying/index.ts'
import { inTurn, limited, many, untilLimited } from '../../fixtures/check/sending/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { limitToldBy, type ProductId, productOf, promising } from '../../fixtures/service/index.ts'
import {
  type Actor,
  assume,
  type Check,
  describe,
  type Exchange,
  header,
  independently,
  type PartnerCall,
  RATE_LIMITS,
  test,
} from '../../fixtures/test.ts'

type Version = 'v1' | 'v2'

/** The clauses about each refusal past a limit, by version. */
const JUDGED_EVERYWHERE: Readonly<Record<Version, readonly ClauseId[]>> = {
  v1: [
    'LIMIT-V1-429-RETRY-AFTER',
    'LIMIT-V1-429-ERROR',
    'LIMIT-V1-429-MESSAGE',
    'LIMIT-V1-429-CODE',
    'LIMIT-V1-429-LIMIT',
    'LIMIT-V1-429-WINDOW',
    'LIMIT-V1-NO-RATE-HEADERS',
  ],
  v2: [
    'LIMIT-V2-429-RETRY-AFTER',
    'LIMIT-V2-429-CODE',
    'V2-ERR-ENVELOPE-LIMIT',
    'V2-ERR-STATUS-RATE-LIMITED',
  ],
}

const EACH = [
  ['v1', 'v2'],
  ['v2', 'v1'],
] as const

/** The maximum number of attempts at the first read, if the service breaks down. */
const READS = 4

/** One request about nothing for each endpoint: whatever is called, it counts. */
const EMPTY: readonly (PartnerCall & {
  version: Version
  books: boolean
  /** Whether it names what does not exist, and may be sent many times. */
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

/** Returns a version's requests about nothing, for products on sale. */
const inVain = ({ sells, trafficIsFree }: Check['arrange'], version: Version) =>
  EMPTY.filter(
    // A confirmation waits for the proof of test mode, if bookings outlive the run.
    one => one.version === version && one.of.some(sells) && (!one.books || trafficIsFree),
  ).map(({ of: _, version: _own, books: _books, isOfNobody, ...call }) => ({ call, isOfNobody }))

/** The milliseconds in which a limit per minute has to be reached, and the requests sent at once. */
const [HALF_A_MINUTE, WAVE] = [30_000, 500]
/** The number of requests sent at once past a limit, and the milliseconds in which a bucket admits several. */
const [BEYOND, A_WHILE] = [12, 600]

/** Sends with a new credential as many requests as it may send in a minute, most of them about objects that do not exist, and more. */
const pastLimit = ({ arrange }: Check, version: Version, actor: Actor) =>
  inTurn(async () => {
    const began = performance.now()
    const { limit } = arrange
    const read = arrange.cheapRead(version)
    // Repeated if the service broke down: every attempt counts.
    const answers: Exchange[] = []
    do answers.push(...(await many(actor, read, 1)))
    while (hasBrokenDown(answers.at(-1)!) && answers.length < READS)
    arrange.served(answers.at(-1)!)
    const send = async (one: PartnerCall, count: number) => {
      for (let left = count; left > 0 && performance.now() - began < HALF_A_MINUTE; left -= WAVE)
        answers.push(...(await many(actor, one, Math.min(left, WAVE))))
    }
    const vain = inVain(arrange, version)
    const { length: kinds } = vain.filter(({ isOfNobody }) => isOfNobody)
    for (const { call, isOfNobody } of vain)
      await send(call, isOfNobody ? Math.floor(limit / (kinds + 1)) - 2 : 1)
    await send(read, limit - answers.length)
    await send(read, 1)
    const isReached = limited(answers.at(-1)!)
    await untilLimited(answers, actor, read, limit)
    // A bucket would go on to admit some.
    while (!isReached && answers.some(limited) && performance.now() - began < A_WHILE)
      answers.push(...(await many(actor, read, BEYOND)))
    return { answers, isReached }
  })

describe('a credential past its limit', () => {
  for (const [version, other] of EACH) {
    const { keepsServing: _, ...clause } = RATE_LIMITS[version]
    const { status, ...others } = clause

    test(`is refused by ${version} until the minute is over, and no other credential is`, {
      tags: [status, ...Object.values(others), ...JUDGED_EVERYWHERE[version]],
      costs: 'requests',
    }, async context => {
      const { arrange, control } = context
      const { limit, trafficIsFree } = arrange
      await arrange.probe(version)
      const counts = [status, clause.serves, clause.refuses]
      const { actor, fresh, shared } = await arrange.exhaustible(version, counts)
      const read = arrange.cheapRead(version)
      const all = (of: Version) => (trafficIsFree ? inVain(arrange, of).map(({ call }) => call) : [])
      const send = async (by: Actor, ...calls: PartnerCall[]) => {
        for (const call of calls) await by.send({ ...call, unpaced: true })
      }

      const drive = async () => {
        const began = performance.now()
        // The others are probed first. If an actor is missing, only its clause is lost.
        const elsewhere = arrange.probe(other, actor)
        const nearby = arrange
          .actor(shared ? 'otherCompany' : 'standard')
          .then(async by => ({ by, ...(await arrange.probe(version, by)) }))
        await Promise.allSettled([elsewhere, nearby])
        const { answers, isReached } = fresh
          ? await pastLimit(context, version, actor)
          : { answers: await untilLimited([], actor, read, limit), isReached: true }

        await independently(
          async () => {
            // If minutes are those of a clock, one may have ended meanwhile, but not twice.
            if (!isReached)
              await pastLimit(context, version, (await arrange.exhaustible(version, counts)).actor)
            const isStated = arrange.limitIsStated || answers.some(one => limitToldBy(one) === limit)
            assume(
              isStated && (isReached || control.offers('mint')),
              `the limit of the account: ${answers.length} requests met ${answers.some(limited) ? 'a later 429' : 'no 429'}, and a higher one can be arranged (limits.perMinute of the definition, TSS_LIMIT)`,
            )
            assume(
              answers.some(limited),
              `a credential that reaches its limit: ${answers.length} requests got no 429`,
            )
          },
          async () => {
            const calls = [writing(version), ...all(version)]
            for (const call of trafficIsFree ? calls : calls.slice(0, 1)) {
              if (limited(await actor.send({ ...call, unpaced: true }))) continue
              // A limit that fills continuously may have admitted it, and so many more.
              const filled = 1 + ((performance.now() - began) * limit) / 60_000
              const more: Exchange[] = []
              do more.push(...(await many(actor, call, BEYOND)))
              while (!more.some(limited) && more.length <= filled && more.length < limit)
              await send(actor, read)
            }
          },
          async () => send(actor, (await elsewhere).call, writing(other), ...all(other)),
          async () => {
            const { by, call } = await nearby
            await send(by, call, read, writing(version), ...all(version))
          },
          async () => {
            // A credential of another role, so that the two are told apart.
            const colleague = await arrange.actor('standard', { companyOf: actor.tenant })
            await send(colleague, read, writing(version))
          },
          async () => {
            const refusal = answers.findLast(limited)
            if (refusal === undefined) return
            assume(!shared, 'a credential that nobody else uses during the run')
            await arrange.elapse(actor, retryAfter(refusal))
            const again = await actor.send({ ...read, unpaced: true })
            if (limited(again)) await dayLater(context, actor, read)
            // After a whole minute without requests, earlier requests no longer count.
            else if (!fresh) await many(actor, read, limit - 1)
          },
        )
      }
      await (fresh ? drive() : inTurn(drive))
    })
  }
})

describe('a credential that stays just below its limit', () => {
  for (const [version] of EACH) {
    test(`is never refused by ${version}, however long it goes on`, {
      tags: [RATE_LIMITS[version].keepsServing],
      costs: 'requests',
    }, async context => {
      const { arrange, control } = context
      control.require('mint')
      control.require('advanceClock')
      const read = arrange.cheapRead(version)
      const some = Math.floor(arrange.limit / 50)
      const actor = await arrange.nearLimit(version, arrange.limit - 6 * some)
      const answers: Exchange[] = []
      // Three times a minute, until more was sent than a minute allows.
      for (let time = 0; time < 7; time++) {
        if (time > 0) await arrange.elapse(actor, 20)
        answers.push(...(await many(actor, read, some)))
      }
      if (answers.some(limited)) await dayLater(context, actor, read)
    })
  }
})

const A_DAY = 86_400

/** Reads again a day later: the clock of control need not be that of the rate limit. */
async function dayLater({ arrange, control }: Check, actor: Actor, read: PartnerCall): Promise<void> {
  if (!control.offers('advanceClock')) return
  await arrange.elapse(actor, A_DAY)
  await actor.send({ ...read, unpaced: true })
}

/** Returns the seconds to wait after a 429: at least the documented minute, and one more for clock differences. */
function retryAfter({ response }: Exchange): number {
  const stated = header(response.headers, 'retry-after') ?? ''
  return Math.max(60, /^\d+$/.test(stated) ? Number(stated) : 0) + 1
}
