import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { untilFileEnds } from '../../fixtures/client/testing/until.ts'
import { allowed, benign, derived, written } from '../../fixtures/deviants/index.ts'
import type { Matrix } from '../../reports/judge/matrix.ts'
import { type Ended, freshFolder, startProve } from './testing/command.ts'
import { commitSeed } from './testing/commit-draw.ts'

const until = untilFileEnds()

let ended: Ended
let matrix: Matrix & { run: string }
let cwd: string

beforeAll(async () => {
  cwd = freshFolder(until)
  ended = await startProve(['--seed', String(commitSeed), '--json'], { cwd, until }).ended
  matrix = JSON.parse(ended.stdout)
  // A slow machine with two cores takes a quarter of an hour.
}, 2_400_000)

describe('each deviant is caught under its own clause', () => {
  test.each(written)('$id', ({ id }) => {
    const row = matrix.deviants.find(deviant => deviant.id === id)
    expect(row, `${id}: ${row?.evidence ?? 'no check ran against it'}`).toMatchObject({
      caught: true,
      missedFor: [],
    })
  })
})

test('no finding is told in the words of an assertion library', () => {
  const raw =
    /Object\.is|deeply equal|strictly equal|to be type of|AssertionError|expected (true|false) to be/
  expect(matrix.deviants.filter(({ evidence = '' }) => raw.test(evidence)).map(({ id }) => id)).toEqual([])
})

test('each derived deviant that was drawn is caught, and they are a part of all', () => {
  const rows = matrix.deviants.filter(({ operator }) => operator !== undefined)
  expect(rows.filter(({ caught, missedFor }) => !caught || missedFor.length > 0)).toEqual([])
  expect(rows.length).toBeGreaterThan(derived.length / 32)
  expect(rows.length).toBeLessThan(derived.length / 3)
  expect(matrix.score.derived).toEqual({ name: 'derived', caught: rows.length, of: rows.length })
})

test('variants listed as allowed by the document are not caught: a caught one would be a deviant', () => {
  expect(matrix.allowed.map(({ id }) => id)).toEqual(allowed.map(({ id }) => id))
  expect(matrix.allowed.filter(({ caught }) => caught)).toEqual([])
})

test('a variant that breaks nothing raises no alarm', () => {
  expect(
    matrix.benign.flatMap(({ id, findings, errors }) => [findings, errors].flat().map(one => [id, one])),
  ).toEqual([])
  expect(matrix.benign.length).toBe(Math.ceil(benign.length / 32))
  // A variant of some kinds of product or of one version is tried only there, and never where answers are large.
  for (const { id, checks } of matrix.benign) expect(checks, id).toBeGreaterThan(matrix.control.checks / 60)
})

describe('the untouched deployment', () => {
  test('raises no alarm', () => {
    expect(matrix.control.findings).toEqual([])
    expect(matrix.control.errors).toEqual([])
    expect(matrix.control.checks).toBeGreaterThan(0)
  })
})

test('every binding clause that is exercised has a deviant', () => {
  expect(matrix.unproven).toEqual([])
})

test('the matrix is written, and the command ends with 0', () => {
  expect(ended.code).toBe(0)
  expect(existsSync(join(cwd, 'reports/out', matrix.run, 'prove.json'))).toBe(true)
})
