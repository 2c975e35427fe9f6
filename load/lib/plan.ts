import { ENV, type Plan, type ScenarioName, type Sender } from '../plan.ts'

/** What this process was told, with the credential of each sender beside it. */
export interface Briefing extends Plan {
  /** In the order of `senders`; empty where the process only looks at options. */
  tokens: readonly string[]
}

/**
 * Reads the plan out of the environment.
 *
 * @throws Error a sentence, where it is missing, not for this scenario, or has another number of credentials
 */
export function readPlan(scenario: ScenarioName): Briefing {
  const text = __ENV[ENV.plan] ?? openPlan(__ENV[ENV.planFile])
  const plan = parsed(text)
  if (plan.scenario !== scenario) {
    throw new Error(
      `The plan is for ${plan.scenario}, and was given to ${scenario}: run that script, or plan anew.`,
    )
  }
  const tokens = (__ENV[ENV.tokens] ?? '').split('\n').filter(line => line !== '')
  // k6 looks at the options of a script before anybody sends, and an archive is made where no credential is.
  if (__VU > 0 && tokens.length !== plan.senders.length) {
    throw new Error(
      `The plan has ${plan.senders.length} senders, and ${ENV.tokens} has ${tokens.length} credentials: set one a line, in the order of the senders.`,
    )
  }
  return { ...plan, baseUrl: plan.baseUrl.replace(/\/+$/, ''), tokens }
}

/** A setting of the scenario. @throws Error where the plan leaves it out */
export function setting({ settings, scenario }: Plan, name: string): number {
  const value = settings[name]
  if (value === undefined) throw new Error(`The plan for ${scenario} has no setting ${name}: add it.`)
  return value
}

/** Where a sender stands in the plan. @throws Error where nobody goes by that alias */
export function senderCalled(plan: Plan, alias: string): number {
  const index = plan.senders.findIndex((sender: Sender) => sender.alias === alias)
  if (index === -1) throw new Error(`The plan for ${plan.stage} has no sender ${alias}: add one.`)
  return index
}

function openPlan(path: string | undefined): string {
  if (path !== undefined && path !== '') return open(path)
  throw new Error(`There is no plan: set ${ENV.plan} to one in JSON, or ${ENV.planFile} to the path of one.`)
}

function parsed(text: string): Plan {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The plan is no JSON (${(error as Error).message}): write it anew.`)
  }
}
