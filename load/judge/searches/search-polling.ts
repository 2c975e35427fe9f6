import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import type { Operation } from '../../../fixtures/ground/logged.ts'
import type { Fact, Plot } from '../../../fixtures/ground/record-load.ts'
import type { StageEvidence } from '../../read/evidence.ts'
import { METRIC } from '../../scenarios/lib/output.ts'
import { distributionPlot, quantilesOf } from '../figures/figures.ts'
import { blocked, type Judge, type Judgement, kept, notExercised, type Open } from '../judge.ts'
import { isServed, tallied } from '../timeouts.ts'

/** The clauses of the scenario. */
export const POLLING_CLAUSES: readonly ClauseId[] = ['V2-HOTEL-SEARCH-START', 'V2-HOTEL-SEARCH-POLL']

/**
 * Asks whether each hotel search of v2 can be read until it ends, and measures the duration of all. No version promises a duration, so
 * that is a fact.
 */
export const judgeSearchPolling: Judge = stages => {
  const stage = stages.get('search-polling')
  const sent = (op: Operation) => stage?.requests.some(row => row.op === op) === true
  const [v1, v2] = [sent('v1 hotel search'), sent('v2 hotel search')]
  const plots = stage === undefined ? [] : plotsOf(stage)
  const judgement: Judgement = { questions: [], claims: [], facts: [], plots }
  // If no search was sent, the check says so.
  if (v2 || !v1) {
    // Those that are refused, the model finds.
    if (stage?.requests.some(row => row.op === 'v2 hotel poll' && isServed(row)))
      judgement.claims.push(kept('V2-HOTEL-SEARCH-POLL'))
    const title = 'a hotel search is started with a reference, and read under it until it ends'
    judgement.questions.push({ title, clauses: POLLING_CLAUSES, whyOpen: () => whyOpen(stage) })
    if (stage !== undefined) judgement.facts.push(...factsOf(stage, 'v2 hotel search', ''))
  }
  if (stage !== undefined && v1) judgement.facts.push(...factsOf(stage, 'v1 hotel search', 'v1: '))
  return judgement
}

function whyOpen(stage: StageEvidence | undefined): Open {
  const starts = stage?.requests.filter(({ op }) => op === 'v2 hotel search') ?? []
  const polls = stage?.requests.filter(({ op }) => op === 'v2 hotel poll') ?? []
  if (starts.length === 0) return notExercised('no search was started')
  if (!starts.some(isServed)) return blocked(`no search could be started (${tallied(starts)})`)
  if (polls.length > 0) return blocked(`no search could be read (${tallied(polls)})`)
  return notExercised(
    'no search had a reference that could be read (shapes.hotels.searchId of the definition)',
  )
}

/** Returns the values of a metric, for one version or all searches. */
const valuesOf = ({ measures }: StageEvidence, name: string, op?: Operation): number[] =>
  (measures.get(name) ?? [])
    .filter(({ tags }) => op === undefined || (tags.op ?? 'v2 hotel search') === op)
    .map(({ value }) => value)

function* factsOf(stage: StageEvidence, op: Operation, prefix: string): Generator<Fact> {
  const sumOf = (name: string): number => valuesOf(stage, name, op).reduce((sum, value) => sum + value, 0)
  const ended = valuesOf(stage, METRIC.searchFinish, op)
  const finish = quantilesOf(ended)
  const polled = valuesOf(stage, METRIC.searchPolls, op)
  const polls = quantilesOf(polled)
  yield { name: `${prefix}searches that ended`, value: ended.length }
  yield { name: `${prefix}searches that were given up`, value: sumOf(METRIC.searchUnfinished) }
  for (const name of finish === null ? [] : shownOf(ended.length)) {
    yield {
      name: `${prefix}time until a search ended, ${name}`,
      value: Math.round(finish![name]),
      unit: 'ms',
    }
  }
  for (const name of polls === null ? [] : shownOf(polled.length))
    yield { name: `${prefix}polls of a search, ${name}`, value: polls![name] }
}

/** The number of searches that a 95th percentile takes. */
const TELLING = 20

const shownOf = (searches: number): ('p50' | 'p95' | 'max')[] =>
  searches < TELLING ? ['p50', 'max'] : ['p50', 'p95', 'max']

function plotsOf(stage: StageEvidence): Plot[] {
  const finish = distributionPlot(
    'Time until a search ended',
    'searches',
    valuesOf(stage, METRIC.searchFinish),
  )
  return finish === null ? [] : [finish]
}
