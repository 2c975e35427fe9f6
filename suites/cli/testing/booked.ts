import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Control, TenantWish } from '../../../fixtures/control.ts'
import { httpControl } from '../../../fixtures/deployments/http-control.ts'
import { variants } from '../../../fixtures/deviants/index.ts'
import { type RunRecord, recordSchema } from '../../../fixtures/record.ts'
import { type Reference, startReference } from '../../../fixtures/reference/server.ts'
import { freshFolder } from './command.ts'

/** A supplier that takes its time, so that there is a middle to stop in. */
const SUPPLIER_MILLISECONDS = 150

/** A deployment that runs until the test ends. */
export interface Served extends Reference {
  control: Required<Control>
}

/** Starts a deployment. */
export async function served(latency = 0): Promise<Served> {
  const reference = await startReference({ latency, variants })
  onTestFinished(() => reference.stop())
  return { ...reference, control: httpControl(reference.controlUrl) as Required<Control> }
}

/** Starts a deployment with one company, and what tells `travel-sales` about it in a fresh folder. */
export async function company(wish: TenantWish = {}, latency = SUPPLIER_MILLISECONDS) {
  const deployment = await served(latency)
  const { tenant, token } = await deployment.control.mint(wish)
  const env = { TSS_BASE_URL: deployment.baseUrl, TSS_TOKEN: token, TSS_PRODUCTS: 'v2-transfers' }
  return { ...deployment, tenant, token, cwd: freshFolder(), env }
}

/** Resolves when the tenant has that many bookings. */
export async function booked(control: Required<Control>, tenant: string, least: number): Promise<void> {
  for (;;) {
    const { bookings } = await control.counters(tenant)
    if (bookings.transfers! >= least) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Folder of the only run that was made in a folder. */
export function onlyRun(cwd: string): string {
  const runs = readdirSync(join(cwd, 'reports/out'))
  expect(runs).toHaveLength(1)
  return join(cwd, 'reports/out', runs[0]!)
}

/** The record in the folder of a run. */
export const recordOf = (run: string): RunRecord =>
  recordSchema.parse(JSON.parse(readFileSync(join(run, 'record.json'), 'utf8')))

/** The record of the only run that was made in a folder. */
export const recordIn = (cwd: string): RunRecord => recordOf(onlyRun(cwd))

/** State of every booking that the files of a run know of, asked from the deployment. */
export async function statesOf(run: string, baseUrl: string, token: string): Promise<Map<string, string>> {
  const files = ['exchanges.ndjson', 'ledger.ndjson']
    .map(name => join(run, name))
    .filter(file => existsSync(file))
  const text = files.map(file => readFileSync(file, 'utf8')).join('')
  const ids = new Set([...text.matchAll(/\\?"booking_?[iI]d\\?":\s*\\?"?(\d+)/g)].map(([, id]) => id!))
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
