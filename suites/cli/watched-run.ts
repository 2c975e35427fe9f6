import { say, watched } from '../../fixtures/output/console.ts'
import type { Progress } from '../../fixtures/run/collected.ts'
import { root } from '../../fixtures/run/kit.ts'
import { type FinishedRun, type Plan, run } from '../../fixtures/run/run.ts'
import { RunReporter } from '../../reports/reporter.ts'
import { createProgress, wantsColour } from '../../reports/terminal.ts'

/**
 * Runs checks while the terminal shows how far they are.
 *
 * @param shown what to show of the progress; default: all
 */
export async function runWatched(
  plan: Omit<Plan, 'collector' | 'onNotice'>,
  shown: (progress: Progress) => Progress = progress => progress,
): Promise<FinishedRun> {
  const progress = createProgress({ stream: watched, colour: wantsColour(watched, process.env) })
  return run({
    ...plan,
    collector: new RunReporter({ root, onProgress: now => progress.update(shown(now)) }),
    onNotice(sentence) {
      progress.clear()
      say(sentence)
    },
  }).finally(progress.end)
}
