import { rmSync } from 'node:fs'
import { Recorder } from '../../fixtures/client/recording/index.ts'
import { say } from '../../fixtures/output/console.ts'
import { type ExitCode, Failure, wrongCall } from '../../fixtures/run/failure.ts'
import { DEFAULT_OUT, makeRunFolder } from '../../fixtures/run/run-folder.ts'
import { JUDGES } from '../../load/judge/index.ts'
import { PassiveRules } from '../../load/judge/passive-rules.ts'
import { AnswerCollector } from '../../load/read/answer-collector.ts'
import type { LoadExchange, StageEvidence } from '../../load/read/evidence.ts'
import { Allowance, MOST_KEPT, UnreadableOutput } from '../../load/read/lines.ts'
import { type MergedScenario, mergeRuns, VERSION_FILE } from '../../load/read/merge.ts'
import {
  EVERY_ANSWER,
  fileOf,
  idOf,
  loadRecord,
  recordScenario,
  requestsOf,
  type ScenarioResult,
} from '../../load/record/scenario-result.ts'
import { publish } from '../../reports/folder/write.ts'
import { outcomeOf } from '../../reports/judge/outcome.ts'

/**
 * Makes one record from the measurements of several k6 processes, with exact percentiles, and with findings if answers were
 * kept.
 */
export async function merge(
  inputs: readonly string[],
  { out = DEFAULT_OUT, json = false }: { out?: string; json?: boolean },
): Promise<ExitCode> {
  const startedAt = new Date()
  const merged = await mergeRuns(inputs).catch(refuse)
  const allowance = new Allowance(MOST_KEPT.answers)
  for (const notice of merged.flatMap(({ notices }) => notices)) say(notice)
  const k6 = [...new Set(merged.flatMap(scenario => scenario.k6))].sort().join(', ')
  if (k6.includes('unknown'))
    say(
      `Which k6 sent this is not known: put what k6 version says into ${VERSION_FILE}, beside samples.csv or in the folder above.`,
    )
  const folder = makeRunFolder(out, 'merged', 'merged', startedAt)
  try {
    const results: ScenarioResult[] = []
    for (const [index, scenario] of merged.entries())
      results.push(await recordMerged(scenario, index, folder.path, allowance).catch(refuse))
    const all = merged.flatMap(({ stages }) => [...stages.values()])
    const { baseUrl, products } = all[0]!.plan
    const record = loadRecord({
      run: folder.run,
      deployment: { name: new URL(baseUrl).host, baseUrl, products },
      scenarios: merged.map(({ scenario }) => scenario),
      results,
      k6: { version: k6, source: `${inputs.length} inputs of merge` },
      requests: requestsOf(results),
      leftovers: [],
      startedAt: new Date(Math.min(...all.map(stage => stage.startedAt))),
      finishedAt: new Date(Math.max(...all.map(stage => stage.finishedAt))),
    })
    await publish(record, folder.path, { json })
    return outcomeOf(record).exitCode
  } catch (error) {
    if (error instanceof Failure) rmSync(folder.path, { recursive: true, force: true })
    throw error
  } finally {
    folder.release()
  }
}

function refuse(error: unknown): never {
  throw error instanceof UnreadableOutput ? wrongCall(error.message, { cause: error }) : error
}

async function recordMerged(
  { scenario, stages, logs, ...circumstances }: MergedScenario,
  index: number,
  dir: string,
  allowance: Allowance,
): Promise<ScenarioResult> {
  const recorder = new Recorder({ dir, worker: index })
  try {
    const [rules, check] = [new PassiveRules(), idOf(fileOf(scenario), EVERY_ANSWER)]
    const observe = (exchange: LoadExchange) => rules.observe(exchange)
    const collector = new AnswerCollector({ check, recorder, observe, allowance })
    const whole = new Map<string, StageEvidence>()
    for (const [name, stage] of stages)
      whole.set(name, { ...stage, ...(await collector.collect(stage.plan, {}, logs.get(name) ?? [])) })
    const began = Math.min(...[...stages.values()].map(({ startedAt }) => startedAt))
    const ended = Math.max(...[...stages.values()].map(({ finishedAt }) => finishedAt))
    return recordScenario(
      { scenario, profile: 'merged', startedAt: new Date(began), milliseconds: ended - began },
      { stages: whole, circumstances, judgement: JUDGES[scenario].judge(whole, circumstances) },
      rules,
      collector,
    )
  } finally {
    await recorder.close()
  }
}
