import { join } from 'node:path'
import { RAW } from '../run/k6-process.ts'
import type { RawStage } from '../run/run-stages.ts'
import type { AnswerCollector } from './answer-collector.ts'
import type { StageEvidence } from './evidence.ts'
import { readSamples } from './samples.ts'

/**
 * Reads k6's output of a stage. Of a stage that was cut off, only the answers are read, as far as possible.
 * @throws Error if the output of a completed stage is invalid
 */
export async function readStage(raw: RawStage, collector: AnswerCollector): Promise<StageEvidence> {
  const { plan, dir, tokens, headers, ended, startedAt, finishedAt, counted, vitals } = raw
  const { intendedRate } = plan
  const stage = {
    plan,
    startedAt,
    finishedAt,
    ...(intendedRate === undefined ? {} : { intendedRate }),
    ...(counted === undefined ? {} : { counted }),
    vitals,
  }
  const collecting = () => collector.collect(plan, { tokens, headers }, join(dir, RAW.answers))
  if (!ended) {
    const answers = await collecting().catch(() => ({ exchanges: [], failures: [] }))
    const iterations = { completed: 0, dropped: 0 }
    return { ...stage, requests: [], measures: new Map(), iterations, ...answers }
  }
  const { requests, measures, iterations } = await readSamples(join(dir, RAW.samples))
  const answers = await collecting()
  const count = answers.exchanges.length + answers.failures.length
  const sent = requests.length
  // k6 continues when it cannot write, without a reliable message.
  if (count !== sent) {
    throw new Error(
      `k6 left ${sent} samples and ${count} answers of ${plan.stage} in ${dir}, and should have left as many of each: see whether the disk is full, or give another folder with --out.`,
    )
  }
  return { ...stage, requests, measures, iterations, ...answers }
}
