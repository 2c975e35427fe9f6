import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { clauseIds } from './fixtures/clauses/index.ts'

/** Tests that start commands, k6 or another vitest: seconds each. A test holds that no other does. */
const STARTS_PROCESSES = '{fixtures,suites,reports,load}/**/*.process.test.ts'

/** Tests that measure what they put load on. They mostly wait for k6: five at a time disturb each other in nothing, others would. */
const UNDER_LOAD = '{fixtures,suites,reports,load}/**/*.load.test.ts'

/** Finds or builds the k6 that both of these start. */
const K6_FIRST = 'load/testing/k6-first.ts'

/** Files that took longest when they were measured last. A fresh clone has no times of its own, and one begun last runs on alone. */
export const LONGEST = [
  'suites/cli/prove/prove.process.test.ts',
  'suites/cli/deployments/second.process.test.ts',
  'suites/cli/load/second.process.test.ts',
  'suites/cli/attacks/time.process.test.ts',
  'suites/cli/package.process.test.ts',
  'suites/cli/deployments/certify.process.test.ts',
  'suites/cli/deployments/replay.process.test.ts',
  'suites/cli/deployments/stopping.process.test.ts',
  'suites/cli/load/faults.process.test.ts',
  'suites/cli/definitions/try-definition.process.test.ts',
  'suites/cli/deployments/renewed-tokens.process.test.ts',
  'suites/cli/clients/examine.process.test.ts',
  'suites/browser/ui.spec.ts',
  'suites/cli/load/bookings.process.test.ts',
  'suites/cli/deployments/false-alarms.process.test.ts',
  'suites/cli/attacks/secrets.process.test.ts',
  'suites/cli/attacks/money.process.test.ts',
  'suites/cli/attacks/answers.process.test.ts',
  'suites/cli/attacks/handed.process.test.ts',
  'suites/cli/attacks/blame.process.test.ts',
  'suites/cli/ui/ui.process.test.ts',
  'suites/cli/attacks/remembered.process.test.ts',
  'suites/cli/unprivileged.process.test.ts',
  'suites/cli/load/archive.process.test.ts',
  'suites/cli/clients/audit.process.test.ts',
  'suites/cli/load/bad-input.process.test.ts',
  'suites/cli/deployments/limits.process.test.ts',
  'suites/cli/prove/partner.process.test.ts',
  'suites/cli/attacks/killed.process.test.ts',
  'suites/cli/load/load.load.test.ts',
  'load/run/late-answers.load.test.ts',
]

/** Begins with the longest files, also where nothing is known of an earlier run. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex(file => moduleId.endsWith(file))
      return at === -1 ? LONGEST.length : at
    }
    return sorted.sort((one, other) => group(one) - group(other) || place(one) - place(other))
  }
}

/** Files at once of those that wait for what they started, and for times that pass, for most of their time. */
const BESIDE = availableParallelism() + 6

const everywhere = {
  pool: 'threads',
  // They end what hangs; how long a test takes is said by the machine and what else runs on it.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  retry: 0,
  // Nothing is mocked: Node imports files as they are.
  experimental: { viteModuleRunner: false, nodeLoader: false },
} as const

// `npm run test:quick` runs `kit`; `npm test` also `processes`, `browser` and `load`. Conformance checks are run by `travel-sales certify`.
export default defineConfig({
  test: {
    tags: clauseIds.map(name => ({ name })),
    strictTags: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...everywhere,
          name: 'kit',
          include: ['{fixtures,suites,reports,load}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, STARTS_PROCESSES, UNDER_LOAD],
          sequence: { groupOrder: 0 },
          // A quarter of their time they wait, for connections above all.
          maxWorkers: availableParallelism() + 1,
          // Files of a worker share what they import: to load it for each took a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          ...everywhere,
          name: 'processes',
          // To start a command costs the more, the more memory whoever starts it has: of threads, that of all of them.
          pool: 'forks',
          include: [STARTS_PROCESSES],
          maxWorkers: BESIDE,
          // As above: many load the embedded deployment with all deviants.
          isolate: false,
          globalSetup: [K6_FIRST],
          sequence: { groupOrder: 1 },
        },
      },
      // What a person opens, in a real browser.
      {
        test: {
          ...everywhere,
          name: 'browser',
          include: ['suites/browser/**/*.spec.ts'],
          globalSetup: ['suites/browser/browser.ts'],
          maxWorkers: BESIDE,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'load',
          include: [UNDER_LOAD],
          globalSetup: [K6_FIRST],
          maxWorkers: 5,
          maxConcurrency: 2,
          sequence: { groupOrder: 2 },
        },
      },
      // Conformance checks against the embedded deployment, for an editor and `npx vitest --project suites -t title`.
      {
        test: {
          ...everywhere,
          name: 'suites',
          include: ['suites/**/*.suite.ts'],
          globalSetup: ['fixtures/run/vitest-setup.ts'],
          isolate: false,
          sequence: { concurrent: true, groupOrder: 3 },
        },
      },
    ],
  },
})
