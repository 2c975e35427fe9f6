import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Failure } from './failure.ts'
import { definitionOfRun, makeRunFolder } from './run-folder.ts'

const now = new Date('2027-09-01T10:15:00.123Z')

let out: string
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'runs-'))
})
afterEach(() => rmSync(out, { recursive: true }))

test('the folder is named after time and seed', () => {
  const { run, path } = makeRunFolder(join(out, 'deep', 'down'), 1734, 'file:///x.ts', now)
  expect(run).toBe('20270901T101500-1734')
  expect(path).toBe(join(out, 'deep', 'down', run))
  expect(existsSync(path)).toBe(true)
})

test('runs of the same second and seed get a folder each', () => {
  const runs = [1, 2, 3].map(() => makeRunFolder(out, 1, 'file:///x.ts', now).run)
  expect(new Set(runs).size).toBe(3)
  expect(readdirSync(out)).toHaveLength(3)
})

test('a folder that cannot be made is a wrong call', () => {
  const file = join(out, 'file')
  writeFileSync(file, '')
  const make = () => makeRunFolder(join(file, 'runs'), 1, 'file:///x.ts', now)
  expect(make).toThrow(Failure)
  expect(make).toThrow(/could not be made in .*file\/runs \(ENOTDIR\): .*--out/)
})

test('a run goes on as long as it is not over and its process lives', () => {
  const { path, release } = makeRunFolder(out, 1, 'file:///x.ts', now)
  const note = join(path, 'run.json')
  // The test runner's own parent is as alive as anything.
  writeFileSync(note, JSON.stringify({ pid: process.ppid, definition: 'file:///x.ts', over: false }))
  expect(() => definitionOfRun(path)).toThrow('is still going on')
  writeFileSync(note, JSON.stringify({ pid: 999999999, definition: 'file:///x.ts', over: false }))
  expect(definitionOfRun(path)).toBe('file:///x.ts')
  release()
  expect(definitionOfRun(path)).toBe('file:///x.ts')
})

test('a folder without a note is no run of ours', () => {
  expect(definitionOfRun(out)).toBeUndefined()
})
