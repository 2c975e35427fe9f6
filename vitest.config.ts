import { configDefaults, defineConfig } from 'vitest/config'
import { clauseIds } from './fixtures/clauses/index.ts'

/** Tests that put real load on something: side by side they would measure each other. */
const UNDER_LOAD = [
  'load/run/scenarios*.test.ts',
  'load/read/merge-k6.test.ts',
  'load/bench/*.test.ts',
  'suites/cli/load.test.ts',
  'suites/cli/load-bookings.test.ts',
  'suites/cli/merge.test.ts',
]

const everywhere = { pool: 'threads', testTimeout: 60_000, hookTimeout: 60_000, retry: 0 } as const

// `npm test` runs `kit` and `load`, the tests of the kit itself; conformance checks are run there by `tss certify`.
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
          exclude: [...configDefaults.exclude, ...UNDER_LOAD],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'load',
          include: UNDER_LOAD,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      // What a person opens, in a real browser.
      {
        test: {
          ...everywhere,
          name: 'browser',
          include: ['suites/browser/**/*.spec.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
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
          sequence: { concurrent: true, groupOrder: 2 },
          experimental: { viteModuleRunner: false },
        },
      },
    ],
  },
})
