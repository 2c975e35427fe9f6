import type { Fact, Plot } from '../../fixtures/record-load.ts'
import type { RequestRow, StageEvidence } from '../read/evidence.ts'
import { METRIC } from '../scenarios/lib/output.ts'
import { answered, blocked, broken, type Decision, kept, notExercised, showing } from './decision.ts'
import type { Judge } from './judge.ts'
import { isLimited, tallied } from './outcomes.ts'
import { distributionPlot } from './plots.ts'
import { quantilesOf } from './quantile.ts'

const CLAUSES = { start: 'V2-HOTEL-SEARCH-START', poll: 'V2-HOTEL-SEARCH-POLL' } as const

/**
 * Judges how long hotel searches take, and whether each can be read until it ends. That results only grow is promised
 * of v1 alone, and how long a search may take of none: both are facts.
 */
export const judgeSearchPolling: Judge = stages => {
  const stage = stages.get('search-polling')
  return {
    answers: [
      answered('a hotel search is started with a reference, and read under it until it ends', decide(stage)),
    ],
    facts: stage === undefined ? [] : [...factsOf(stage)],
    plots: stage === undefined ? [] : plotsOf(stage),
  }
}

const isDone = ({ status }: RequestRow): boolean => status >= 200 && status < 300
const isRefused = (row: RequestRow): boolean => row.status >= 400 && row.status < 500 && !isLimited(row)

function decide(stage: StageEvidence | undefined): Decision[] {
  const starts = stage?.requests.filter(({ op }) => op === 'v2 hotel search') ?? []
  const polls = stage?.requests.filter(({ op }) => op === 'v2 hotel poll') ?? []
  const both = (decision: (clause: Decision['clause']) => Decision) => Object.values(CLAUSES).map(decision)
  if (stage === undefined || starts.length === 0)
    return both(clause => notExercised(clause, 'no search was started'))
  if (!starts.some(isDone))
    return both(clause => blocked(clause, `no search could be started (${tallied(starts)})`))
  if (polls.length === 0) {
    return both(clause =>
      notExercised(
        clause,
        'no search had a reference that could be read (shapes.hotels.searchId of the definition)',
      ),
    )
  }
  if (!polls.some(isDone))
    return both(clause => blocked(clause, `no search could be read (${tallied(polls)})`))
  const refused = polls.filter(isRefused)
  if (refused.length === 0) return both(kept)
  const wasRefused = broken(CLAUSES.poll, {
    tried: `Polling ${starts.filter(isDone).length} hotel searches that had been started and had not ended`,
    expected: 'the results of each',
    observed: `${tallied(refused)} to ${refused.length} of ${polls.length} polls`,
    exchanges: showing(
      stage,
      ({ op, response }) =>
        op === 'v2 hotel poll' && response.status >= 400 && response.status < 500 && response.status !== 429,
    ),
  })
  return [kept(CLAUSES.start), wasRefused]
}

const valuesOf = ({ measures }: StageEvidence, name: string): number[] =>
  (measures.get(name) ?? []).map(({ value }) => value)

const sumOf = (stage: StageEvidence, name: string): number =>
  valuesOf(stage, name).reduce((sum, value) => sum + value, 0)

function* factsOf(stage: StageEvidence): Generator<Fact> {
  const finish = quantilesOf(valuesOf(stage, METRIC.searchFinish))
  const polls = quantilesOf(valuesOf(stage, METRIC.searchPolls))
  yield { name: 'searches that ended', value: valuesOf(stage, METRIC.searchFinish).length }
  yield { name: 'searches that were given up', value: sumOf(stage, METRIC.searchUnfinished) }
  if (finish !== null) {
    for (const name of ['p50', 'p95', 'max'] as const) {
      yield { name: `time until a search ended, ${name}`, value: Math.round(finish[name]), unit: 'ms' }
    }
  }
  if (polls !== null) {
    for (const name of ['p50', 'p95', 'max'] as const)
      yield { name: `polls of a search, ${name}`, value: polls[name] }
  }
  yield { name: 'polls that showed fewer hotels than one before', value: sumOf(stage, METRIC.searchShrunk) }
}

function plotsOf(stage: StageEvidence): Plot[] {
  const finish = distributionPlot(
    'Time until a search ended',
    'searches',
    valuesOf(stage, METRIC.searchFinish),
  )
  const polls = pollsPlot(valuesOf(stage, METRIC.searchPolls))
  return [...(finish === null ? [] : [finish]), ...(polls === null ? [] : [polls])]
}

const MOST_BARS = 60

function pollsPlot(polls: readonly number[]): Plot | null {
  if (polls.length === 0) return null
  const [least, most] = polls.reduce(
    ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
    [polls[0]!, polls[0]!],
  )
  const width = Math.ceil((most - least + 1) / MOST_BARS)
  const bars = Array.from({ length: Math.ceil((most - least + 1) / width) }, (_, index) => ({
    from: least + index * width,
    to: least + (index + 1) * width,
    count: 0,
  }))
  for (const one of polls) bars[Math.floor((one - least) / width)]!.count++
  return { kind: 'bars', title: 'Polls of a search', x: 'polls', y: 'searches', bars }
}
