import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that put real load on something: side by side they would measure each other. */
const UNDER_LOAD = [
  'load/scenarios*.test.ts',
  'load/merge-k6.test.ts',
  'load/bench*.test.ts',
  'suites/cli/load.test.ts',
  'suites/cli/load-bookings.test.ts',
  'suites/cli/merge.test.ts',
]

const everywhere = { pool: 'threads', testTimeout: 60_000, retry: 0 } as const

// Tests of the kit itself. Conformance checks (`*.suite.ts`) are run by `tss certify`, never from here.
export default defineConfig({
  test: {
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
    ],
  },
})
