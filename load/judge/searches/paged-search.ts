import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import type { LoadExchange, PagedAnswer, StageEvidence } from '../../read/evidence.ts'
import { blocked, broken, type Decision, kept, notExercised } from '../decision.ts'

const CLAUSES = {
  goesOn: 'V1-HOTEL-SEARCH-CONTINUE',
  grows: 'V1-HOTEL-SEARCH-CUMULATIVE',
  ends: 'V1-HOTEL-SEARCH-ENDS',
} as const

/** The promises of v1 about polled searches. */
export const PAGED_CLAUSES: readonly ClauseId[] = Object.values(CLAUSES)

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
  return [
    refused.length === 0 ? kept(CLAUSES.goesOn) : refusedIn(refused, polls.length),
    polls.length === 0 ? notExercised(CLAUSES.grows, 'no search of v1 could be continued') : grows(searches),
    ends(searches),
  ]
}

function refusedIn(searches: readonly Followed[], answered: number): Decision {
  const [first] = searches as [Followed]
  const [refusal] = first.refused as [LoadExchange]
  return broken(CLAUSES.goesOn, {
    tried: 'Continuing unfinished paged searches with their id_search',
    expected: 'the hotels found so far',
    observed: `${refusal.response.status}, for ${searches.length} of ${searches.length + answered} polls`,
    exchanges: [...first.answers.slice(-1), refusal],
  })
}

function grows(searches: readonly Followed[]): Decision {
  for (const { answers } of searches) {
    for (const [index, answer] of answers.entries()) {
      const before = answers[index - 1]
      if (before === undefined) continue
      const now = new Set(answer.paged.hotels)
      const lost = before.paged.hotels.filter(hotel => !now.has(hotel)).length
      if (lost === 0) continue
      return broken(CLAUSES.grows, {
        tried: 'Continuing paged searches',
        expected: 'all hotels found so far',
        observed: `${lost} of ${before.paged.hotels.length} hotels of the previous answer are missing`,
        exchanges: [before, answer],
      })
    }
  }
  return kept(CLAUSES.grows)
}

function ends(searches: readonly Followed[]): Decision {
  const lasted = ({ answers }: Followed): number =>
    Date.parse(answers.at(-1)!.startedAt) - Date.parse(answers[0]!.startedAt)
  const goesOn = searches.find(
    one => !one.answers.at(-1)!.paged.finished && one.refused.length === 0 && lasted(one) >= SURELY_ENDED,
  )
  if (goesOn !== undefined) {
    return broken(CLAUSES.ends, {
      tried: `Polling ${searches.length} paged searches`,
      expected: 'finish: true, typically after 10 to 30 seconds',
      observed: `finish: false after ${Math.round(lasted(goesOn) / 1000)} seconds`,
      exchanges: [goesOn.answers[0]!, goesOn.answers.at(-1)!],
    })
  }
  return searches.some(({ answers }) => answers.length > 1 && answers.at(-1)!.paged.finished)
    ? kept(CLAUSES.ends)
    : notExercised(CLAUSES.ends, 'no search of v1 was followed to its end')
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
