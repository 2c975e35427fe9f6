import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { httpControl } from '../../fixtures/deployments/control/http-control.ts'
import {
  DEFAULT_HOTELS,
  DEFAULT_PROBES,
  DEFAULT_TRANSFERS,
} from '../../fixtures/deployments/definition/defaults.ts'
import { DEFAULT_V1, v1PathsOf } from '../../fixtures/deployments/definition/defaults-v1.ts'
import type { Deployment } from '../../fixtures/deployments/definition/definition.ts'
import { launch } from '../../fixtures/deployments/embedded.ts'
import type { Control, Tenant, TenantWish } from '../../fixtures/ground/control.ts'
import { productIds } from '../../fixtures/ground/products.ts'
import { findK6 } from '../k6/index.ts'
import { bundleScenario } from '../plan/bundle.ts'
import type { Plan, ScenarioName } from '../plan/plan.ts'
import { type LoadExchange, type LoadFailure, readAnswerLog } from '../read/evidence.ts'
import { readSamples, type Samples } from '../read/read-stage.ts'
import { RAW, runK6 } from '../run/k6-process.ts'
import { type ReadySender, watching } from '../run/run-stages.ts'

/** The result of a stage. */
interface StageResult {
  plan: Plan
  samples: Samples
  answers: LoadExchange[]
  failures: LoadFailure[]
  /** The log of k6. */
  log: string
  /** Files that contain a credential. */
  leaks: string[]
  /** The deployment's counters, over all senders. */
  counted: { requests: number; bookings: number }
}

/** The days from a month ahead. */
const DAYS = Array.from({ length: 40 }, (_, index) =>
  new Date(Date.now() + (30 + index) * 86_400_000).toISOString().slice(0, 10),
)

const ONE = { adults: 1, children: 0 }
const PASSENGER = { name: 'Ada', surname: 'Example', type: 'adult' }
const PAX = { adult: 1, child: 0, infant: 0 }
const TRAVELER = { first_name: 'Ada', last_name: 'Example', phone: '+34600000001', nationality: 'ES' }

/** The open shapes of the embedded deployment. */
const SHAPES: Plan['shapes'] = {
  probes: DEFAULT_PROBES,
  v1Paths: v1PathsOf(DEFAULT_V1),
  asks: {
    'v2-transfers': DAYS.map(day => ({
      kind: 'transfers',
      request: { product_ids: [4101, 4102, 4103], from: day, to: day, pax: PAX },
      item: { travelers: [TRAVELER], logistics: DEFAULT_TRANSFERS.logistics },
    })),
    'v2-tickets': DAYS.map(day => ({
      kind: 'parkA',
      request: { product_ids: ['A2-2D-AD'], from: day, to: day, pax: PAX },
      item: { travelers: [TRAVELER] },
    })),
    'v2-hotels': DAYS.slice(2).map((checkOut, index) => ({
      kind: 'hotels',
      request: DEFAULT_HOTELS.search({
        destination: 1001,
        checkIn: DAYS[index]!,
        checkOut,
        rooms: [{ adults: 2, childAges: [] }],
      }),
      item: { travelers: [TRAVELER] },
      list: 'hotels',
    })),
    'v1-park-a': DAYS.map(date => ({
      kind: 'parkA',
      request: { product_id: 'A1-1D-AD', from_date: date, to_date: date },
      item: {
        product_id_adult: 'A1-1D-AD',
        ...ONE,
        date,
        pax: [{ ...PASSENGER, birthdate: '1990-01-15', nationality: 'ES' }],
      },
    })),
    'v1-park-b': DAYS.map(date => ({
      kind: 'parkB',
      request: { plu: 'B-1D-1P', from_date: date, to_date: date },
      item: { plu: 'B-1D-1P', ...ONE, date, DeliveryMethod: '92', pax: [PASSENGER] },
    })),
  },
}

export type K6Stages = Awaited<ReturnType<typeof openStages>>

/** Starts an embedded deployment for tests that run single stages. k6 may have to be fetched first. */
export async function openStages() {
  const { path: k6 } = await findK6()
  const { values, stop } = await launch()
  const control = httpControl(values.controlUrl) as Required<Control>
  const folder = mkdtempSync(join(tmpdir(), 'tss-stages-'))
  let runs = 0

  /** Mints a number of companies as `company 1`, `company 2` … */
  async function companies(count: number, wish: TenantWish = {}): Promise<Record<string, Tenant>> {
    const tenants = await Promise.all(Array.from({ length: count }, () => control.mint(wish)))
    return Object.fromEntries(tenants.map((tenant, index) => [`company ${index + 1}`, tenant]))
  }

  /**
   * Runs a stage with tenants by alias. `speed` is that of the tenants' clocks. @throws K6Failed if k6 fails
   */
  async function run(
    scenario: ScenarioName,
    settings: Plan['settings'],
    senders: Readonly<Record<string, Tenant>>,
    { speed = 1, ...more }: Partial<Plan> & { speed?: number } = {},
  ): Promise<StageResult> {
    const plan: Plan = {
      scenario,
      stage: scenario,
      baseUrl: values.baseUrl,
      settings,
      senders: Object.entries(senders).map(([alias, { tenant }]) => ({ alias, role: 'standard', tenant })),
      products: productIds,
      shapes: SHAPES,
      nonce: `run${++runs}`,
      ...more,
    }
    const tokens = Object.values(senders).map(({ token }) => token)
    const dir = join(folder, String(runs))
    const before = await counted(senders)
    const script = await bundleScenario(scenario)
    const deployment = { control } as unknown as Deployment
    const clocks = watching(deployment, plan.senders as ReadySender[], speed)
    await runK6({ k6, script, plan, tokens, dir }).finally(clocks.stop)
    const after = await counted(senders)
    return {
      plan,
      counted: {
        requests: after.requests - before.requests,
        bookings: after.bookings - before.bookings,
      },
      ...(await outputOf(dir, plan, tokens)),
    }
  }

  async function close(): Promise<void> {
    await stop()
    rmSync(folder, { recursive: true })
  }

  async function counted(senders: Readonly<Record<string, Tenant>>): Promise<StageResult['counted']> {
    const tenants = new Set(Object.values(senders).map(({ tenant }) => tenant))
    const counters = await Promise.all([...tenants].map(tenant => control.counters(tenant)))
    return {
      requests: sum(counters.map(({ requests }) => requests.v1 + requests.v2)),
      bookings: sum(counters.flatMap(({ bookings }) => Object.values(bookings))),
    }
  }

  return { control, companies, run, close }
}

/** Reads the output of a stage. */
async function outputOf(
  dir: string,
  plan: Plan,
  tokens: readonly string[],
): Promise<Omit<StageResult, 'plan' | 'counted'>> {
  const answers: LoadExchange[] = []
  const failures: LoadFailure[] = []
  await readAnswerLog(
    join(dir, RAW.answers),
    { ...plan, check: plan.scenario, nextId: () => `x${answers.length}` },
    answer => ('response' in answer ? answers.push(answer) : failures.push(answer)),
  )
  return {
    samples: await readSamples(join(dir, RAW.samples)),
    answers,
    failures,
    log: readFileSync(join(dir, RAW.log), 'utf8'),
    leaks: readdirSync(dir).filter(file => {
      const text = readFileSync(join(dir, file), 'utf8')
      return tokens.some(token => text.includes(token))
    }),
  }
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)
