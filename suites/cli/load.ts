import { randomInt } from 'node:crypto'
import { say } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode, mayBeBooked, wrongCall } from '../../fixtures/run/failure.ts'
import {
  JOURNEYS,
  PROFILES,
  type ProfileName,
  SCENARIOS,
  type ScenarioName,
  type Settings,
} from '../../load/plan/plan.ts'
import { SETTINGS } from '../../load/plan/profiles.ts'
import { loadRecord } from '../../load/record/scenario-result.ts'
import { OUTPUT_NAMES, type OutputName } from '../../load/run/outputs.ts'
import { runLoad } from '../../load/run-load.ts'
import { publish } from '../../reports/folder/write.ts'
import { outcomeOf } from '../../reports/judge/outcome.ts'
import { namesAmong } from './arguments.ts'

interface LoadOptions {
  deployment?: string
  scenario?: readonly string[]
  profile: string
  set?: Settings
  /** The share of the journeys whose answers are judged; of the others, only statuses are counted. */
  judge?: number
  variant?: string
  out: string
  writePlan?: string
  /** In milliseconds. */
  maxDuration?: number
  /** Names of outputs of k6. */
  k6Out?: readonly string[]
  json?: boolean
}

/** Runs load against a deployment, writes record and reports, and prints the result. */
export async function load(options: LoadOptions): Promise<ExitCode> {
  const { deployment, out, variant, writePlan, maxDuration, json } = options
  const profile = profileOf(options.profile)
  const outputs = outputsOf(options)
  const scenarios = judging(
    options.judge,
    withSettings(scenariosOf(options.scenario), profile, options.set ?? {}),
  )
  const finished = await runLoad({
    out,
    profile,
    scenarios,
    seed: randomInt(2 ** 31),
    deployment,
    variant,
    writePlan,
    maxDuration,
    ...(outputs === undefined ? {} : { outputs }),
    onNotice: say,
  })
  const { folder, results, halted } = finished
  if (writePlan !== undefined && halted === undefined) return EXIT.conforms
  const judged = loadRecord({
    ...finished,
    run: folder.run,
    scenarios: [...scenarios.keys()],
    halted: halted?.sentence,
  })
  const instead = halted !== undefined && results.length === 0 ? halted.sentence : undefined
  const record = await publish(judged, folder.path, { json, instead })
  if (finished.refusals !== undefined) say(finished.refusals)
  if (halted !== undefined) return halted.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
  const standing = mayBeBooked(record)
  if (standing !== undefined) say(standing)
  return outcomeOf(record).exitCode
}

function profileOf(name: string): ProfileName {
  const profile = PROFILES.find(known => known === name)
  if (profile !== undefined) return profile
  throw wrongCall(`There is no profile ${name}: give one of ${PROFILES.join(', ')} with --profile.`)
}

const scenariosOf = (names: readonly string[] = SCENARIOS): ScenarioName[] =>
  namesAmong(SCENARIOS, 'scenario', names, ' with --scenario, or none for all of them')

/** Returns the outputs of k6 that are asked for. @throws {Failure} for one that k6 or the kit does not have */
function outputsOf({ k6Out, writePlan }: LoadOptions): OutputName[] | undefined {
  if (k6Out !== undefined && writePlan !== undefined)
    throw wrongCall(
      '--k6-out is for the k6 that runs here, and --write-plan runs none: leave one of them out.',
    )
  return k6Out && namesAmong(OUTPUT_NAMES, 'output', k6Out, ' with --k6-out')
}

/** If a share is given, limits judging to this share of the journeys. */
function judging(
  judge: number | undefined,
  scenarios: ReadonlyMap<ScenarioName, Settings>,
): ReadonlyMap<ScenarioName, Settings> {
  if (judge === undefined || judge === 1) return scenarios
  const isOfJourneys = (name: ScenarioName) => JOURNEYS.includes(name)
  if (![...scenarios.keys()].some(isOfJourneys)) {
    throw wrongCall(
      `--judge is for ${JOURNEYS.join(', ')}, and every answer of ${[...scenarios.keys()].join(', ')} is needed: leave it out.`,
    )
  }
  return new Map([...scenarios].map(([name, own]) => [name, isOfJourneys(name) ? { ...own, judge } : own]))
}

/** Settings for which 0 is a valid size. */
const MAY_BE_NONE = ['overrunMinutes', 'delay', 'errorShare']

/** Returns the settings of each scenario. @throws {Failure} for a setting that no scenario has */
function withSettings(
  scenarios: readonly ScenarioName[],
  profile: ProfileName,
  given: Settings,
): Map<ScenarioName, Settings> {
  const names = new Set(scenarios.flatMap(scenario => Object.keys(SETTINGS[scenario][profile])))
  const unknown = Object.keys(given).filter(name => !names.has(name))
  if (unknown.length > 0) {
    throw wrongCall(
      `No setting is called ${unknown.join(', ')} in ${scenarios.join(', ')}: --set takes ${[...names].join(', ')}.`,
    )
  }
  // A load of nothing shows nothing.
  const none = Object.keys(given).filter(name => given[name] === 0 && !MAY_BE_NONE.includes(name))
  if (none.length > 0) throw wrongCall(`${none.join(', ')} must be above 0 in --set.`)
  return new Map(
    scenarios.map(scenario => {
      const own = SETTINGS[scenario][profile]
      const overrides = Object.entries(given).filter(([name]) => Object.hasOwn(own, name))
      return [scenario, { ...own, ...Object.fromEntries(overrides) }]
    }),
  )
}
