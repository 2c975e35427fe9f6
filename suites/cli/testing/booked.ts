import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Until } from '../../../fixtures/client/testing/until.ts'
import { httpControl } from '../../../fixtures/deployments/control/http-control.ts'
import { patchRules } from '../../../fixtures/deviants/deviant.ts'
import { variants } from '../../../fixtures/deviants/index.ts'
import type { Control, Counters, TenantWish } from '../../../fixtures/ground/control.ts'
import { type RunRecord, recordSchema } from '../../../fixtures/ground/record.ts'
import { type Reference, type ReferenceOptions, startReference } from '../../../fixtures/reference/server.ts'
import { type Ended, freshFolder, runTss } from './command.ts'

/** The latency of a slow supplier, so that a run can be stopped half way. */
const SUPPLIER_MILLISECONDS = 150

/** A deployment with its control. */
export interface Served extends Reference {
  control: Required<Control>
}

/** A rate limit so high that one company can answer a whole run. */
export const generous = patchRules({ rateLimit: { max: { v1: 1_000_000, v2: 1_000_000 } } })

export async function served(options: ReferenceOptions = {}, until: Until = onTestFinished): Promise<Served> {
  const reference = await startReference({ variants, ...options })
  until(() => reference.stop())
  return { ...reference, control: httpControl(reference.controlUrl) as Required<Control> }
}

/** Starts a deployment with one company; returns both, with a new folder and the environment for `travel-sales`. */
export async function company(wish: TenantWish = {}, latency = SUPPLIER_MILLISECONDS) {
  const deployment = await served({ latency })
  const { tenant, token } = await deployment.control.mint(wish)
  const env = { TSS_BASE_URL: deployment.baseUrl, TSS_TOKEN: token, TSS_PRODUCTS: 'v2-transfers' }
  return { ...deployment, tenant, token, cwd: freshFolder(), env }
}

/** Resolves once the counters of a tenant match. */
export async function counted(
  control: Required<Control>,
  tenant: string,
  isEnough: (counters: Counters) => boolean,
): Promise<void> {
  while (!isEnough(await control.counters(tenant))) await setTimeout(20)
}

/** Resolves once the tenant has that many bookings. */
export const booked = (control: Required<Control>, tenant: string, least: number): Promise<void> =>
  counted(control, tenant, ({ bookings }) => bookings.transfers! >= least)

/** Returns the folder of the only run in a working directory. */
export function onlyRun(cwd: string): string {
  const runs = readdirSync(join(cwd, 'reports/out'))
  expect(runs).toHaveLength(1)
  return join(cwd, 'reports/out', runs[0]!)
}

export const recordOf = (run: string): RunRecord =>
  recordSchema.parse(JSON.parse(readFileSync(join(run, 'record.json'), 'utf8')))

/** Returns the folder of the run that a command's output names. */
export const runOf = (cwd: string, { stdout }: Pick<Ended, 'stdout'>): string =>
  join(cwd, /^Reports: (\S+)/m.exec(stdout)![1]!)

/** Returns the text of all files in a folder. */
export const everythingIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

export const verdictsOf = (run: string): Map<string, string> =>
  new Map(recordOf(run).clauses.map(({ id, verdict }) => [id, verdict]))

/** Returns the clauses, required or recommended, with findings. */
export const brokenIn = (record: RunRecord | undefined): string[] =>
  (record?.clauses ?? []).filter(({ findings }) => findings.length > 0).map(({ id }) => id)

/** Returns the record of the only run in a working directory. */
export const recordIn = (cwd: string): RunRecord => recordOf(onlyRun(cwd))

/** Asks the deployment for the state of every booking in the files of a run. */
export async function statesOf(run: string, baseUrl: string, token: string): Promise<Map<string, string>> {
  const files = ['exchanges.ndjson', 'ledger.ndjson']
    .map(name => join(run, name))
    .filter(file => existsSync(file))
  const text = files.map(file => readFileSync(file, 'utf8')).join('')
  const ids = [...text.matchAll(/\\?"booking_?[iI]d\\?":\s*\\?"?(\d+)/g)].map(([, id]) => id!)
  return statesOfThese(new Set(ids), baseUrl, token)
}

/** Asks the deployment for the states of those of these v2 bookings that exist. */
async function statesOfThese(
  ids: Iterable<string>,
  baseUrl: string,
  token: string,
): Promise<Map<string, string>> {
  const states = new Map<string, string>()
  for (const id of ids) {
    const response = await fetch(`${baseUrl}/api/v2/bookings/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const body = (await response.json()) as { booking?: { status: string } }
    // Some ids are invented.
    if (response.status !== 404) states.set(id, body.booking?.status ?? `answered ${response.status}`)
  }
  return states
}

/** Returns which of these v2 bookings stand, according to the deployment. */
export async function standing(ids: Iterable<string>, baseUrl: string, token: string): Promise<string[]> {
  const states = await statesOfThese(ids, baseUrl, token)
  return [...states].flatMap(([id, state]) => (['cancelled', 'failed'].includes(state) ? [] : [id]))
}

/** Puts load on the embedded deployment, or on the one in the environment. */
export async function load(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended & { record: RunRecord; cwd: string }> {
  const cwd = freshFolder()
  const ended = await runTss(['load', ...args], { cwd, env })
  return { ...ended, cwd, record: recordIn(cwd) }
}
