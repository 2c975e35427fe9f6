import exec from 'k6/execution'
import { type ApiVersion, probe, versionsOf } from '../lib/catalogs.ts'
import { atOnce, optionsFor, type Pace, steadily } from '../lib/executors.ts'
import { readPlan, senderCalled, setting } from '../lib/plan.ts'
import { takeTurn } from '../lib/turn.ts'

// Does exactly the documented number of requests pass in a window?

/** Probes of one version by one sender. */
interface Part {
  pace: Pace
  version: ApiVersion
  /** Alias of the sender. */
  who: string
  /** Whether to be refused for too many requests is fine. */
  mayBeLimited: boolean
}

const plan = readPlan('rate-limit-burst')
const parts = partsOf(plan.stage)

export const options = optionsFor(
  Object.fromEntries(Object.entries(parts).map(([name, { pace }]) => [name, pace])),
  { http_req_failed: ['rate==0'] },
  // What a used connection leaves unanswered is silently sent again, and here every request counts.
  { noConnectionReuse: true },
)

export default function () {
  const { pace, version, who, mayBeLimited } = parts[exec.scenario.name]!
  probe(takeTurn(plan, pace, senderCalled(plan, who)), version, mayBeLimited ? [429] : [])
}

function partsOf(stage: string): Record<string, Part> {
  const versions = versionsOf(plan)
  const inEach = (part: (version: ApiVersion) => Part) =>
    Object.fromEntries(versions.map(version => [version, part(version)]))
  const burst = (version: ApiVersion): Part => ({
    pace: atOnce({ clients: setting(plan, 'vus'), iterations: setting(plan, 'burst') }),
    version,
    who: 'burst',
    mayBeLimited: true,
  })
  const asks = (version: ApiVersion, who: string): Part => ({
    pace: atOnce({ clients: 1, iterations: setting(plan, 'asks') }),
    version,
    who,
    mayBeLimited: false,
  })
  switch (stage) {
    case 'alone-v1':
      return { v1: burst('v1') }
    case 'alone-v2':
      return { v2: burst('v2') }
    case 'alone-v1-others':
      return spared('v1')
    case 'alone-v2-others':
      return spared('v2')
    case 'together':
      return inEach(burst)
    case 'recovery':
      return inEach(version => asks(version, 'burst'))
    case 'overrun':
      return inEach(overrun)
    default:
      throw new Error(`rate-limit-burst has no stage ${stage}: plan one that it has.`)
  }

  /** Who must not be limited by a burst of the sender in one version. */
  function spared(version: ApiVersion): Record<string, Part> {
    const other = version === 'v1' ? 'v2' : 'v1'
    const there = (alias: string) => plan.senders.some(sender => sender.alias === alias)
    return {
      ...(versions.includes(other) ? { 'other-version': asks(other, 'burst') } : {}),
      ...(there('other') ? { 'other-company': asks(version, 'other') } : {}),
      ...(there('colleague') ? { colleague: asks(version, 'colleague') } : {}),
    }
  }

  function overrun(version: ApiVersion): Part {
    const [perMinute, minutes] = [setting(plan, 'overrunPerMinute'), setting(plan, 'overrunMinutes')]
    const rate = (perMinute * setting(plan, 'speed')) / 60
    return { ...burst(version), pace: steadily(rate, Math.round(perMinute * minutes), 1) }
  }
}
