import { expect, test } from 'vitest'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Circumstances } from '../plan/plan.ts'
import type { StageEvidence } from '../read/evidence.ts'
import { circumstancesOf, exchangeFor, request, SENDER, staged, stageOf } from '../testing/evidence.ts'
import { blocking, type Deployment, limiting, only, stagesOf, tokens, wrongly } from '../testing/limiters.ts'
import { JUDGES } from './index.ts'
import { judgeRateLimitBurst, judgeRateLimitSustained } from './rate-limits.ts'

const judged = (stages: ReadonlyMap<string, StageEvidence>, rest: Partial<Circumstances> = {}) =>
  judgeRateLimitBurst(
    stages,
    circumstancesOf('rate-limit-burst', { timeScale: 20, settings: { limit: 500 }, ...rest }),
  )

type Judged = ReturnType<typeof judged>
const found = ({ answers }: Judged): ClauseId[] =>
  [...new Set(answers.flatMap(({ findings }) => findings.map(({ clause }) => clause)))].sort()
const exercised = ({ answers }: Judged): ClauseId[] => answers.flatMap(answer => answer.exercised).sort()
const reasons = ({ answers }: Judged): string =>
  answers.flatMap(({ stopped }) => (stopped ? [`${stopped.verdict}: ${stopped.reason}`] : [])).join('\n')

const EVERY_CLAUSE = [...JUDGES['rate-limit-burst'].clauses].sort()

test('a burst on a deployment that keeps its limits: decides every clause', () => {
  const result = judged(stagesOf(limiting()))
  expect([found(result), exercised(result), reasons(result)]).toEqual([[], EVERY_CLAUSE, ''])
})

const clock = limiting({
  bucket: ({ credential, version, now }) => `${credential}/${version}/${Math.floor(now / 60_000)}`,
})
const real = limiting()

test.each([
  ['one credential for everything', stagesOf(limiting(), { oneSender: true })],
  ['windows that begin with the minutes of a clock', stagesOf(clock)],
  ['a bucket that is asked slowly', stagesOf(tokens(), { took: 4000 })],
  ['limits by another clock', stagesOf(one => real({ ...one, now: one.real }), { aDayLater: true })],
])('a burst on a deployment that keeps its limits: finds nothing: %s', (_, stages) => {
  expect(found(judged(stages))).toEqual([])
  expect(found(judged(stages, { minted: false }))).toEqual([])
})

test.each<[string, ClauseId[], Deployment, Parameters<typeof stagesOf>[1]?]>([
  ['v1 serves 60', ['LIMIT-V1-SERVES-500'], limiting({ max: { v1: 60 } })],
  ['v2 serves 499', ['LIMIT-V2-SERVES-500'], limiting({ max: { v2: 499 } })],
  ['v1 has no limit', ['LIMIT-V1-REFUSES-MORE'], limiting({ max: { v1: 1e6 } })],
  ['v2 refuses with 403', ['LIMIT-V2-429-STATUS'], wrongly()],
  [
    'v1 counts a company together',
    ['LIMIT-V1-COMPANY-CREDENTIALS'],
    limiting({ bucket: only('v1', ({ company }) => `${company}/v1`) }),
  ],
  ['v1 blocks v2', ['LIMIT-V1-SPARES-V2'], blocking('v1')],
  ['v2 refuses for ever', ['LIMIT-V2-RECOVERS'], blocking('v2')],
  [
    'minutes of five minutes',
    ['LIMIT-V1-RECOVERS', 'LIMIT-V2-RECOVERS'],
    limiting({ windowSeconds: 300 }),
    { aDayLater: true },
  ],
])('a fault is found under its clause and no other: %s', (_, breaks, deployment, run) => {
  expect(found(judged(stagesOf(deployment, run)))).toEqual(breaks)
})

test('a fault is found under its clause and no other: by the limit that the definition states', () => {
  const of = (max: number) =>
    found(
      judged(stagesOf(limiting({ max: { v1: max, v2: max } }), { limit: 1000 }), {
        settings: { limit: 1000 },
      }),
    )
  expect([of(1000), of(500)]).toEqual([[], ['LIMIT-V1-SERVES-500', 'LIMIT-V2-SERVES-500']])
})

test.each<[string, Map<string, StageEvidence>, RegExp]>([
  ['an outage', stagesOf(() => 503), /^blocked: .*neither served nor refused/m],
  [
    'a limit that nothing states',
    stagesOf(limiting({ max: { v1: 2000, v2: 2000 } })),
    /a higher one can be arranged/,
  ],
])('%s is no finding, and leaves open what it is about', (_, stages, why) => {
  const result = judged(stages, { settings: {} })
  expect([found(result), exercised(result)]).toEqual([[], []])
  expect(reasons(result)).toMatch(why)
})

const SERVED: ClauseId[] = ['LIMIT-V1-KEEPS-SERVING', 'LIMIT-V2-KEEPS-SERVING']
const once = (index: number) => (index === 600 ? 429 : 200)

test.each<[string, (index: number) => number, ClauseId[], ClauseId[], number?, number?]>([
  ['that is never refused', () => 200, SERVED, []],
  ['that hardly anybody answers', index => (index % 2 === 0 ? 0 : 200), [], []],
  ['that a limit by real time refuses', index => (index < 500 ? 200 : 429), [], []],
  ['that is refused once', once, SERVED, SERVED, 30],
  ['that is refused once while its clock stood still on a busy machine', once, [], [], 30, 5000],
])('a partner at the documented rate: %s', (_, status, kept, broken, timeScale = 10, behind = 0) => {
  const rows = (['v1', 'v2'] as const).flatMap(version =>
    Array.from({ length: 2400 }, (_, index) =>
      request(index * 12.5, {
        op: `${version} probe`,
        status: status(index),
      }),
    ),
  )
  const exchanges = rows.filter(row => row.status > 0).map(row => exchangeFor(row))
  const result = judgeRateLimitSustained(
    staged(
      stageOf({
        scenario: 'rate-limit-sustained',
        stage: 'sustained',
        senders: [SENDER],
        requests: rows,
        exchanges,
        behind,
      }),
    ),
    circumstancesOf('rate-limit-sustained', { timeScale }),
  )
  expect([exercised(result), found(result)]).toEqual([kept, broken])
})
