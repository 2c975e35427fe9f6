import { createRecorder } from '../../fixtures/client/recorder.ts'
import { say } from '../../fixtures/output/console.ts'
import type { StageEvidence } from '../../load/judge/judge.ts'
import { createAudience } from '../../load/read/collector.ts'
import { UnreadableOutput } from '../../load/read/lines.ts'
import { type MergedScenario, mergeRuns } from '../../load/read/merge.ts'
import { conclude, EVERY_ANSWER, fileOf, idOf, type Performance } from '../../load/record/scenario-result.ts'
import { type ExitCode, wrongCall } from './failure.ts'
import { exitCodeFor, loadRecord, requestsOf } from './load-record.ts'
import { publish } from './publish.ts'
import { DEFAULT_OUT, makeRunFolder } from './run-folder.ts'

/** Options of `tss merge`, as they were given. */
export interface MergeOptions {
  out?: string
  json?: boolean
}

/** Makes one record of what several k6 processes measured: exact percentiles, findings where answers were kept. */
export async function merge(
  inputs: readonly string[],
  { out = DEFAULT_OUT, json = false }: MergeOptions,
): Promise<ExitCode> {
  const startedAt = new Date()
  const merged = await mergeRuns(inputs).catch((error: unknown) => {
    if (error instanceof UnreadableOutput) throw wrongCall(error.message, { cause: error })
    throw error
  })
  for (const notice of merged.flatMap(({ notices }) => notices)) say(notice)
  const folder = makeRunFolder(out, 0, 'merged', startedAt)
  try {
    const performances: Performance[] = []
    for (const [index, scenario] of merged.entries()) {
      performances.push(await concludeMerged(scenario, index, folder.path))
    }
    const [first] = merged.flatMap(({ stages }) => [...stages.values()]) as [StageEvidence]
    const { baseUrl, products } = first.plan
    const times = merged.flatMap(({ stages }) => [...stages.values()])
    const record = loadRecord({
      run: folder.run,
      seed: 0,
      deployment: { name: new URL(baseUrl).host, baseUrl, products },
      scenarios: merged.map(({ scenario }) => scenario),
      performances,
      k6: { version: 'unknown', source: `${inputs.length} inputs of tss merge` },
      requests: requestsOf(performances),
      leftovers: [],
      startedAt: new Date(Math.min(...times.map(stage => stage.startedAt))),
      finishedAt: new Date(Math.max(...times.map(stage => stage.finishedAt))),
    })
    await publish(record, folder.path, { json })
    return exitCodeFor(record)
  } finally {
    folder.release()
  }
}

async function concludeMerged(
  { scenario, stages, spools, settings, minted, timeScale }: MergedScenario,
  index: number,
  dir: string,
): Promise<Performance> {
  const recorder = createRecorder({ dir, worker: index })
  try {
    const audience = createAudience({ check: idOf(fileOf(scenario), EVERY_ANSWER), recorder })
    const attended = new Map<string, StageEvidence>()
    for (const [stage, evidence] of stages) {
      attended.set(stage, await audience.attend(evidence, spools.get(stage) ?? []))
    }
    const began = Math.min(...[...stages.values()].map(({ startedAt }) => startedAt))
    const ended = Math.max(...[...stages.values()].map(({ finishedAt }) => finishedAt))
    return conclude(
      { scenario, profile: 'merged', startedAt: new Date(began), milliseconds: ended - began },
      attended,
      { settings, minted, timeScale },
      audience,
    )
  } finally {
    await recorder.close()
  }
}
