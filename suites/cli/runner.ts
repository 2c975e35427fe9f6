import { Writable } from 'node:stream'
import { type CliOptions, createVitest, type TestModule, type Vitest } from 'vitest/node'
import type { RunContext } from '../../fixtures/run.ts'
import type { RunReporter } from '../../reports/reporter.ts'
import { extension, root } from './kit.ts'

/** Longer than any check can take on the slowest deployment; deadlines live in the client, which knows the call. */
const CHECK_TIMEOUT = 3_600_000

/** What a run of the suites needs. */
export interface SuiteRun {
  context: RunContext
  /** Ids of all clauses: the only tags that a check may have. */
  clauses: readonly string[]
  /** Expression that selects checks by their tags; absent: all. */
  tags?: string
  /** Id of the only check to run (`file > suite > title`); absent: all that are selected. */
  check?: string
  /** Checks under way at once in each worker. */
  concurrency: number
  workers: number
  reporter: RunReporter
}

/** A run that has been set up. */
export interface RunningSuites {
  /** Resolves when every check has ended. */
  run(): Promise<void>
  close(): Promise<void>
}

/** Sets the test runner up for the kit's suites: nothing of the caller's project is read or written. */
export async function prepareSuites(wanted: SuiteRun): Promise<RunningSuites> {
  const [file, ...names] = wanted.check?.split(' > ') ?? []
  const vitest = await openVitest(wanted.clauses, {
    maxWorkers: wanted.workers,
    maxConcurrency: wanted.concurrency,
    reporters: [wanted.reporter],
    ...(wanted.tags === undefined ? {} : { tagsFilter: [wanted.tags] }),
    ...(names.length === 0 ? {} : { testNamePattern: exactly(names.join(' > ')) }),
  })
  vitest.provide('run', wanted.context)
  return {
    run: async () => void (await vitest.start(file === undefined ? [] : [file])),
    close: () => vitest.close(),
  }
}

/** Loads every suite without running it, and gives back what it registers. */
export async function collectSuites(context: RunContext, clauses: readonly string[]): Promise<TestModule[]> {
  const vitest = await openVitest(clauses, { maxWorkers: 1, reporters: [{}] })
  try {
    vitest.provide('run', context)
    const { testModules, unhandledErrors } = await vitest.collect([], { staticParse: false })
    const [error] = unhandledErrors
    if (error !== undefined) throw error
    return testModules
  } finally {
    await vitest.close()
  }
}

async function openVitest(clauses: readonly string[], options: CliOptions): Promise<Vitest> {
  const keep = listenersNow()
  const config: CliOptions = {
    config: false,
    root,
    include: [`suites/**/*.suite.${extension}`],
    // The default leaves out node_modules, where an installed kit lives.
    exclude: [],
    watch: false,
    cache: false,
    pool: 'threads',
    isolate: false,
    sequence: { concurrent: true },
    retry: 0,
    passWithNoTests: true,
    testTimeout: CHECK_TIMEOUT,
    hookTimeout: CHECK_TIMEOUT,
    tags: clauses.map(name => ({ name })),
    strictTags: true,
    // Suites are imported as they are: nothing in them is mocked, so nothing has to be parsed for that.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...options,
  }
  // What it has to say reaches the record through the reporter; the terminal belongs to the command.
  const vitest = await createVitest(config, {}, { stdout: silence(), stderr: silence() })
  keep()
  return vitest
}

const exactly = (name: string): RegExp => new RegExp(`^${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)

const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/**
 * The test runner ends the process by itself on a signal or a stray rejection, before anything could be cancelled or
 * written. The function returned takes away what was added since.
 */
function listenersNow(): () => void {
  const events = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const
  const before = events.map(event => new Set(process.rawListeners(event)))
  return () => {
    for (const [at, event] of events.entries()) {
      for (const listener of process.rawListeners(event)) {
        if (!before[at]!.has(listener)) process.off(event, listener as () => void)
      }
    }
  }
}
