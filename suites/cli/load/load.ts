import { randomInt } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { commandLine } from '../../../fixtures/output/command-line.ts'
import { say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, mayBeBooked, wrongCall } from '../../../fixtures/run/failure.ts'
import {
  PROFILES,
  type ProfileName,
  SCENARIOS,
  type ScenarioName,
  type Settings,
} from '../../../load/plan/plan.ts'
import { SETTINGS } from '../../../load/plan/profiles.ts'
import { loadRecord } from '../../../load/record/scenario-result.ts'
import { runLoad } from '../../../load/run-load.ts'
import { publish } from '../../../reports/folder/write.ts'
import { outcomeOf } from '../../../reports/judge/outcome.ts'
import { namesAmong } from '../arguments.ts'

interface LoadOptions {
  deployment?: string
  scenario?: readonly string[]
  profile: string
  set?: Settings
  variant?: string
  /** The file to write the scenario to instead of running it. */
  archive?: string
  out: string
  /** In milliseconds. */
  maxDuration?: number
  json?: boolean
}

/** Runs load against a deployment, writes record and reports, and prints the result. */
export async function load(options: LoadOptions): Promise<ExitCode> {
  const { deployment, out, variant, maxDuration, json } = options
  const profile = profileOf(options.profile)
  const scenarios = withSettings(scenariosOf(options.scenario), profile, options.set ?? {})
  const archive = options.archive === undefined ? undefined : archiveIn(options.archive)
  const finished = await runLoad({
    out,
    profile,
    scenarios,
    seed: randomInt(2 ** 31),
    deployment,
    variant,
    archive,
    maxDuration,
    onNotice: say,
  }).finally(archive?.release)
  const { folder, results, halted } = finished
  const judged = loadRecord({
    ...finished,
    run: folder.run,
    scenarios: archive === undefined ? [...scenarios.keys()] : [],
    halted: halted?.sentence,
  })
  const instead = halted !== undefined && results.length === 0 ? halted.sentence : undefined
  const record = await publish(judged, folder.path, { json, instead })
  if (archive?.credentials !== undefined) say(howToRun(options.archive!, archive.credentials))
  if (finished.refusals !== undefined) say(finished.refusals)
  if (halted !== undefined) return halted.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
  const standing = mayBeBooked(record)
  if (standing !== undefined) say(standing)
  return outcomeOf(record).exitCode
}

/**
 * Makes the file of an archive that is to be written, for its owner alone.
 *
 * @throws {Failure} if it is there already, or cannot be made
 */
function archiveIn(path: string) {
  const file = resolve(path)
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw wrongCall(
      `${path} cannot be made (${code}): with --archive, give a file that is not there yet, in a folder that is.`,
      { cause },
    )
  }
  let credentials: readonly string[] | undefined
  return {
    file,
    onWritten(needed: readonly string[]) {
      credentials = needed
    },
    get credentials() {
      return credentials
    },
    /** Removes the file if nothing was written to it. */
    release() {
      if (credentials === undefined) rmSync(file, { force: true })
    },
  }
}

const howToRun = (file: string, credentials: readonly string[]): string =>
  `${file} is written. With the ${credentials.length === 1 ? 'credential' : 'credentials'} of ${credentials.join(', ')} in TSS_TOKENS, one a line, each of two machines runs a half:
  k6 run --execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1 --log-format raw --console-output one.ndjson ${file}
  k6 run --execution-segment 1/2:1 --execution-segment-sequence 0,1/2,1 --log-format raw --console-output two.ndjson ${file}
Their answers are judged together:
  ${commandLine('audit', 'one.ndjson', 'two.ndjson')}`

function profileOf(name: string): ProfileName {
  const profile = PROFILES.find(known => known === name)
  if (profile !== undefined) return profile
  throw wrongCall(`There is no profile ${name}: give one of ${PROFILES.join(', ')} with --profile.`)
}

const scenariosOf = (names: readonly string[] = SCENARIOS): ScenarioName[] =>
  namesAmong(SCENARIOS, 'scenario', names, ' with --scenario, or none for all of them')

/** Settings for which 0 is a valid size. */
const MAY_BE_NONE = ['overrunMinutes', 'errorShare']

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
