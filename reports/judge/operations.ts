import { ENDPOINTS, type EndpointId } from '../../fixtures/ground/endpoints.ts'
import type { OperationAnswers, RunRecord } from '../../fixtures/ground/record.ts'
import type { CallFigures, ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import { add, counted, type Histogram, quantile } from '../../fixtures/ground/time.ts'
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

/** Fewer failed requests of a call or version may be a supplier's bad moment. */
const ENOUGH = 5

/** Statuses with which a market, or the state of a booking, may legally answer every request of a call. */
const REFUSALS = ['400', '409', '410']

/** Returns what a load scenario failed to show, one sentence each. */
export function silenceOf(scenario: ScenarioFigures): string[] {
  const { name, requests, calls } = scenario
  if (requests.sent === 0) return [`Nothing was sent in ${name}.`]
  const sent = calls.filter(call => call.op !== 'journey' && call.sent > 0)
  const all = unserved(sent, 1)
  if (all !== undefined) return [`Nobody was served in ${name}: ${all}.`]
  const versions = ['v1', 'v2'].map(
    version => [version, sent.filter(({ op }) => op.startsWith(version))] as const,
  )
  const parts = versions.flatMap(([version, own]) => {
    const whole = unserved(own, ENOUGH)
    if (whole !== undefined) return [`Nobody was served by ${version} in ${name}: ${whole}.`]
    return own.flatMap(call => {
      const one = unserved([call], ENOUGH)
      return one === undefined ? [] : [`No ${call.op} was served in ${name}: ${one}.`]
    })
  })
  const outcomes = outcomesOf(sent)
  const failed = sumOf(outcomes.filter(([outcome]) => !isFine(outcome) && outcome !== '429'))
  // The scenario breakpoint is meant to break the deployment.
  const isMost = failed * 2 > sumOf(outcomes) && name !== 'breakpoint'
  return parts.length > 0 || !isMost ? parts : [`Most of ${name} was not served: ${inWords(outcomes)}.`]
}

/** Returns the failures of some calls if all failed and there were enough; otherwise `undefined`. */
function unserved(calls: readonly CallFigures[], least: number): string | undefined {
  const outcomes = outcomesOf(calls)
  const isServed = outcomes.some(([outcome]) => isFine(outcome))
  return sumOf(outcomes) < least || isServed ? undefined : inWords(outcomes)
}

type Outcomes = readonly (readonly [outcome: string, count: number])[]

/** Returns the count of each outcome of some calls. */
const outcomesOf = (calls: readonly CallFigures[]): Outcomes =>
  [
    ...Map.groupBy(
      calls.flatMap(({ outcomes }) => Object.entries(outcomes)),
      ([outcome]) => outcome,
    ),
  ].map(([outcome, some]) => [outcome, sumOf(some)])

const sumOf = (outcomes: Outcomes): number => outcomes.reduce((sum, [, count]) => sum + count, 0)
const isFine = (outcome: string): boolean => /^2\d\d$/.test(outcome) || REFUSALS.includes(outcome)
const inWords = (outcomes: Outcomes): string =>
  outcomes.map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
