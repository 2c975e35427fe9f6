import exec from 'k6/execution'
import { atOnce, optionsFor, type Pace, steadily } from './lib/executors.ts'
import { nextIteration, readPlan, setting } from './lib/iteration.ts'
import { type ApiVersion, probe, versionsOf } from './lib/journeys.ts'

// Does exactly the documented number of requests pass in a window?

/** Probes of one version by one sender. */
interface Part {
  pace: Pace
  version: ApiVersion
  /** The index of the sender in the plan. */
  sender: number
}

type Named = [name: string, part: Part | undefined]

const plan = readPlan()
const aliases = [...plan.senders].map(({ alias }) => alias)
const versions = versionsOf(plan)
const parts = partsOf(plan.stage)

export const options = optionsFor(
  Object.fromEntries(Object.entries(parts).map(([name, { pace }]) => [name, pace])),
  // Go silently resends a request if a reused connection dies, and here every request counts.
  { noConnectionReuse: true },
)

export default function () {
  const { pace, version, sender } = parts[exec.scenario.name]!
  probe(nextIteration(plan, pace, sender), version)
}

/** Returns the parts of a stage by name. @throws Error if there is no such stage or no sender for it */
function partsOf(stage: string): Record<string, Part> {
  const stages: Record<string, () => Named[]> = {
    'alone-v1': () => [['v1', burst('v1')]],
    'alone-v2': () => [['v2', burst('v2')]],
    'alone-v1-others': () => spared('v1', 'v2'),
    'alone-v2-others': () => spared('v2', 'v1'),
    together: () => versions.map(version => [version, burst(version)]),
    recovery: () => versions.map(version => [version, asks(version, 'burst')]),
    'a-day-later': () => versions.map(version => [version, asks(version, 'burst')]),
    overrun: () => versions.map(version => [version, overrun(version)]),
  }
  const there = (stages[stage]?.() ?? []).flatMap(([name, part]) =>
    part === undefined ? [] : [[name, part]],
  )
  if (there.length === 0) throw new Error(`There is no sender for the stage ${stage}: change the plan.`)
  return Object.fromEntries(there)
}

/** Returns a part, or undefined if its version or sender is missing. */
function part(version: ApiVersion, alias: string, pace: Pace): Part | undefined {
  const sender = aliases.indexOf(alias)
  return versions.includes(version) && sender !== -1 ? { pace, version, sender } : undefined
}

/** Returns a burst: as fast as possible, unless the plan limits requests per second. */
function burst(version: ApiVersion): Part | undefined {
  const { perSecond } = plan.settings
  const iterations = setting(plan, 'burst')
  const pace =
    perSecond === undefined
      ? atOnce({ clients: setting(plan, 'vus'), iterations })
      : steadily(perSecond, iterations, 10)
  return part(version, 'burst', pace)
}

function asks(version: ApiVersion, alias: string): Part | undefined {
  return part(version, alias, atOnce({ clients: 1, iterations: setting(plan, 'asks') }))
}

/** Returns the parts of senders that a burst in one version must not affect. */
function spared(version: ApiVersion, other: ApiVersion): Named[] {
  return [
    ['other-version', asks(other, 'burst')],
    ['other-company', asks(version, 'other')],
    ['colleague', asks(version, 'colleague')],
  ]
}

function overrun(version: ApiVersion): Part | undefined {
  const perMinute = setting(plan, 'overrunPerMinute')
  const rate = (perMinute * setting(plan, 'speed')) / 60
  const iterations = Math.round(perMinute * setting(plan, 'overrunMinutes'))
  return part(version, 'burst', steadily(rate, iterations, 1))
}
