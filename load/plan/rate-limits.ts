import { notExercised } from '../../fixtures/check/evidence/assume.ts'
import { DOCUMENTED_LIMIT } from '../../fixtures/service/rate-limit.ts'
import { maxRateOf, mints, speedOf, versionsOf } from './allowance.ts'
import type { Settings } from './plan.ts'
import type { PlanInput, PlannedSender, Planner, StagePlan } from './scenario-plan.ts'

/** Seconds after which no kind of minute window counts a request, with one second for clock differences. */
const A_MINUTE = 61
/** In seconds. */
const A_DAY = 86_400

/** A longer burst says nothing about a limit per minute. */
const BURST_SECONDS = 30

/** Returns settings whose sizes are for the documented limit, for the one that the definition states. */
const forLimit = (settings: Settings, ...sizes: string[]): Settings =>
  Object.fromEntries(
    sizes.flatMap(name => {
      const size = settings[name]
      return size === undefined
        ? []
        : [[name, Math.round((size * (settings.limit ?? DOCUMENTED_LIMIT)) / DOCUMENTED_LIMIT)]]
    }),
  )

/**
 * Plans bursts above the limit. Each has its own credential if they can be minted, otherwise one that was silent
 * for a minute. Unaffected senders send in the same minute.
 */
export const rateLimitBurst: Planner = input => {
  const { settings, deployment, scenario } = input
  const { overrunMinutes = 0 } = settings
  const { burst = 0, overrunPerMinute = 0 } = forLimit(settings, 'burst', 'overrunPerMinute')
  const versions = versionsOf(input)
  const maxRate = maxRateOf(input)
  if (maxRate < (versions.length * burst) / BURST_SECONDS) {
    throw notExercised(
      `a burst is ${burst} requests of each version within ${BURST_SECONDS} seconds, and load.maxRate of the definition allows ${maxRate} a second`,
    )
  }
  if (maxRate < Number.POSITIVE_INFINITY) {
    input.onNotice(
      `${scenario}: bursts are of no more than ${maxRate} requests a second, which is what load.maxRate of the definition allows.`,
    )
  }
  const paced = (perSecond: number): { settings?: Settings } =>
    perSecond < Number.POSITIVE_INFINITY ? { settings: { perSecond } } : {}
  const stages: StagePlan[] = []
  for (const version of versions) {
    const sender = burstSender(input, `alone-${version}`)
    stages.push({ name: `alone-${version}`, ...quiet(input, sender), ...paced(maxRate) })
    const others = [sender, ...bystanders(input, sender)]
    if (others.length > 1 || versions.length > 1)
      stages.push({ name: `alone-${version}-others`, senders: others })
  }
  const both = burstSender(input, 'together')
  stages.push(
    { name: 'together', ...quiet(input, both), ...paced(maxRate / versions.length) },
    {
      name: 'recovery',
      senders: [both],
      silence: { seconds: A_MINUTE, why: 'after a 429, nothing may be sent for a minute' },
    },
  )
  // Rate limits may use another clock than the one that is moved; then moving it has no effect.
  if (deployment.control.advanceClock !== undefined) {
    const silence = { seconds: A_DAY, why: 'no limit counts requests of the day before' }
    stages.push({ name: 'a-day-later', senders: [both], silence })
  }
  const speed = Math.min(speedOf(input), (maxRate * 60) / (versions.length * overrunPerMinute))
  if (overrunMinutes > 0) {
    const intendedRate = (versions.length * overrunPerMinute * speed) / 60
    const sender = burstSender(input, 'overrun')
    stages.push({ name: 'overrun', ...quiet(input, sender), speed, settings: { speed }, intendedRate })
  }
  return {
    settings: { ...settings, burst, overrunPerMinute, speed },
    minted: mints(deployment),
    timeScale: speed,
    stages,
  }
}

/** Returns the sender that may exceed a limit. */
function burstSender({ deployment }: PlanInput, stage: string): PlannedSender {
  const { credentials, exhaustStandard } = deployment
  const standard = !mints(deployment) && credentials.expendable === undefined && exhaustStandard
  return { id: `burst of ${stage}`, alias: 'burst', role: standard ? 'standard' : 'expendable' }
}

/** Makes an existing sender wait for a minute first. */
const quiet = ({ deployment }: PlanInput, sender: PlannedSender): Pick<StagePlan, 'senders' | 'silence'> => ({
  senders: [sender],
  ...(mints(deployment)
    ? {}
    : { silence: { seconds: A_MINUTE, why: 'a burst needs a minute without requests before it' } }),
})

/** Returns the senders that another's burst must not affect, as far as there are any. */
function bystanders({ deployment }: PlanInput, { id, role }: PlannedSender): PlannedSender[] {
  const other = (role: string): PlannedSender => ({ id: `other beside ${id}`, alias: 'other', role })
  if (mints(deployment)) {
    return [
      other('otherCompany'),
      { id: `colleague of ${id}`, alias: 'colleague', role: 'expendable', colleagueOf: id },
    ]
  }
  if (deployment.credentials.otherCompany !== undefined) return [other('otherCompany')]
  return role === 'standard' ? [] : [other('standard')]
}

/**
 * Plans partners a little below the limit, one per version: so a counter shared by both versions is not taken for a
 * low limit. A definition with a single credential uses it for both.
 */
export const rateLimitSustained: Planner = input => {
  const { settings, deployment } = input
  const { perMinute = 0 } = forLimit(settings, 'perMinute')
  const versions = versionsOf(input)
  const speed = speedOf(input)
  const rate = (versions.length * perMinute * speed) / 60
  const maxRate = maxRateOf(input)
  if (rate > maxRate) {
    throw notExercised(
      `${perMinute} requests a minute of ${versions.join(' and ')} are ${rate} a second, and load.maxRate of the definition allows ${maxRate}`,
    )
  }
  const minted = mints(deployment)
  if (!minted && perMinute > deployment.traffic.perMinute) {
    throw notExercised(
      `${perMinute} requests a minute are more than the ${deployment.traffic.perMinute} that traffic.perMinute of the definition allows`,
    )
  }
  const senders = versions.map((version, index): PlannedSender => {
    const other = index > 0 && !minted && deployment.credentials.otherCompany !== undefined
    const alias = `partner ${version}`
    return { id: alias, alias, role: other ? 'otherCompany' : 'standard' }
  })
  const silence = { seconds: A_MINUTE, why: 'earlier requests must not count' }
  const sustained: StagePlan = {
    name: 'sustained',
    senders,
    ...(minted ? {} : { silence }),
    speed,
    settings: { speed },
    intendedRate: rate,
  }
  return { settings: { ...settings, perMinute, speed }, minted, timeScale: speed, stages: [sustained] }
}
