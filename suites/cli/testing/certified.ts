import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import { recordIn } from './booked.ts'
import { freshFolder, runTss } from './command.ts'

/** Returns the address of a module below fixtures, as text of a definition names it. */
export const fixture = (path: string): string => new URL(`../../../fixtures/${path}`, import.meta.url).href

/** A run, and what it printed, for unexpected ones. */
export interface Run {
  cwd: string
  code: number | null
  record: RunRecord
  found: string[]
  said: string
}

/** Certifies with a definition, whose text is that of `deployment.ts` in a new folder, beside other files. */
export async function certified(
  definition: string,
  args: readonly string[] = [],
  { files = {}, env = {} }: { files?: Record<string, string>; env?: Record<string, string> } = {},
): Promise<Run> {
  const cwd = freshFolder()
  if (definition !== '') writeFileSync(join(cwd, 'deployment.ts'), definition)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  const { code, stdout, stderr } = await runTss(['certify', ...args], { cwd, env })
  const record = recordIn(cwd)
  const found = record.clauses.flatMap(({ id, findings }) =>
    findings.map(({ message }) => `${id}: ${message}`),
  )
  return { cwd, code, record, found, said: `${stdout}\n${stderr}` }
}

/** Expects that nothing was found; `exercised` tells how much was at least looked at. */
export function expectSilent({ found, record, said }: Run, exercised = 1): void {
  expect(found, said).toEqual([])
  expect(record.errors, said).toEqual([])
  expect(record.coverage.exercised, said).toBeGreaterThanOrEqual(exercised)
}

/** Expects that the deployment conforms. */
export function expectConforms(run: Run): void {
  expectSilent(run)
  expect(run.record.verdict, run.said).toBe('conforms')
}

/** Returns half of the clauses that apply. */
export const half = ({ record }: Run): number => record.coverage.applicable / 2

/** Returns the option that asks for clauses. */
export const only = (what: string): string[] => ['--only', what]
