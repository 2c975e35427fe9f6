import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import type { RunRecord } from '../../fixtures/record.ts'
import type { LoadRecord } from '../../fixtures/record-load.ts'
import { idOf, type Performance } from '../../load/perform.ts'
import { PROFILES, type ProfileName, SCENARIOS, type ScenarioName, type Settings } from '../../load/plan.ts'
import { SETTINGS } from '../../load/profiles.ts'
import { assemble } from '../../reports/assemble.ts'
import type { CollectedCheck } from '../../reports/judge-check.ts'
import { summarise } from '../../reports/summary.ts'
import { finalText, wantsColour } from '../../reports/terminal.ts'
import { ReportNotWritten, writeReports } from '../../reports/write.ts'
import { conductLoad, type LoadConducted } from './conduct-load.ts'
import { EXIT, type ExitCode, incomplete, wrongCall } from './failure.ts'
import { kit } from './kit.ts'
import { loadCatalogue } from './load-catalogue.ts'

/** Options of `tss load`, as they were given. */
export interface LoadOptions {
  deployment?: string
  scenario?: readonly string[]
  profile: string
  set?: Settings
  variant?: string
  out: string
  keepRaw?: boolean
  json?: boolean
}

/** Puts load on a deployment, judges what came of it, writes record and reports, and says what came out. */
export async function load(options: LoadOptions): Promise<ExitCode> {
  const { deployment, out, variant, keepRaw = false } = options
  const profile = profileOf(options.profile)
  const scenarios = scenariosOf(options.scenario)
  const conducted = await conductLoad({
    out,
    profile,
    scenarios: withSettings(scenarios, profile, options.set ?? {}),
    seed: randomInt(2 ** 31),
    keepRaw,
    ...(deployment === undefined ? {} : { deployment }),
    ...(variant === undefined ? {} : { variant }),
    onNotice: sentence => console.error(sentence),
  })
  const record = recordOf(conducted)
  const { path } = conducted.folder
  const unwritten = await writeReports(record, path).then(
    () => undefined,
    (error: unknown) => error,
  )
  const shown = relative(process.cwd(), path)
  if (options.json) console.log(JSON.stringify(summarise(record, shown), null, 2))
  else if (conducted.halted !== undefined && conducted.performances.length === 0) {
    console.error(`tss: ${conducted.halted.sentence}`)
  } else {
    const colour = wantsColour(process.stdout, process.env)
    process.stdout.write(finalText(record, { colour, dir: shown }))
  }
  if (unwritten instanceof ReportNotWritten) throw incomplete(unwritten.message, { cause: unwritten })
  if (unwritten !== undefined) throw unwritten
  return exitCodeOf(record, conducted)
}

function profileOf(name: string): ProfileName {
  const profile = PROFILES.find(known => known === name)
  if (profile !== undefined) return profile
  throw wrongCall(`There is no profile ${name}: give one of ${PROFILES.join(', ')} with --profile.`)
}

function scenariosOf(names: readonly string[] = SCENARIOS): ScenarioName[] {
  const unknown = names.filter(name => !SCENARIOS.some(known => known === name))
  if (unknown.length === 0) return SCENARIOS.filter(known => names.includes(known))
  throw wrongCall(
    `There is no scenario ${unknown.join(', ')}: give some of ${SCENARIOS.join(', ')} with --scenario, or none for all of them.`,
  )
}

/** The settings of each scenario; a name that none of them has was meant otherwise. */
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
  return new Map(
    scenarios.map(scenario => {
      const own = SETTINGS[scenario][profile]
      const overrides = Object.entries(given).filter(([name]) => Object.hasOwn(own, name))
      return [scenario, { ...own, ...Object.fromEntries(overrides) }]
    }),
  )
}

function recordOf(conducted: LoadConducted): RunRecord {
  const { deployment, folder, performances, halted, startedAt, finishedAt, requests, leftovers } = conducted
  const catalogue = loadCatalogue([...conducted.scenarios.keys()], performances)
  return assemble({
    kit,
    context: { run: folder.run, seed: conducted.seed },
    deployment,
    catalogue,
    passiveClauses: new Set(),
    collected: {
      checks: performances.flatMap(collected),
      moduleErrors: [],
      unhandledErrors: [],
      ended: true,
    },
    ...(halted === undefined ? {} : { halted: halted.sentence }),
    ...(conducted.k6 === undefined ? {} : { load: figuresOf(conducted.k6, performances) }),
    requests,
    leftovers,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
  })
}

function figuresOf(k6: LoadRecord['k6'], performances: readonly Performance[]): LoadRecord {
  return {
    k6,
    scenarios: performances.flatMap(({ figures, file, checks }) =>
      figures === undefined ? [] : [{ ...figures, checks: checks.map(({ title }) => idOf(file, title)) }],
    ),
  }
}

function collected({ file, checks, milliseconds }: Performance): CollectedCheck[] {
  return checks.map(({ title, report }) => ({
    id: idOf(file, title),
    file,
    title: [title],
    tags: [],
    milliseconds: milliseconds / checks.length,
    state: report.stopped?.verdict === 'error' || report.findings.length > 0 ? 'failed' : 'passed',
    errors: [],
    report,
  }))
}

function exitCodeOf({ verdict }: RunRecord, { halted }: LoadConducted): ExitCode {
  if (halted !== undefined) return halted.reason === 'interrupted' ? EXIT.interrupted : EXIT.incomplete
  if (verdict === 'error' || verdict === 'not exercised') return EXIT.incomplete
  return verdict === 'conforms' ? EXIT.conforms : EXIT.violates
}
