import { join } from 'node:path'
import { quantilesOf } from '../judge/quantile.ts'
import { bundleScenario } from '../plan/bundle.ts'
import type { Sender } from '../plan/plan.ts'
import { readSamples, type Samples } from '../read/samples.ts'
import { RAW, runK6 } from '../run/k6-process.ts'
import { METRIC, type Operation } from '../scenarios/lib/output.ts'
import { clocked } from './clocked.ts'
import type { Contestant, Pace, Said } from './heat.ts'
import { closedModel } from './summary.ts'

/** Calls of the mix that every tool can make: none of them needs an earlier answer. */
const LOOKING: ReadonlySet<Operation> = new Set<Operation>([
  'v1 probe',
  'v2 transfer catalog',
  'v2 ticket catalog',
  'v2 ticket brands',
  'v2 hotel destinations',
  'v2 transfer availability',
  'v2 ticket availability',
  'v2 hotel search',
])

/** Stages of five seconds and more have k6's dashboard, and so have ours. */
const WITH_DASHBOARD = 5
/** Journeys a second, more than can be made: when one was due is told for as many as the plan has. */
const MORE_THAN_ENOUGH = 1000

/** The journey mix, as `tss load` has k6 run it: every sample and every answer is written down. */
export const ours = (k6: string): Contestant => ({
  name: 'our mix',
  async run({ baseUrl, tenants, nonce, goods, dir, pace }) {
    const program = clocked([k6], dir)
    const raw = join(dir, 'raw')
    const senders = tenants.map(
      ({ tenant }, index): Sender => ({ alias: `company ${index + 1}`, role: 'standard', tenant }),
    )
    const memory = program.watchMemory()
    await runK6({
      k6: program.path,
      script: await bundleScenario('journey-mix'),
      plan: {
        scenario: 'journey-mix',
        stage: 'journey-mix',
        baseUrl,
        senders,
        ...goods,
        settings: { ...goods.settings, ...paceOf(pace) },
        nonce,
        logEvery: 1,
      },
      tokens: tenants.map(({ token }) => token),
      dir: raw,
      args: closedModel(pace),
    })
    const samples = await readSamples(join(raw, RAW.samples))
    return { said: said(samples, pace.rate !== undefined), program, memory: memory.stop() }
  },
})

const paceOf = ({ rate, seconds }: Pace) =>
  rate === undefined
    ? { rate: MORE_THAN_ENOUGH, duration: Math.max(seconds, WITH_DASHBOARD) }
    : { rate, duration: seconds }

function said({ requests, measures, iterations, span }: Samples, open: boolean): Said {
  const latencyOf = (rows: Samples['requests']) => quantilesOf(rows.map(({ took }) => took))!
  const due = (measures.get(METRIC.fromSchedule) ?? []).filter(({ tags }) => tags.op !== 'journey')
  return {
    sent: requests.length,
    failed: requests.filter(({ status }) => (status < 200 || status >= 300) && status !== 409).length,
    seconds: (span!.to - span!.from) / 1000,
    latency: latencyOf(requests),
    looking: latencyOf(requests.filter(({ op }) => LOOKING.has(op))),
    journeys: { ended: iterations.completed, dropped: iterations.dropped },
    ...(open ? { due: quantilesOf(due.map(({ value }) => value))! } : {}),
  }
}
