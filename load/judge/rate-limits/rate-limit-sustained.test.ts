import { describe, expect, test } from 'vitest'
import type { Circumstances } from '../../plan/plan.ts'
import type { StageEvidence } from '../../read/evidence.ts'
import { circumstancesOf, exchangeFor, request, SENDER, staged, stageOf } from '../../testing/evidence.ts'
import type { Version } from './limits.ts'
import { judgeRateLimitSustained } from './rate-limit-sustained.ts'

interface Run {
  perMinute?: number
  minutes?: number
  timeScale?: number
  /** Returns the status of a request by its number in its version. */
  status?: (index: number, version: Version) => number
}

function ran({ perMinute = 480, minutes = 5, timeScale = 10, status = () => 200 }: Run = {}): StageEvidence {
  const requests = (['v1', 'v2'] as const).flatMap(version =>
    Array.from({ length: perMinute * minutes }, (_, index) =>
      request((index * 60_000) / perMinute / timeScale, {
        op: `${version} probe`,
        status: status(index, version),
      }),
    ),
  )
  const exchanges = requests.filter(row => row.status > 0).map(row => exchangeFor(row))
  return stageOf({ scenario: 'rate-limit-sustained', stage: 'sustained', requests, exchanges })
}

const judged = (stage: StageEvidence, rest: Partial<Circumstances> = {}) =>
  judgeRateLimitSustained(staged(stage), circumstancesOf('rate-limit-sustained', { timeScale: 10, ...rest }))

const refusing = (where: Version) => (index: number, version: Version) =>
  version === where && index === 900 ? 429 : 200

describe('a partner at the documented rate', () => {
  test('that is never refused shows both limits kept', () => {
    const { answers, facts } = judged(ran())
    expect(answers.map(({ exercised, findings }) => ({ exercised, findings }))).toEqual([
      { exercised: ['LIMIT-V1-SERVES-500'], findings: [] },
      { exercised: ['LIMIT-V2-SERVES-500'], findings: [] },
    ])
    expect(facts).toContainEqual({ name: 'v1: requests a minute', value: 480 })
    expect(facts).toContainEqual({ name: 'v1: most in any 60 seconds', value: 480, unit: 'requests' })
  })

  test.each(['v1', 'v2'] as const)('that is refused once in %s is a finding of that version', version => {
    const { answers } = judged(ran({ status: refusing(version) }))
    const findings = answers.flatMap(answer => answer.findings)
    expect(findings).toHaveLength(1)
    expect(findings[0]).toMatchObject({
      clause: `LIMIT-${version.toUpperCase()}-SERVES-500`,
      observed: '2399 × 200, 1 × 429',
      exchanges: [expect.any(String)],
    })
    expect(findings[0]!.message).toMatch(/^Sending 480 requests of v\d a minute, and never more than 49\d,/)
  })
})

describe('a limit is not judged', () => {
  test.each<[string, Run, Partial<Circumstances>, RegExp]>([
    [
      'where more than 500 may have come in a minute of a clock that jumps',
      { status: refusing('v1'), minutes: 2, timeScale: 60 },
      { timeScale: 60 },
      /^up to 53\d requests of v1 came in a minute of the deployment's clock/,
    ],
    [
      'where no more is served than a limit serves that goes by real time',
      { status: index => (index < 500 ? 200 : 429) },
      {},
      /^v1 served 500 requests of 2400, as a limit does that goes by real time/,
    ],
    ['where others may send, too', { status: refusing('v1') }, { minted: false }, /nobody else uses/],
    [
      'where hardly anything was answered',
      { status: index => (index % 2 === 0 ? 0 : 200) },
      {},
      /^v1 answered 240 requests a minute of 480/,
    ],
  ])('%s', (_, run, rest, reason) => {
    const stage = ran(run)
    const { answers } = judged(
      { ...stage, plan: { ...stage.plan, senders: [{ ...SENDER, role: 'standard' }] } },
      rest,
    )
    expect(answers.flatMap(answer => answer.findings)).toEqual([])
    expect(answers[0]!.exercised).toEqual([])
    expect(answers[0]!.stopped).toEqual({ verdict: 'not exercised', reason: expect.stringMatching(reason) })
  })
})
