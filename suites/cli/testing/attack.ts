import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Product } from '../../../fixtures/ground/control.ts'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import { type Alter, type AlteredDeployment, startAltered } from './altered-deployment.ts'
import { recordOf } from './booked.ts'
import { type Ended, freshFolder, type Running, runTss, startTss } from './command.ts'

/** Settings of `travel-sales certify` against a hostile deployment. */
interface Attack {
  args?: readonly string[]
  /** The products that the environment claims; `assumed` for none. */
  products?: readonly Product[] | 'assumed'
  env?: Record<string, string>
  /** Called while the run goes on. */
  meanwhile?: (run: Running, deployment: AlteredDeployment) => Promise<void>
}

/** The result of an attack. */
interface Aftermath extends Ended {
  deployment: AlteredDeployment
  /** Absent if none was written. */
  record: RunRecord | undefined
}

/** Certifies a deployment that misbehaves, and asserts what must hold for every run. */
export async function attack(
  name: string,
  alter: Alter | undefined,
  { args = [], products = ['v2-transfers'], env = {}, meanwhile }: Attack = {},
): Promise<Aftermath> {
  const deployment = await startAltered(alter)
  const { TSS_PRODUCTS, ...own } = await deployment.env(products === 'assumed' ? [] : products)
  const cwd = freshFolder()
  const command = ['certify', ...args]
  const options = {
    cwd,
    env: { ...own, ...(products === 'assumed' ? {} : { TSS_PRODUCTS: TSS_PRODUCTS! }), ...env },
  }
  let ended: Ended
  if (meanwhile === undefined) ended = await runTss(command, options)
  else {
    const run = startTss(command, options)
    await meanwhile(run, deployment)
    ended = await run.ended
  }
  const record = recordIn(cwd)
  expect(record?.errors ?? [], name).toEqual([])
  expect(`${ended.stdout}${ended.stderr}`, name).not.toMatch(/kit itself failed|^\s+at /m)
  return { ...ended, deployment, record }
}

/** Returns the record of the only run in a working directory; `undefined` if none was written. */
function recordIn(cwd: string): RunRecord | undefined {
  const out = join(cwd, 'reports/out')
  const [run] = existsSync(out) ? readdirSync(out) : []
  if (run === undefined || !existsSync(join(out, run, 'record.json'))) return undefined
  return recordOf(join(out, run))
}

/** Returns the distinct reasons of clauses with a verdict. */
export const reasonsIn = (
  record: RunRecord | undefined,
  verdict: RunRecord['clauses'][number]['verdict'],
): string[] => [
  ...new Set(
    (record?.clauses ?? [])
      .filter(row => row.verdict === verdict)
      .flatMap(row => row.reason?.split('; ') ?? []),
  ),
]
