import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { clauseIds } from './fixtures/clauses/index.ts'

/** Tests that start commands, k6 or another vitest: seconds each. A test holds that no other does. */
const STARTS_PROCESSES = '{fixtures,suites,reports,load}/**/*.process.test.ts'

/** Tests that measure what they put load on, and the deviant matrix: side by side they would measure each other. */
const UNDER_LOAD = '{fixtures,suites,reports,load}/**/*.load.test.ts'

const everywhere = {
  pool: 'threads',
  testTimeout: 300_000,
  hookTimeout: 300_000,
  retry: 0,
  // Nothing is mocked: Node imports files as they are.
  experimental: { viteModuleRunner: false },
} as const

// `npm run test:quick` runs `kit`; `npm test` also `processes`, `browser` and `load`. Conformance checks are run by `travel-sales certify`.
export default defineConfig({
  test: {
    tags: clauseIds.map(name => ({ name })),
    strictTags: true,
    projects: [
      {
        test: {
          ...everywhere,
          name: 'kit',
          include: ['{fixtures,suites,reports,load}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, STARTS_PROCESSES, UNDER_LOAD],
          sequence: { groupOrder: 0 },
          // Files of a worker share what they import: to load it for each took a third of the time.
          isolate: false,
        },
      },
      {
        test: {
          ...everywhere,
          name: 'processes',
          include: [STARTS_PROCESSES],
          // They mostly wait for what they started.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'load',
          include: [UNDER_LOAD],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      // What a person opens, in a real browser.
      {
        test: {
          ...everywhere,
          name: 'browser',
          include: ['suites/browser/**/*.spec.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
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
          sequence: { concurrent: true, groupOrder: 4 },
        },
      },
    ],
  },
})
