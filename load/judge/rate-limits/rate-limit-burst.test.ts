import { describe, expect, test } from 'vitest'
import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import type { Circumstances } from '../../plan/plan.ts'
import type { StageEvidence } from '../../read/evidence.ts'
import { circumstancesOf } from '../../testing/evidence.ts'
import {
  blocking,
  type Deployment,
  limiting,
  only,
  stagesOf,
  tokens,
  wrongly,
} from '../../testing/limiters.ts'
import { JUDGES } from '../index.ts'
import { judgeRateLimitBurst } from './rate-limit-burst.ts'

const judged = (stages: ReadonlyMap<string, StageEvidence>, rest: Partial<Circumstances> = {}) =>
  judgeRateLimitBurst(
    stages,
    circumstancesOf('rate-limit-burst', { timeScale: 20, settings: { limit: 500 }, ...rest }),
  )

type Judged = ReturnType<typeof judged>
const found = ({ answers }: Judged): ClauseId[] =>
  [...new Set(answers.flatMap(({ findings }) => findings.map(({ clause }) => clause)))].sort()
const exercised = ({ answers }: Judged): ClauseId[] => answers.flatMap(answer => answer.exercised)
const reasons = ({ answers }: Judged): string =>
  answers
    .flatMap(({ stopped }) => (stopped === undefined ? [] : [`${stopped.verdict}: ${stopped.reason}`]))
    .join('\n')

const EVERY_CLAUSE = JUDGES['rate-limit-burst'].clauses

const DEVIANTS: [name: string, breaks: ClauseId[], deployment: () => Deployment][] = (
  ['v1', 'v2'] as const
).flatMap((version): [string, ClauseId[], () => Deployment][] => {
  const [V, other] = version === 'v1' ? (['V1', 'v2'] as const) : (['V2', 'v1'] as const)
  const spares = version === 'v1' ? 'LIMIT-V1-SPARES-V2' : 'LIMIT-V2-SPARES-V1'
  return [
    [`${version} serves 60`, [`LIMIT-${V}-SERVES-500`], () => limiting({ max: { [version]: 60 } })],
    [`${version} has no limit`, [`LIMIT-${V}-REFUSES-MORE`], () => limiting({ max: { [version]: 1e6 } })],
    [
      `${version} has minutes of half a minute`,
      [`LIMIT-${V}-REFUSES-MORE`],
      () => {
        const [short, limit] = [limiting({ windowSeconds: 30 }), limiting()]
        return asked => (asked.version === version ? short(asked) : limit(asked))
      },
    ],
    [`${version} refuses with 403`, [`LIMIT-${V}-429-STATUS`], () => wrongly(version, 403)],
    [
      `${version} counts a company together`,
      [`LIMIT-${V}-COMPANY-CREDENTIALS`],
      () => limiting({ bucket: only(version, ({ company }) => `${company}/${version}`) }),
    ],
    [`${version} blocks ${other}`, [spares], () => blocking(version, other)],
    [`${version} refuses for ever`, [`LIMIT-${V}-RECOVERS`], () => blocking(version, version)],
    [
      `${version} has a bucket that fills three times as fast`,
      [`LIMIT-${V}-REFUSES-MORE`],
      () => {
        const [bucket, limit] = [tokens(1500), limiting()]
        return asked => (asked.version === version ? bucket(asked) : limit(asked))
      },
    ],
  ]
})

const ACROSS: typeof DEVIANTS = [
  [
    'both versions counted together',
    ['LIMIT-V1-SPARES-V2', 'LIMIT-V2-SPARES-V1'],
    () => limiting({ bucket: ({ credential }) => credential }),
  ],
]

describe('a deployment that keeps its limits', () => {
  const result = judged(stagesOf(limiting()))

  test('conforms to every clause', () => {
    expect(found(result)).toEqual([])
    expect(exercised(result).sort()).toEqual([...EVERY_CLAUSE].sort())
    expect(reasons(result)).toBe('')
  })

  const clock = limiting({
    bucket: ({ credential, version, now }) => `${credential}/${version}/${Math.floor(now / 60_000)}`,
  })
  const served = new Map<string, number[]>()
  const sliding: Deployment = ({ credential, version, now }) => {
    const before = (served.get(`${credential}/${version}`) ?? []).filter(at => now - at < 60_000)
    const isServed = before.length < 500
    served.set(`${credential}/${version}`, isServed ? [...before, now] : before)
    return isServed ? 200 : 429
  }

  test.each([
    ['one credential for everything', stagesOf(limiting(), { oneSender: true })],
    ['windows that begin with the minutes of a clock', stagesOf(clock)],
    ['sliding windows', stagesOf(sliding)],
    ['a bucket that is asked slowly', stagesOf(tokens(), { took: 4000 })],
    [
      'a single burst that met the end of a minute',
      new Map([
        ...stagesOf(limiting()),
        ['alone-v1', stagesOf(limiting({ max: { v1: 510 } })).get('alone-v1')!],
      ]),
    ],
  ])('conforms with %s', (_, stages) => {
    expect(found(judged(stages))).toEqual([])
  })

  test('is said to show nothing where a slow burst was served as a whole', () => {
    const slow = stagesOf(limiting({ max: { v1: 1e6, v2: 1e6 } }), { took: 4000 })
    slow.delete('overrun')
    const result = judged(slow)
    expect(found(result)).toEqual([])
    expect(reasons(result)).toContain('all of 520 requests were served, as a bucket would that fills evenly')
  })

  test('conforms if its limits use another clock than the one that is moved', () => {
    const limit = limiting()
    const result = judged(stagesOf(asked => limit({ ...asked, now: asked.real }), { aDayLater: true }))
    expect(found(result)).toEqual([])
    expect(reasons(result)).toContain('a clock that the rate limit goes by')
  })
})

test('windows of five minutes are found if a day recovers and a minute does not', () => {
  const stages = stagesOf(limiting({ windowSeconds: 300 }), { aDayLater: true })
  expect(found(judged(stages))).toEqual(['LIMIT-V1-RECOVERS', 'LIMIT-V2-RECOVERS'])
})

describe('a fault is found under its clause and no other', () => {
  test.each([...DEVIANTS, ...ACROSS])('%s', (_, breaks, deployment) => {
    expect(found(judged(stagesOf(deployment())))).toEqual(breaks)
  })

  test.each([...DEVIANTS, ...ACROSS])('%s, with one credential for everything', (_, breaks, deployment) => {
    for (const clause of found(judged(stagesOf(deployment(), { oneSender: true }))))
      expect(breaks).toContain(clause)
  })
})

describe('what says nothing about a limit is not a finding', () => {
  /** Fails every n-th request. */
  const failing = (every: number, status: number): Deployment => {
    const limit = limiting()
    let count = 0
    return asked => (++count % every === 0 ? status : limit(asked))
  }

  const hindered = /^blocked: .*(had no answer|neither served nor refused)/m
  const [small, sent] = [{ burst: 100 }, stagesOf(limiting({ max: { v1: 499 } }))]
  const bookings = { transfers: 0, parkA: 0, parkB: 0, hotels: 0 }
  const counted = new Map([['burst', { requests: { v1: 521, v2: 0 }, bookings }]])

  test.each<[string, Map<string, StageEvidence>, RegExp, exercises?: ClauseId[]]>([
    ['some requests without an answer', stagesOf(failing(97, 0)), hindered],
    ['some that the deployment fails at', stagesOf(failing(97, 500)), hindered],
    ['some that are refused for another reason', stagesOf(failing(97, 403)), hindered],
    ['an outage', stagesOf(() => 503), hindered, []],
    [
      'a burst that takes half a minute',
      stagesOf(limiting({ max: { v1: 400 } }), { took: 30_000 }),
      /a burst took 31 seconds/,
    ],
    [
      'a burst that is smaller than the limit',
      stagesOf(limiting(), small),
      /a burst of 100 requests does not reach past a limit of 500/,
      [],
    ],
    [
      'requests that the deployment counted more often than they were sent',
      new Map([...sent, ['alone-v1', { ...sent.get('alone-v1')!, counted }]]),
      /the deployment counted 521 requests where 520 were sent/,
    ],
  ])('%s', (_, stages, why, exercises) => {
    const result = judged(stages)
    expect(found(result)).toEqual([])
    expect(reasons(result)).toMatch(why)
    if (exercises !== undefined) expect(exercised(result)).toEqual(exercises)
  })

  test('occasional supplier failures: they count among the 500 admitted requests', () => {
    const plain = exercised(judged(stagesOf(limiting())))
    const limit = limiting()
    let count = 0
    const result = judged(
      stagesOf(asked => {
        const status = limit(asked)
        return status === 200 && ++count % 9 === 0 ? [502, 503][count % 2]! : status
      }),
    )
    expect(found(result)).toEqual([])
    expect(exercised(result)).toEqual(plain)
  })

  test('a higher limit, where it may have been arranged', () => {
    const result = judged(stagesOf(limiting({ max: { v1: 2000 } })), { minted: false })
    expect(found(result)).toEqual([])
    expect(exercised(result)).toContain('LIMIT-V1-SERVES-500')
    expect(reasons(result)).toContain('a higher limit can be arranged')
  })

  test('where none is stated, and no request is refused, all that is about it is left open for one reason', () => {
    const result = judged(stagesOf(limiting({ max: { v1: 2000, v2: 2000 } })), { settings: {} })
    expect(found(result)).toEqual([])
    expect(exercised(result)).toEqual([])
    expect(new Set(reasons(result).split('\n'))).toEqual(
      new Set([
        'not exercised: needs the limit of the account: bursts of 520 requests met no 429, and a higher one can be arranged (limits.perMinute of the definition, TSS_LIMIT)',
      ]),
    )
  })

  test('where none is stated, a refusal that comes later than documented is judged, and not when it came', () => {
    const result = judged(stagesOf(limiting({ max: { v1: 510, v2: 510 } })), { settings: {} })
    expect(found(result)).toEqual([])
    expect(exercised(result).sort()).toEqual(EVERY_CLAUSE.filter(one => !one.endsWith('REFUSES-MORE')).sort())
  })

  test('a standing credential of another company that is refused', () => {
    const result = judged(stagesOf(limiting({ bucket: only('v1', () => 'v1') })), { minted: false })
    expect(found(result)).not.toContain('LIMIT-V1-PER-CREDENTIAL')
  })
})

describe('an arranged limit that the definition states', () => {
  const of = (max: number) =>
    judged(stagesOf(limiting({ max: { v1: max, v2: max } }), { limit: 2000 }), { settings: { limit: 2000 } })

  test('is the one by which everything is judged', () => {
    const result = of(2000)
    expect(found(result)).toEqual([])
    expect(exercised(result).sort()).toEqual([...EVERY_CLAUSE].sort())
    expect(result.answers[0]!.title).toBe('v1 serves 2000 requests a minute, and refuses more with 429')
  })

  test.each([
    [500, 'SERVES-500'],
    [1999, 'SERVES-500'],
    [2001, 'REFUSES-MORE'],
    [1e6, 'REFUSES-MORE'],
  ])('is another one of %d requests: a finding', (max, name) => {
    expect(found(of(max))).toEqual([`LIMIT-V1-${name}`, `LIMIT-V2-${name}`])
  })
})

test.each([
  ['are a finding', 0, ['LIMIT-V2-SERVES-500']],
  ['are none where the limit does not go by the clock that was moved: requests before the load count', 1, []],
] as const)(
  'without a minted credential, too few requests served to an expendable one %s',
  (_, real, clauses) => {
    const limit = limiting({ max: { v2: 499 } })
    const stages = stagesOf(asked => limit(real ? { ...asked, now: asked.real } : asked), { aDayLater: true })
    expect(found(judged(stages, { minted: false }))).toEqual(clauses)
  },
)
