import { configDefaults, defineConfig } from 'vitest/config'
import { clauseIds } from './fixtures/clauses/index.ts'

/**
 * Tests that put real load on something, keep every core busy, or hold a bound of time or memory: side by side they would
 * measure each other.
 */
const UNDER_LOAD = [
  'suites/cli/attacks/{answers,confirmations,killed,money,remembered,time}.test.ts',
  'suites/cli/{control-parts,prove,stopping}.test.ts',
  'load/run/scenarios*.test.ts',
  'load/read/merge-k6.test.ts',
  'load/bench/*.test.ts',
  'suites/cli/load.test.ts',
  'suites/cli/load-bookings.test.ts',
  'suites/cli/merge.test.ts',
]

/** Tests that start commands, k6 or another vitest: seconds each. A test holds that no other does. */
const STARTS_PROCESSES = [
  'suites/cli/attacks/{blame,handed,secrets}.test.ts',
  'suites/cli/testing/*.test.ts',
  'suites/cli/{audit,bad-input,catalogue,certify,check-definition,completion,doctor,gate,init,limits,load-bad-input}.test.ts',
  'suites/cli/{examine,idle-control,one-product,openapi,package,replay,second-deployment,serve,stored-reports,templates}.test.ts',
  'load/k6/*.test.ts',
  'load/run/k6-process.test.ts',
  'fixtures/client/{curl,ledger}.test.ts',
  'fixtures/deployments/own-modules.test.ts',
  'fixtures/reference/thread.test.ts',
  'fixtures/run/{cleanup,process-start,vitest-setup}.test.ts',
  'reports/{scripts/replay-script,reporter}.test.ts',
]

const everywhere = { pool: 'threads', testTimeout: 60_000, hookTimeout: 60_000, retry: 0 } as const

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
          exclude: [...configDefaults.exclude, ...STARTS_PROCESSES, ...UNDER_LOAD],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'processes',
          include: STARTS_PROCESSES,
          // They mostly wait for what they started.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...everywhere,
          name: 'load',
          include: UNDER_LOAD,
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
          experimental: { viteModuleRunner: false },
        },
      },
    ],
  },
})
