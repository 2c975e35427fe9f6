import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { writeJsonNow } from '../../fixtures/output/files.ts'
import { root } from '../../fixtures/run/kit.ts'

/**
 * The times of a test run, as `npm run bench:ci` reads them: points in time in epoch milliseconds, durations in
 * milliseconds.
 */
export interface RunTimes {
  began: number
  ended: number
  files: { project: string; file: string; milliseconds: number; loading: number; tests: number }[]
}

/** Returns the path of the times of `npm run test:quick` or `test:slow`. */
export const timesOf = (run: 'quick' | 'slow'): string => join(root, '.vitest', `${run}.times.json`)

/** Records how long each file took with its hooks, which other reporters leave out. */
export default class TimesReporter implements Reporter {
  #began = Date.now()

  onTestRunStart(): void {
    this.#began = Date.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(module => {
      const { collectDuration, prepareDuration, setupDuration, duration } = module.diagnostic()
      const loading = collectDuration + prepareDuration + setupDuration
      return {
        project: module.project.name,
        file: module.relativeModuleId,
        milliseconds: loading + duration,
        loading,
        tests: [...module.children.allTests()].length,
      }
    })
    mkdirSync(join(root, '.vitest'), { recursive: true })
    const times: RunTimes = { began: this.#began, ended: Date.now(), files }
    writeJsonNow(timesOf(files.some(({ project }) => project === 'kit') ? 'quick' : 'slow'), times)
  }
}
