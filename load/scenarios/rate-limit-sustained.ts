import exec from 'k6/execution'
import { optionsFor, steadily } from './lib/executors.ts'
import { nextIteration, readPlan, setting } from './lib/iteration.ts'
import { probe, versionsOf } from './lib/journeys.ts'

// Is a partner that keeps to the documented rate ever refused?
const plan = readPlan()
const [perMinute, minutes] = [setting(plan, 'perMinute'), setting(plan, 'minutes')]
const aliases = plan.senders.map(({ alias }) => alias)
const pace = steadily((perMinute * setting(plan, 'speed')) / 60, Math.round(perMinute * minutes), 1)

export const options = optionsFor(Object.fromEntries(versionsOf(plan).map(version => [version, pace])))

export default function () {
  const version = exec.scenario.name === 'v1' ? 'v1' : 'v2'
  const own = aliases.indexOf(`partner ${version}`)
  probe(nextIteration(plan, pace, Math.max(0, own)), version)
}
