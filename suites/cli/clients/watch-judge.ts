import { CLAUSES } from '../../../fixtures/clauses/index.ts'
import { testedBy } from '../../../fixtures/deployments/loading/index.ts'
import { steadyNow } from '../../../fixtures/ground/time.ts'
import { withoutSecretsIn } from '../../../fixtures/secrets/known.ts'
import type { Passed } from '../../../fixtures/watch/forwarding.ts'
import { Watcher } from '../../../fixtures/watch/watcher.ts'
import { writeRun } from '../../../reports/folder/write.ts'
import { trafficRecord } from './traffic-record.ts'
import type { FromThread, ThreadOptions } from './watch-messages.ts'

/** Writing the record may take this part of the time. */
const SHARE = 1 / 20

/** Judges what passes, and writes the record and its reports. */
export function judgeIn(
  { dir, base, startedAt, run, every, whole }: ThreadOptions,
  tell: (told: FromThread) => void,
) {
  const watcher = new Watcher({
    dir,
    base,
    whole,
    onFinding({ clause, message }) {
      tell({ finding: { clause, message, level: CLAUSES[clause].level } })
    },
  })
  let nextAt = performance.now() + every
  let written = -1
  let writing: Promise<void> | undefined

  const recordNow = (halted?: string) => {
    const judged = watcher.judged()
    const { requests } = judged.report
    return trafficRecord({
      run,
      name: base,
      baseUrl: base,
      side: 'server',
      halted,
      startedAt,
      requests,
      products: watcher.products,
      judged: [judged],
      tested: testedBy(base),
      finishedAt: new Date(steadyNow()),
    })
  }

  /** Writes something, and tells if that is not possible: what passes must not depend on it. */
  async function unlessUnwritable(write: () => unknown): Promise<void> {
    try {
      await write()
    } catch (error) {
      tell({ unwritten: (error as Error).message })
    }
  }

  async function writeNow(): Promise<void> {
    if (watcher.counts.exchanges === written) return
    written = watcher.counts.exchanges
    const began = performance.now()
    await watcher.flush()
    // It is no step of a workflow that has ended.
    await writeRun(recordNow('it was still going on'), dir, { env: {} })
    nextAt = performance.now() + Math.max(every, (performance.now() - began) / SHARE)
  }

  return {
    take: (passed: Passed) => watcher.take(passed),
    flush: () => unlessUnwritable(() => watcher.flush()),
    /** @param earliest when the earliest request under way arrived, in epoch milliseconds */
    async tick(earliest: number | undefined): Promise<void> {
      watcher.settle(earliest ?? Date.now())
      if (performance.now() < nextAt || writing !== undefined) return
      // What passes meanwhile is judged meanwhile.
      writing = unlessUnwritable(writeNow).finally(() => {
        writing = undefined
      })
    },
    /** Resolves when the record is written, if it is being written. */
    written: async (): Promise<void> => writing,
    async end(halted?: string): Promise<void> {
      await writing
      await unlessUnwritable(() => watcher.close())
      watcher.settle()
      const { counts, broken } = watcher
      tell({ record: withoutSecretsIn(recordNow(halted)), counts, broken })
    },
  }
}
