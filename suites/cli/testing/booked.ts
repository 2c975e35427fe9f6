import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Until } from '../../../fixtures/client/testing/until.ts'
import type { Control, Counters, TenantWish } from '../../../fixtures/control.ts'
import { httpControl } from '../../../fixtures/deployments/http-control.ts'
import { patchRules } from '../../../fixtures/deviants/deviant.ts'
import { variants } from '../../../fixtures/deviants/index.ts'
import { type RunRecord, recordSchema } from '../../../fixtures/record.ts'
import { type Reference, type ReferenceOptions, startReference } from '../../../fixtures/reference/server.ts'
import { type Ended, freshFolder } from './command.ts'

/** A supplier that takes its time, so that there is a middle to stop in. */
const SUPPLIER_MILLISECONDS = 150

/** A deployment, and what steers it. */
export interface Served extends Reference {
  control: Required<Control>
}

/** One company answers a whole run, faster than a rate limit allows. */
export const generous = patchRules({ rateLimit: { max: { v1: 1_000_000, v2: 1_000_000 } } })

/** Starts a deployment. */
export async function served(options: ReferenceOptions = {}, until: Until = onTestFinished): Promise<Served> {
  const reference = await startReference({ variants, ...options })
  until(() => reference.stop())
  return { ...reference, control: httpControl(reference.controlUrl) as Required<Control> }
}

/** Starts a deployment with one company, and what tells `travel-sales` about it in a fresh folder. */
export async function company(wish: TenantWish = {}, latency = SUPPLIER_MILLISECONDS) {
  const deployment = await served({ latency })
  const { tenant, token } = await deployment.control.mint(wish)
  const env = { TSS_BASE_URL: deployment.baseUrl, TSS_TOKEN: token, TSS_PRODUCTS: 'v2-transfers' }
  return { ...deployment, tenant, token, cwd: freshFolder(), env }
}

/** Resolves when the deployment has counted enough of a tenant. */
export async function counted(
  control: Required<Control>,
  tenant: string,
  isEnough: (counters: Counters) => boolean,
): Promise<void> {
  while (!isEnough(await control.counters(tenant))) await setTimeout(20)
}

/** Resolves when the tenant has that many bookings. */
export const booked = (control: Required<Control>, tenant: string, least: number): Promise<void> =>
  counted(control, tenant, ({ bookings }) => bookings.transfers! >= least)

/** Folder of the only run that was made in a folder. */
export function onlyRun(cwd: string): string {
  const runs = readdirSync(join(cwd, 'reports/out'))
  expect(runs).toHaveLength(1)
  return join(cwd, 'reports/out', runs[0]!)
}

/** The record in the folder of a run. */
export const recordOf = (run: string): RunRecord =>
  recordSchema.parse(JSON.parse(readFileSync(join(run, 'record.json'), 'utf8')))

/** Folder of the run that a command says it has written. */
export const runOf = (cwd: string, { stdout }: Pick<Ended, 'stdout'>): string =>
  join(cwd, /^Reports: (\S+)/m.exec(stdout)![1]!)

/** Everything that a run left in its folder, as text. */
export const everythingIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')

/** The verdict of a run on each clause. */
export const verdictsOf = (run: string): Map<string, string> =>
  new Map(recordOf(run).clauses.map(({ id, verdict }) => [id, verdict]))

/** The clauses, required or not, that a run saw broken. */
export const brokenIn = (record: RunRecord | undefined): string[] =>
  (record?.clauses ?? []).filter(({ findings }) => findings.length > 0).map(({ id }) => id)

/** The record of the only run that was made in a folder. */
export const recordIn = (cwd: string): RunRecord => recordOf(onlyRun(cwd))

/** State of every booking that the files of a run know of, asked from the deployment. */
export async function statesOf(run: string, baseUrl: string, token: string): Promise<Map<string, string>> {
  const files = ['exchanges.ndjson', 'ledger.ndjson']
    .map(name => join(run, name))
    .filter(file => existsSync(file))
  const text = files.map(file => readFileSync(file, 'utf8')).join('')
  const ids = [...text.matchAll(/\\?"booking_?[iI]d\\?":\s*\\?"?(\d+)/g)].map(([, id]) => id!)
  return statesOfThese(new Set(ids), baseUrl, token)
}

/** State of each of these bookings of v2 that there is, asked from the deployment. */
export async function statesOfThese(
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
    // Some ids are of bookings that were made up.
    if (response.status !== 404) states.set(id, body.booking?.status ?? `answered ${response.status}`)
  }
  return states
}

/** Those of these bookings of v2 that stand, by the deployment's own word. */
export async function standing(ids: Iterable<string>, baseUrl: string, token: string): Promise<string[]> {
  const states = await statesOfThese(ids, baseUrl, token)
  return [...states].flatMap(([id, state]) => (['cancelled', 'failed'].includes(state) ? [] : [id]))
}
