import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import type { Fact, Plot } from '../../../fixtures/ground/record-load.ts'
import type { LoadExchange, PagedAnswer, RequestRow, StageEvidence } from '../../read/evidence.ts'
import { METRIC, type Operation } from '../../scenarios/lib/output.ts'
import { distributionPlot, quantilesOf } from '../figures/figures.ts'
import {
  answered,
  blocked,
  broken,
  type Decision,
  type Judge,
  type Judgement,
  kept,
  notExercised,
  showing,
} from '../judge.ts'
import { isLimited, isServed, tallied } from '../timeouts.ts'

const PAGED = {
  goesOn: 'V1-HOTEL-SEARCH-CONTINUE',
  ends: 'V1-HOTEL-SEARCH-ENDS',
} as const

/** The promises of v1 about the course of polled searches. What they hold, the passive rules judge. */
const PAGED_CLAUSES: readonly ClauseId[] = Object.values(PAGED)

/** The time in milliseconds after which every search must have ended. Typically 10 to 30 seconds are enough. */
const SURELY_ENDED = 110_000

const SEARCH = 'v1 hotel search'

/** One v1 search: its answers with hotels in the order of sending, and its refusals. */
interface Followed {
  answers: (LoadExchange & { paged: PagedAnswer })[]
  refused: LoadExchange[]
}

/** Judges the paged searches of a stage. Each was polled until it ended, was refused, or was given up. */
export function judgePaged(stage: StageEvidence): Decision[] {
  const searches = searchesIn(stage)
  const polls = searches.flatMap(({ answers }) => answers.slice(1))
  const refused = searches.filter(one => one.refused.length > 0)
  const all = (decision: (clause: ClauseId) => Decision) => PAGED_CLAUSES.map(decision)
  const answered = [...stage.exchanges, ...stage.failures].some(({ op }) => op === SEARCH)
  if (!answered) return all(clause => notExercised(clause, 'no answer to a search of v1 was kept'))
  if (searches.length === 0) return all(clause => blocked(clause, 'no search of v1 could be started'))
  if (polls.length === 0 && refused.length === 0)
    return all(clause => notExercised(clause, 'every search of v1 ended with its first answer'))
  return [refused.length === 0 ? kept(PAGED.goesOn) : refusedIn(refused, polls.length), ends(searches)]
}

function refusedIn(searches: readonly Followed[], answered: number): Decision {
  const [first] = searches as [Followed]
  const [refusal] = first.refused as [LoadExchange]
  return broken(PAGED.goesOn, {
    tried: 'Continuing unfinished paged searches with their id_search',
    expected: 'the hotels found so far',
    observed: `${refusal.response.status}, for ${searches.length} of ${searches.length + answered} polls`,
    exchanges: [...first.answers.slice(-1), refusal],
  })
}

function ends(searches: readonly Followed[]): Decision {
  const lasted = ({ answers }: Followed): number =>
    Date.parse(answers.at(-1)!.startedAt) - Date.parse(answers[0]!.startedAt)
  const goesOn = searches.find(
    one => !one.answers.at(-1)!.paged.finished && one.refused.length === 0 && lasted(one) >= SURELY_ENDED,
  )
  if (goesOn !== undefined) {
    return broken(PAGED.ends, {
      tried: `Polling ${searches.length} paged searches`,
      expected: 'finish: true, typically after 10 to 30 seconds',
      observed: `finish: false after ${Math.round(lasted(goesOn) / 1000)} seconds`,
      exchanges: [goesOn.answers[0]!, goesOn.answers.at(-1)!],
    })
  }
  return searches.some(({ answers }) => answers.length > 1 && answers.at(-1)!.paged.finished)
    ? kept(PAGED.ends)
    : notExercised(PAGED.ends, 'no search of v1 was followed to its end')
}

/** Returns the searches, followed by the `id_search` of their answers. */
function searchesIn({ exchanges }: StageEvidence): Followed[] {
  const searches: Followed[] = []
  const known = new Map<string, Followed>()
  const nameOf = ({ sender }: LoadExchange, id: string) => JSON.stringify([sender.role, sender.tenant, id])
  for (const exchange of exchanges) {
    if (exchange.op !== SEARCH) continue
    const { paged } = exchange
    if (paged === undefined) {
      const search = known.get(nameOf(exchange, referenceOf(exchange)))
      const { status } = exchange.response
      if (status >= 400 && status < 500 && status !== 429) search?.refused.push(exchange)
      continue
    }
    const search =
      paged.continues === undefined
        ? { answers: [], refused: [] }
        : known.get(nameOf(exchange, paged.continues))
    if (search === undefined) continue
    if (paged.continues === undefined) searches.push(search)
    search.answers.push({ ...exchange, paged })
    if (paged.id !== undefined) known.set(nameOf(exchange, paged.id), search)
  }
  return searches
}

/** Returns the `id_search` of a request; empty if it starts a search. */
const referenceOf = ({ request }: LoadExchange): string =>
  /"id_search"\s*:\s*"([^"\\]+)"/.exec(Buffer.from(request.body ?? []).toString())?.[1] ?? ''

const CLAUSES = { start: 'V2-HOTEL-SEARCH-START', poll: 'V2-HOTEL-SEARCH-POLL' } as const

/** The clauses of the scenario, whichever versions are sold. */
export const POLLING_CLAUSES: readonly ClauseId[] = [...Object.values(CLAUSES), ...PAGED_CLAUSES]

/**
 * Judges whether each hotel search can be read until it ends, and measures its duration. No version promises a duration, so
 * that is a fact.
 */
export const judgeSearchPolling: Judge = stages => {
  const stage = stages.get('search-polling')
  const sent = (op: Operation) => stage?.requests.some(row => row.op === op) === true
  const [v1, v2] = [sent('v1 hotel search'), sent('v2 hotel search')]
  const judgement: Judgement = { answers: [], facts: [], plots: stage === undefined ? [] : plotsOf(stage) }
  // If no search was sent, the check says so.
  if (v2 || !v1) {
    const title = 'a hotel search is started with a reference, and read under it until it ends'
    judgement.answers.push(answered(title, decide(stage)))
    if (stage !== undefined) judgement.facts.push(...factsOf(stage, 'v2 hotel search', ''))
  }
  if (stage !== undefined && v1) {
    const title = 'a paged search of v1 goes on under its reference, and ends'
    judgement.answers.push(answered(title, judgePaged(stage)))
    judgement.facts.push(...factsOf(stage, 'v1 hotel search', 'v1: '))
  }
  return judgement
}

const isRefused = (row: RequestRow): boolean => row.status >= 400 && row.status < 500 && !isLimited(row)

function decide(stage: StageEvidence | undefined): Decision[] {
  const starts = stage?.requests.filter(({ op }) => op === 'v2 hotel search') ?? []
  const polls = stage?.requests.filter(({ op }) => op === 'v2 hotel poll') ?? []
  const both = (decision: (clause: Decision['clause']) => Decision) => Object.values(CLAUSES).map(decision)
  if (stage === undefined || starts.length === 0)
    return both(clause => notExercised(clause, 'no search was started'))
  if (!starts.some(isServed))
    return both(clause => blocked(clause, `no search could be started (${tallied(starts)})`))
  if (polls.length === 0) {
    return both(clause =>
      notExercised(
        clause,
        'no search had a reference that could be read (shapes.hotels.searchId of the definition)',
      ),
    )
  }
  if (!polls.some(isServed))
    return both(clause => blocked(clause, `no search could be read (${tallied(polls)})`))
  const refused = polls.filter(isRefused)
  if (refused.length === 0) return both(kept)
  const wasRefused = broken(CLAUSES.poll, {
    tried: `Polling ${starts.filter(isServed).length} hotel searches that were started and not finished`,
    expected: 'results for each',
    observed: `${tallied(refused)} for ${refused.length} of ${polls.length} polls`,
    exchanges: showing(
      stage,
      ({ op, response }) =>
        op === 'v2 hotel poll' && response.status >= 400 && response.status < 500 && response.status !== 429,
    ),
  })
  return [kept(CLAUSES.start), wasRefused]
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
