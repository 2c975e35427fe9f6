import { expect, test } from 'vitest'
import { circumstancesOf, request, staged, stageOf } from '../testing/evidence.ts'
import { judgeRateLimitBurst } from './rate-limits.ts'

test.each([
  ['an outage', 503, 'blocked', /neither served nor refused/],
  ['a limit that nothing states', 200, 'not exercised', /a higher one can be arranged/],
  ['a limit that others use, too', 429, 'not exercised', /a credential that nobody else uses/],
])('%s leaves open what a burst is about', (_, status, verdict, why) => {
  const requests = Array.from({ length: 520 }, (_, at) => request(at, { op: 'v2 probe', status }))
  const { questions } = judgeRateLimitBurst(
    staged(stageOf({ stage: 'alone-v2', requests })),
    circumstancesOf('rate-limit-burst'),
  )
  const open = questions.map(one => one.whyOpen())
  expect(open[0]).toMatchObject({ reason: 'no burst of v1 was sent' })
  expect(open.at(-1)).toMatchObject({ verdict, reason: expect.stringMatching(why) })
})
