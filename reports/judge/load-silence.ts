import type { CallFigures, ScenarioFigures } from '../../fixtures/ground/record-load.ts'

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
