import type { SuiteProgress } from '../../fixtures/run/collected.ts'

/** The suites of one area, which are a folder, while a run goes on. */
export interface AreaProgress {
  area: string
  /** Whether a check has ended, and whether all have. */
  state: 'waiting' | 'running' | 'ended'
  /** The numbers of finished checks and of all that were not left out. */
  done: number
  checks: number
  /** The number of finished checks with a finding. */
  failed: number
  /** The requests of the finished checks. */
  requests: number
}

/** Returns the areas of a run by name. Those without a selected check are left out. */
export function areasOf(suites: readonly SuiteProgress[]): AreaProgress[] {
  const byArea = Map.groupBy(suites, ({ file }) => file.split('/')[1] ?? file)
  return [...byArea]
    .map(([area, those]): AreaProgress => {
      const sum = (number: (suite: SuiteProgress) => number): number =>
        those.reduce((total, suite) => total + number(suite), 0)
      const done = sum(suite => suite.done)
      const checks = sum(({ checks = 0, done }) => Math.max(done, checks))
      const isOver = those.every(({ ended }) => ended) || (done === checks && those.every(hasLoaded))
      return {
        area,
        done,
        checks,
        state: isOver ? 'ended' : done > 0 ? 'running' : 'waiting',
        failed: sum(suite => suite.failed),
        requests: sum(({ requests }) => requests.v1 + requests.v2),
      }
    })
    .filter(({ checks }) => checks > 0)
    .sort((one, other) => (one.area < other.area ? -1 : 1))
}

const hasLoaded = ({ checks }: SuiteProgress): boolean => checks !== undefined
