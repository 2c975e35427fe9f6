import { expect, test } from 'vitest'
import { circumstancesOf, judging, type StageSaid, staged, stageOf } from '../testing/evidence.ts'
import { recordScenario } from './scenario-result.ts'

/** Returns the result of a journey mix. */
function recorded(said: StageSaid) {
  const { evidence, recorder } = judging('journey-mix')
  return recordScenario(
    { scenario: 'journey-mix', profile: 'smoke', startedAt: new Date(), milliseconds: 10 },
    {
      stages: staged(stageOf({ scenario: 'journey-mix', ...said })),
      circumstances: circumstancesOf('journey-mix'),
      judgement: { questions: [], claims: [], facts: [], plots: [] },
    },
    evidence,
    recorder,
  )
}

test('requests that a deployment counts by the company are counted once for colleagues', () => {
  const [first, colleague] = [
    { alias: 'burst', role: 'expendable', tenant: 'tenant-1' },
    { alias: 'colleague', role: 'expendable', tenant: 'tenant-2', colleagueOf: 'burst' },
  ]
  const counters = (v1: number, v2: number) => ({ requests: { v1, v2 }, bookings: {} })
  const countedWith = (...counts: [ReturnType<typeof counters>, ReturnType<typeof counters>]) =>
    recorded({
      senders: [first, colleague],
      counted: new Map([
        ['burst', counts[0]],
        ['colleague', counts[1]],
      ]),
    }).figures?.requests.counted
  expect(countedWith(counters(5, 5), counters(5, 5))).toBe(10)
  expect(countedWith(counters(0, 5), counters(5, 0))).toBe(10)
})
