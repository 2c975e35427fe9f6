import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { untilFileEnds } from '../../../fixtures/client/testing/until.ts'
import { allowed, benign, derived, written } from '../../../fixtures/deviants/index.ts'
import type { Matrix } from '../../../reports/judge/matrix.ts'
import { type Ended, freshFolder, startProve } from '../testing/command.ts'
import { commitSeed } from '../testing/commit-draw.ts'

const until = untilFileEnds()

let ended: Ended
let matrix: Matrix & { run: string; proven: boolean }
let cwd: string

beforeAll(async () => {
  cwd = freshFolder(until)
  ended = await startProve(['--sample', '--seed', String(commitSeed), '--json'], { cwd, until }).ended
  matrix = JSON.parse(ended.stdout)
})

test('each deviant that was drawn is caught under its own clause, for each kind of product', () => {
  const missed = matrix.deviants.filter(({ caught, missedFor }) => !caught || missedFor.length > 0)
  expect(missed).toEqual([])
  const own = new Set(written.map(({ id }) => id))
  expect(matrix.deviants.filter(({ id }) => own.has(id)).length).toBe(Math.ceil(own.size / 4))
  expect(matrix.deviants.length).toBe(Math.ceil(own.size / 4) + Math.ceil(derived.length / 80))
})

test('no finding is told in the words of an assertion library', () => {
  const raw =
    /Object\.is|deeply equal|strictly equal|to be type of|AssertionError|expected (true|false) to be/
  expect(matrix.deviants.filter(({ evidence = '' }) => raw.test(evidence)).map(({ id }) => id)).toEqual([])
})

test('nothing is found of what the document allows, nor of the untouched deployment', () => {
  const alarms = [...matrix.benign, matrix.control].filter(
    ({ findings, errors }) => findings.length + errors.length > 0,
  )
  expect([alarms, matrix.allowed.filter(({ caught }) => caught)]).toEqual([[], []])
  expect(matrix.allowed.length).toBe(allowed.length)
  expect(matrix.benign.length).toBe(Math.ceil(benign.length / 64))
  // A variant of some kinds of product or of one version is tried only there, and never where answers are large.
  for (const { id, checks } of matrix.benign) expect(checks, id).toBeGreaterThan(matrix.control.checks / 60)
})

test('the matrix is written, and proves every binding clause that is exercised', () => {
  expect([ended.code, matrix.proven, matrix.unproven]).toEqual([0, true, []])
  expect(existsSync(join(cwd, 'reports/out', matrix.run, 'prove.json'))).toBe(true)
})
