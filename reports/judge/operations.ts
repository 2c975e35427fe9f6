import { add, counted, type Histogram, quantile } from '../../fixtures/ground/durations.ts'
import { ENDPOINTS, type EndpointId } from '../../fixtures/ground/endpoints.ts'
import type { OperationAnswers, RunRecord } from '../../fixtures/ground/record.ts'
import { BODIES } from '../../fixtures/service/bodies.ts'
import { ERRORS } from '../../fixtures/service/errors.ts'
import type { Judgement } from './judge-check.ts'

/** Statuses that every operation may answer: for a wrong method, and above the rate limit. */
const EVERYWHERE = [405, 429]

/** Counts the answers in checks by operation and status, including documented ones that did not occur. */
export function operationsOf(judgements: readonly Pick<Judgement, 'check'>[]): OperationAnswers[] {
  const seen = new Map<string, number>()
  for (const { check } of judgements) {
    for (const [answer, count] of Object.entries(check.report?.answers ?? {}))
      seen.set(answer, (seen.get(answer) ?? 0) + count)
  }
  const durations = durationsOf(judgements)
  return ENDPOINTS.flatMap(({ id, method, path }) => {
    const counts = new Map(
      [...seen].flatMap(([answer, count]) => {
        const status = answer.slice(answer.lastIndexOf(' ') + 1)
        return answer === `${id} ${status}` ? [[Number(status), count] as const] : []
      }),
    )
    if (counts.size === 0) return []
    const documented = documentedStatuses(id, [...counts.keys()])
    const statuses = [...new Set([...counts.keys(), ...documented])].sort((a, b) => a - b)
    return [
      {
        operation: path === null ? id : `${method} ${path}`,
        ...latencyOf(durations.get(id)),
        answers: statuses.map(status => ({
          status,
          count: counts.get(status) ?? 0,
          documented: documented.has(status),
        })),
      },
    ]
  })
}

function durationsOf(judgements: readonly Pick<Judgement, 'check'>[]): Map<string, Histogram> {
  const sums = new Map<string, Histogram>()
  for (const { check } of judgements) {
    for (const [id, histogram] of Object.entries(check.report?.durations ?? {})) {
      const sum = sums.get(id) ?? {}
      add(sum, histogram)
      sums.set(id, sum)
    }
  }
  return sums
}

function latencyOf(histogram: Histogram | undefined): Pick<OperationAnswers, 'latency'> {
  if (histogram === undefined) return {}
  return {
    latency: {
      calls: counted(histogram),
      median: quantile(histogram, 0.5),
      p95: quantile(histogram, 0.95),
    },
  }
}

/** Returns the documented statuses of an endpoint. If only success is documented, any 2xx that occurred. */
function documentedStatuses(id: EndpointId, seen: readonly number[]): Set<number> {
  const names = [...Object.keys(BODIES[id].answers), ...Object.keys(ERRORS[id] ?? {})]
  const successes = names.includes('2XX') ? seen.filter(status => status >= 200 && status < 300) : []
  return new Set([...names.map(Number).filter(Number.isInteger), ...successes, ...EVERYWHERE])
}

/** Returns every status of these operations, sorted. */
export const statusesOf = (operations: readonly OperationAnswers[]): number[] =>
  [...new Set(operations.flatMap(({ answers }) => answers.map(({ status }) => status)))].sort((a, b) => a - b)

/** Returns the count of an answer, or a dash for a documented one that did not occur. */
export function answerText(answer: OperationAnswers['answers'][number] | undefined): string {
  if (answer === undefined) return ''
  return answer.count === 0 ? '–' : answer.count.toLocaleString('en')
}

/** Returns what checks observed where the document leaves the answer open. */
export const factsOf = ({ checks }: Pick<RunRecord, 'checks'>): string[] => [
  ...new Set(checks.flatMap(({ facts = [] }) => facts)),
]
