import { DEFAULT_V1 } from '../../fixtures/deployments/definition/defaults-v1.ts'
import type { Deployment } from '../../fixtures/deployments/definition/definition.ts'
import type { Product } from '../../fixtures/ground/control.ts'
import type { Plan, ScenarioName, Settings } from '../plan/plan.ts'
import { planScenario } from '../plan/plan-scenario.ts'
import type { ScenarioPlan } from '../plan/scenario-plan.ts'

/** Returns the plan of a stage in which one sender browses, with differences. */
export const planOf = (different: Partial<Plan> = {}): Plan => ({
  scenario: 'journey-mix',
  stage: 'journey-mix',
  baseUrl: 'http://127.0.0.1:1',
  settings: { rate: 4, duration: 1 },
  senders: [{ alias: 'first', role: 'standard' }],
  products: [],
  shapes: {
    probes: { v1: { method: 'GET', path: '/api/v1/p' }, v2: { method: 'GET', path: '/api/v2/p' } },
    asks: {},
  },
  nonce: 'n0nce',
  ...different,
})

interface Wish {
  settings: Settings
  products?: Product[]
  maxRate?: number
  limit?: number
  mints?: boolean
  disposable?: boolean
  credentials?: Partial<Deployment['credentials']>
  onNotice?(sentence: string): void
}

/** Plans a scenario for a lasting deployment that mints, unless stated otherwise. */
export function planFor(scenario: ScenarioName, wish: Partial<Wish> = {}): ScenarioPlan {
  const {
    settings = {},
    products = ['v2-transfers'],
    maxRate,
    mints = true,
    disposable = false,
    credentials = {},
  } = wish
  const control = { async advanceClock() {}, ...(mints ? { async mint() {} } : {}) }
  const load = { allowed: true, ...(maxRate !== undefined && { maxRate }) }
  const deployment = {
    products,
    control,
    credentials,
    load,
    traffic: { perMinute: 500 },
    limits: wish.limit === undefined ? {} : { perMinute: wish.limit },
    disposable,
    shapes: DEFAULT_V1,
  }
  return planScenario({
    deployment: deployment as unknown as Deployment,
    scenario,
    settings,
    missing: new Map(),
    onNotice: wish.onNotice ?? (() => {}),
  })
}
