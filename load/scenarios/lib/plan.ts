import { SharedArray } from 'k6/data'
import type { Buyer } from '../../../fixtures/client/sales.ts'
import type { Product } from '../../../fixtures/control.ts'
import { ENV, type Plan, type ScenarioName } from '../../plan/plan.ts'
import { clientAt } from './client.ts'

/** The plan of this process with the credentials of its senders. */
export interface Briefing extends Plan {
  /** In the order of `senders`; empty if the process only reads options. */
  tokens: readonly string[]
  /** Returns what the kit's client sends. */
  client: Buyer
}

/**
 * Reads the plan from the environment. Its long lists are shared by all clients, and their entries are copies.
 * @throws Error if it is missing, for another scenario, or has another number of credentials
 */
export function readPlan(scenario: ScenarioName): Briefing {
  const text = __ENV[ENV.plan] ?? openPlan(__ENV[ENV.planFile])
  const [short] = new SharedArray('plan', () => [withoutLists(planIn(text))])
  const plan: Plan = short!
  if (plan.scenario !== scenario) {
    throw new Error(
      `The plan is for ${plan.scenario}, but the script is ${scenario}: run the other script, or make a new plan.`,
    )
  }
  const senders = new SharedArray('senders', () => [...planIn(text).senders])
  const tokens = new SharedArray('tokens', () =>
    (__ENV[ENV.tokens] ?? '').split('\n').filter(line => line !== ''),
  )
  // k6 reads the options of a script before anybody sends, and archives are made without credentials.
  if (__VU > 0 && tokens.length !== senders.length) {
    throw new Error(
      `The plan has ${senders.length} senders, and ${ENV.tokens} has ${tokens.length} credentials: set one per line, in the order of the senders.`,
    )
  }
  const products = Object.keys(plan.shapes.asks) as Product[]
  const asks = products.map(product => [
    product,
    new SharedArray(product, () => [...(planIn(text).shapes.asks[product] ?? [])]),
  ])
  return {
    ...plan,
    baseUrl: plan.baseUrl.replace(/\/+$/, ''),
    senders,
    tokens,
    shapes: { ...plan.shapes, asks: Object.fromEntries(asks) },
    client: clientAt(plan.shapes.v1Paths),
  }
}

/** Returns a setting of the scenario. @throws Error if the plan lacks it */
export function setting({ settings, scenario }: Plan, name: string): number {
  const value = settings[name]
  if (value === undefined) throw new Error(`The plan for ${scenario} has no setting ${name}: add it.`)
  return value
}

function openPlan(path: string | undefined): string {
  if (path !== undefined && path !== '') return open(path)
  throw new Error(`There is no plan: set ${ENV.plan} to one in JSON, or ${ENV.planFile} to the path of one.`)
}

function planIn(text: string): Plan {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`The plan is no JSON (${(error as Error).message}): write it anew.`)
  }
}

const withoutLists = (plan: Plan): Plan => {
  const none = Object.keys(plan.shapes.asks).map(product => [product, []])
  return { ...plan, senders: [], shapes: { ...plan.shapes, asks: Object.fromEntries(none) } }
}
