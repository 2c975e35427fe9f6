import { existsSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { script } from '../../fixtures/output/script.ts'
import { root } from '../../fixtures/run/kit.ts'
import { type RunTimes, timesOf } from './bench-ci-reporter.ts'

script(
  'bench:ci',
  'Prints where the time of the last `.ci/run`, or `npm test`, went: by step, by project of tests, and by the files that took the most. Runs nothing, asserts nothing.',
).parse()

/** The number of files listed for each project. */
const MOST = 25

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1).padStart(8)} s`

/** Returns when `.ci/run` reached a step: the modification time of the file that it touches there. */
const reached = (step: string): number | undefined =>
  statSync(join(root, '.vitest', step), { throwIfNoEntry: false })?.mtimeMs

const timesIn = (run: 'quick' | 'slow'): RunTimes | undefined =>
  existsSync(timesOf(run)) ? JSON.parse(readFileSync(timesOf(run), 'utf8')) : undefined

const [quick, slow] = [timesIn('quick'), timesIn('slow')]
const [started, installed, ended] = ['started', 'installed', 'ended'].map(reached)
const steps: [string, number | undefined, number | undefined][] = [
  ['npm ci', started, installed],
  ['types and lint', installed, quick?.began],
  ['tests of test:quick', quick?.began, quick?.ended],
  ['certify', quick?.ended, slow?.began],
  ['tests of test:slow', slow?.began, slow?.ended],
  ['all of it', started, ended],
]
console.log(`${availableParallelism()} cores\n`)
for (const [step, from, to] of steps) {
  // Times of steps of different runs cannot be compared.
  const known = from !== undefined && to !== undefined && from <= to
  console.log(`${step.padEnd(22)} ${known ? seconds(to - from) : '  not in the last run'}`)
}
const files = [...(quick?.files ?? []), ...(slow?.files ?? [])]
for (const [project, own] of Map.groupBy(files, file => file.project)) {
  const total = (of: (file: RunTimes['files'][number]) => number) =>
    own.reduce((sum, file) => sum + of(file), 0)
  console.log(
    `\n${project}: ${own.length} files, ${total(file => file.tests)} tests,${seconds(total(file => file.milliseconds))} in all, of which${seconds(total(file => file.loading))} to load them`,
  )
  for (const { file, milliseconds } of own
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, MOST))
    console.log(`${seconds(milliseconds)}  ${file}`)
}
