import { expect, test } from 'vitest'
import { PassiveRules } from '../judge/passive-rules.ts'
import type { Settings } from '../plan/plan.ts'
import {
  circumstancesOf,
  exchangeFor,
  request,
  type StageSaid,
  staged,
  stageOf,
} from '../testing/evidence.ts'
import { recordScenario } from './scenario-result.ts'

/**
 * Returns the result of a journey mix with ten requests. One belongs to a judged journey, and its answer breaks a
 * rule.
 */
function recorded(settings: Settings, said: StageSaid = {}) {
  const drawn = exchangeFor(request(0, { op: 'v2 booking' }), { status: 404, json: {} })
  const others = Array.from({ length: 9 }, (_, at) => request(at + 1, { light: true }))
  const stage = stageOf({ scenario: 'journey-mix', requests: [request(0), ...others], settings, ...said })
  const rules = new PassiveRules()
  rules.observe(drawn)
  return recordScenario(
    { scenario: 'journey-mix', profile: 'smoke', startedAt: new Date(), milliseconds: 10 },
    {
      stages: staged(stage),
      circumstances: circumstancesOf('journey-mix', { settings }),
      judgement: { answers: [], facts: [], plots: [] },
    },
    rules,
    { write() {} },
  )
}

const messagesOf = ({ checks }: ReturnType<typeof recorded>) =>
  checks.flatMap(({ report }) => report.findings.map(({ message }) => message))

test('a run with a judged share states it, also in each finding', () => {
  const result = recorded({ judge: 0.1 })
  expect(result.figures?.facts).toEqual([
    { name: 'journeys whose answers were judged, and not only counted', value: '10 % (1 of 10 requests)' },
  ])
  expect(messagesOf(result).length).toBeGreaterThan(0)
  for (const message of messagesOf(result)) expect(message).toContain('(10 % of the journeys were judged)')
})

test('a run that judges everything states no share', () => {
  const result = recorded({})
  expect(result.figures?.facts).toEqual([])
  for (const message of messagesOf(result)) expect(message).not.toContain('judged')
})

test('requests that a deployment counts by the company are counted once for colleagues', () => {
  const [first, colleague] = [
    { alias: 'burst', role: 'expendable', tenant: 'tenant-1' },
    { alias: 'colleague', role: 'expendable', tenant: 'tenant-2', colleagueOf: 'burst' },
  ]
  const counters = (v1: number, v2: number) => ({ requests: { v1, v2 }, bookings: {} })
  const countedWith = (...counts: [ReturnType<typeof counters>, ReturnType<typeof counters>]) =>
    recorded(
      {},
      {
        senders: [first, colleague],
        counted: new Map([
          ['burst', counts[0]],
          ['colleague', counts[1]],
        ]),
      },
    ).figures?.requests.counted
  expect(countedWith(counters(5, 5), counters(5, 5))).toBe(10)
  expect(countedWith(counters(0, 5), counters(5, 0))).toBe(10)
})
