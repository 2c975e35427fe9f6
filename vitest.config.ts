import { defineConfig } from 'vitest/config'

// Unit tests of the kit itself. Conformance checks (`*.suite.ts`) are run by `tss certify`, never from here.
export default defineConfig({
  test: {
    include: ['{fixtures,suites,reports,load}/**/*.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
    retry: 0,
  },
})
