import type { Clause } from '../../../fixtures/clauses/clause.ts'
import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { type NamedProxy, proxyOf, unreadProxy } from '../../../fixtures/deployments/address/index.ts'
import type { Deployment } from '../../../fixtures/deployments/definition/index.ts'
import {
  findDefinition,
  launchDeployment,
  loadDeployment,
  type Tested,
  testedBy,
  testedLine,
  unverified,
} from '../../../fixtures/deployments/loading/index.ts'
import {
  CONTROL_PARTS,
  type Control,
  FEATURE_FLAGS,
  type Features,
} from '../../../fixtures/ground/control.ts'
import { PROFILES, type Profile } from '../../../fixtures/ground/record.ts'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { print, printJson, say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../../fixtures/run/failure.ts'
import { kit } from '../../../fixtures/run/kit.ts'
import { cautionsOf, whyUnreachable } from '../../../fixtures/run/preflight/preflight.ts'
import { type RolesSeen, rolesSeen, toldOf } from '../../../fixtures/run/preflight/roles-seen.ts'
import { howToSupply } from '../../../fixtures/run/supply.ts'
import { presentK6 } from '../../../load/k6/index.ts'
import { asksFor, lacks, profileFor } from '../../../reports/judge/profile.ts'
import { clausesAndKinds, count, oneLine } from '../../../reports/render/plain.ts'
import { type Forecast, forecast } from './forecast.ts'

/** The milliseconds after which the user is told that the doctor still waits for answers. */
const SILENCE = 5000

/** Something missing for a profile, and the number of clauses that need it. */
interface Missing {
  supply: string
  clauses: number
}

/** The result, which `--json` prints. */
interface Diagnosis {
  machine: Machine
  deployment: {
    name: string
    baseUrl: string
    products: readonly string[]
    perMinute: number
    /** The names of the headers that every request has. */
    headers: readonly string[]
  } & Tested
  /** The proxy that requests go over, as the environment says. */
  proxy: NamedProxy | null
  canStart: boolean
  /** Why a run cannot start, in one sentence. */
  obstacle?: string
  roles: RolesSeen['roles']
  /**
   * The features that the definition states, true or false, for the account of the standard credential, and those it does
   * not state.
   */
  features: { stated: Partial<Features>; unstated: string[] }
  rateLimit: number | null
  control: { given: string[]; absent: string[] }
  /** What a run would miss for lack of time. */
  cautions: string[]
  /** The profile by which a run would be judged, and what the next one needs; `next` is `null` for `full`. */
  profile: { name: Profile; next: Profile | null; missing: Missing[] }
  /** Absent if no run can start. */
  forecast?: Forecast
}

/**
 * Checks the machine and a deployment, and predicts what a run would achieve. Only reads.
 *
 * @returns 1 if a run would be blocked or incomplete, 3 if it could not start
 * @throws {DefinitionError} if the definition is wrong
 */
export async function doctor({
  deployment: wish,
  json = false,
}: {
  deployment?: string
  json?: boolean
}): Promise<ExitCode> {
  const definition = findDefinition(wish, process.cwd())
  const launched = await launchDeployment(definition)
  const telling = setTimeout(
    () => say('Still working: an answer may take up to a minute, and after a 429 the kit waits.'),
    SILENCE,
  )
  try {
    const deployment = await loadDeployment(definition, launched?.values)
    say(testedLine(definition, deployment, wish))
    const diagnosis = await diagnose(deployment, definition)
    if (json) printJson(diagnosis)
    else print(`${tell(diagnosis)}\n`)
    if (diagnosis.forecast === undefined) return EXIT.incomplete
    return diagnosis.forecast.obstacles.length > 0 ? EXIT.violates : EXIT.conforms
  } finally {
    clearTimeout(telling)
    await launched?.stop()
  }
}

async function diagnose(deployment: Deployment, definition: string): Promise<Diagnosis> {
  const { name, baseUrl, products, traffic, control } = deployment
  const obstacle = await whyUnreachable(deployment)
  const { roles, rateLimit } = obstacle === undefined ? await rolesSeen(deployment) : { roles: [] }
  const profile = profileOf(deployment)
  const foretold =
    obstacle === undefined
      ? await forecast(deployment, { definition, profile: profile.name, roles, rateLimit })
      : undefined
  const parts = [...new Set(Object.values(CONTROL_PARTS).flat())] as (keyof Control)[]
  return {
    machine: await machine(),
    deployment: {
      name,
      baseUrl,
      products,
      perMinute: traffic.perMinute,
      headers: Object.keys(deployment.headers),
      ...testedBy(definition),
    },
    proxy: proxyOf(baseUrl) ?? null,
    canStart: obstacle === undefined,
    ...(obstacle !== undefined && { obstacle }),
    roles,
    features: featuresOf(deployment),
    rateLimit: rateLimit ?? null,
    control: {
      given: parts.filter(part => control[part] !== undefined),
      absent: parts.filter(part => control[part] === undefined),
    },
    cautions: cautionsOf(deployment),
    profile,
    ...(foretold !== undefined && { forecast: foretold }),
  }
}

/** Returns the features that the definition states; no answer shows an account's features. */
function featuresOf({ credentials }: Deployment): Diagnosis['features'] {
  const stated = credentials.standard?.features ?? {}
  const unstated = [...FEATURE_FLAGS, 'voucherLanguage' as const].filter(name => stated[name] === undefined)
  return { stated, unstated }
}

function profileOf(deployment: Deployment): Diagnosis['profile'] {
  const rows: readonly Clause[] = Object.values(CLAUSES)
  const name = deployment.profile ?? profileFor(deployment, CLAUSES)
  const next = PROFILES[PROFILES.indexOf(name) + 1] ?? null
  const counts = new Map<string, number>()
  const lacking = name === 'full' || next === 'full' || next === null ? rows : rows.filter(isControlled)
  for (const row of lacking.filter(one => asksFor('full', one, deployment)))
    for (const need of lacks(row.needs ?? [], deployment)) counts.set(need, (counts.get(need) ?? 0) + 1)
  const missing = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([need, clauses]) => ({ supply: howToSupply(need), clauses }))
  return { name, next, missing }
}

const isControlled = ({ needs = [] }: Clause): boolean => needs.some(need => need.startsWith('control:'))

function tell(diagnosis: Diagnosis): string {
  const { deployment, obstacle, forecast: foretold } = diagnosis
  return [
    ...machineLines(diagnosis.machine),
    `${deployment.name} (${deployment.baseUrl}) claims ${deployment.products.join(', ')}.`,
    proxyLine(diagnosis.proxy),
    ...headersLine(deployment.headers),
    ...(obstacle === undefined ? reachedLines(diagnosis) : [`  ${obstacle}`]),
    ...profileLines(diagnosis.profile),
    ...(foretold === undefined ? ['A run cannot start. Nothing was booked.'] : forecastLines(foretold)),
    ...unverified(),
  ]
    .map(line => `${/^ */.exec(line)![0]}${oneLine(line.trim())}`)
    .join('\n')
}

const headersLine = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`  headers of every request: ${names.join(', ')}`]

const proxyLine = (proxy: NamedProxy | null): string =>
  `  proxy: ${proxy === null ? `none for this address${unreadProxy()}` : `${proxy.address} (${proxy.variable})`}`

function machineLines({ kit, node, k6, k6Passed }: Machine): string[] {
  return [
    `travel-sales-conformance ${kit} on Node ${node}.`,
    k6 === null
      ? `  k6: none here (${k6Passed.join('; ')}); ${commandLine('load')} gets it once.`
      : `  k6: ${k6.version} (${k6.path})`,
  ]
}

function featureLines({ features: { stated, unstated }, control }: Diagnosis): string[] {
  const told = Object.entries(stated).map(
    ([name, value]) => `${name} ${value === true ? 'yes' : value === false ? 'no' : value}`,
  )
  // If companies are minted, each check chooses the features of its own.
  if (told.length === 0 && control.given.includes('mint')) return []
  const missing =
    unstated.length === 0
      ? ''
      : `${told.length === 0 ? '' : '; '}not stated: ${unstated.join(', ')} (features of the credential, or TSS_FEATURES)`
  return [`  features of role standard: ${told.join(', ')}${missing}`]
}

function reachedLines(diagnosis: Diagnosis): string[] {
  const { roles, rateLimit, deployment, control, cautions } = diagnosis
  const { perMinute, products } = deployment
  return [
    ...roles.flatMap(({ role, catalogs, books }) => {
      const refused = catalogs.filter(({ answered }) => answered !== 200)
      const reads =
        refused.length === 0
          ? 'reads every catalog'
          : `reads ${catalogs.length - refused.length} of ${catalogs.length} catalogs`
      const may =
        books.length === 0
          ? 'is used for reads only'
          : `books ${books.length === products.length ? 'every product' : books.join(', ')}`
      return [
        `  role ${role}: ${reads}; ${may}`,
        ...refused.map(seen => `    the catalog of ${seen.product} ${toldOf(seen)}`),
      ]
    }),
    ...featureLines(diagnosis),
    rateLimit === null
      ? `  rate limit: no answer said; the kit sends ${perMinute} requests a minute`
      : `  rate limit: ${rateLimit} a minute; the kit sends ${perMinute}${perMinute > rateLimit ? ': lower traffic.perMinute, or TSS_PER_MINUTE' : ''}`,
    `  control: ${control.given.length === 0 ? 'none' : control.given.join(', ')}`,
    ...cautions.map(caution => `  ${caution}.`),
  ]
}

function forecastLines({ obstacles, decide, reach, unread, expected }: Forecast): string[] {
  const { asked, reachable } = reach
  const share = asked === 0 ? 0 : Math.round((100 * reachable) / asked)
  return [
    ...(decide.length === 0 ? [] : [`${decide.length} marked DECIDE in the definition:`]),
    ...decide.map(what => `  ${what}`),
    `A run can reach at most ${share} % of what its profile asks for (${reachable.toLocaleString('en')} of some ${clausesAndKinds(asked)})${decide.length === 0 ? '' : ', and less where the default of what is marked DECIDE does not fit'}.`,
    ...(unread.length === 0
      ? []
      : [
          `Not tried, because only bookings show it: ${unread.join(', ')} (${commandLine('doctor')} --book tries them). If one is refused, less can be reached.`,
        ]),
    `It takes about ${expected.v1} requests of v1 and ${expected.v2} of v2, and ${expected.minutes === 1 ? 'a minute' : `${expected.minutes} minutes`} at its pace, plus waiting times.`,
    obstacles.length === 0
      ? 'A run can start: read-only calls found no obstacle. Nothing was booked.'
      : 'A run can start, but would be blocked or incomplete. Nothing was booked.',
    ...obstacles.map(sentence => `  ${sentence}`),
  ]
}

/** The most missing things that are printed; the JSON has all. */
const MOST_TOLD = 8

function profileLines({ name, next, missing }: Diagnosis['profile']): string[] {
  if (missing.length === 0) return [`Its profile is ${name}: everything can be exercised.`]
  const told = missing.slice(0, MOST_TOLD)
  return [
    `Its profile is ${name}${next === null ? '' : `; for ${next} it takes ${next === 'staging' ? 'some of this' : 'all of this'}`}:`,
    ...told.map(({ supply, clauses }) => `  ${supply} (${count(clauses, 'clause')})`),
    ...(missing.length > told.length ? [`  and ${missing.length - told.length} more (--json)`] : []),
  ]
}

/** What the kit can use on this machine. */
interface Machine {
  kit: string
  node: string
  /** The k6 that load would use; `null` if it would be fetched first. */
  k6: { path: string; version: string } | null
  /** Why each installed k6 is not used, as parts of a sentence. */
  k6Passed: string[]
}

/** Inspects this machine. Fetches nothing. */
async function machine(): Promise<Machine> {
  const { k6, passed } = await presentK6()
  return {
    kit: kit.version,
    node: kit.node,
    k6: k6 === undefined ? null : { path: k6.path, version: k6.version },
    k6Passed: passed,
  }
}
