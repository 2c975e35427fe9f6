import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJournal, readLedger } from '../../../fixtures/client/money/ledger.ts'
import { productIds } from '../../../fixtures/ground/products.ts'
import { type AlteredDeployment, startAltered } from '../testing/altered-deployment.ts'
import { onlyRun } from '../testing/booked.ts'
import { freshFolder, runTss, startTss } from '../testing/command.ts'

/** The request at which a run is killed: by then it has booked products of both versions. */
const AT = 400

const GONE = ['cancelled', 'failed']
const isStanding = (_status: number, body: string) => !GONE.includes(JSON.parse(body).booking?.status)
const hasVoucher = (status: number) => status !== 410
/** Where each product shows the state of a booking, and whether it stands. */
const READ: Record<string, { path: string; stands(status: number, body: string): boolean }> = {
  v2: { path: '/api/v2/bookings/', stands: isStanding },
  'v1-hotels': { path: '/api/v1/hotel/distribution/bookingDetail?id_orden=', stands: isStanding },
  'v1-transfers': { path: '/api/v1/transfer/pdf?order_id=', stands: hasVoucher },
  'v1-park-a': { path: '/api/v1/parkA/pdf?order_id=', stands: hasVoucher },
  'v1-park-b': { path: '/api/v1/parkB/pdf?order_id=', stands: hasVoucher },
}
const CONFIRMATIONS: [product: string, path: RegExp][] = [
  ['v2', /^\/api\/v2\/bookings$/],
  ['v1-hotels', /\/bookingConfirm$/],
  ['v1-transfers', /\/transferConfirm$/],
  ['v1-park-a', /parkA\/ticketConfirm$/],
  ['v1-park-b', /parkB\/ticketConfirm$/],
]

interface Made {
  product: string
  id: string
}

/** Starts a deployment that notes each booking it made, whether or not the answer arrived. */
async function noting() {
  const made: Made[] = []
  const kill = { at: Number.POSITIVE_INFINITY, now: () => {} }
  const deployment = await startAltered(async (request, pass) => {
    if (request.number >= kill.at) kill.now()
    const answer = await pass()
    const [product] = CONFIRMATIONS.find(([, path]) => path.test(request.path.split('?')[0]!)) ?? []
    if (request.method !== 'POST' || product === undefined || answer.status >= 300) return answer
    const shown = JSON.parse(String(answer.body))
    const id = shown.booking?.booking_id ?? shown.id_orden ?? shown.id_order
    if (id !== undefined) made.push({ product, id: String(id) })
    return answer
  })
  return { deployment, made, kill }
}

async function standing(
  { reference, control }: AlteredDeployment,
  companyOf: string,
  made: readonly Made[],
): Promise<Made[]> {
  // The rate limit of the run's own credential is left to the run.
  const { token } = await control.mint({ companyOf })
  const found = new Map<string, Made>()
  for (const one of made) {
    const { path, stands } = READ[one.product]!
    const answer = await fetch(reference.baseUrl + path + one.id, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).not.toBe(429)
    if (stands(answer.status, await answer.text())) found.set(`${one.product} ${one.id}`, one)
  }
  return [...found.values()]
}

test('SIGKILL while products of both versions are booked: what stands after cleanup is listed', async () => {
  const { deployment, made, kill } = await noting()
  const { tenant, ...company } = await deployment.company(productIds)
  const cwd = freshFolder()
  const env = { ...company.env, TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b', TSS_PATIENCE_MINUTES: '1.5' }
  const run = startTss(['certify'], { cwd, env })
  Object.assign(kill, { at: AT, now: () => run.send('SIGKILL') })
  await run.ended
  kill.at = Number.POSITIVE_INFINITY
  expect(made.length).toBeGreaterThan(0)
  const folder = onlyRun(cwd)
  const { stdout, stderr } = await runTss(['cleanup', folder], { cwd, env })
  const stand = await standing(deployment, tenant, made)
  const left = existsSync(join(folder, 'ledger.ndjson')) ? readLedger(folder) : []
  const named = new Set(left.flatMap(({ bookingId }) => (bookingId === undefined ? [] : [bookingId])))
  const unnamed = left.filter(({ bookingId }) => bookingId === undefined)
  // A booking whose answer was lost is listed without its id.
  expect(stand.filter(({ id }) => !named.has(id)).slice(unnamed.length)).toEqual([])
  expect(stderr).toMatch(/^(?:Deployment: .*\n)?$/)
  if (left.length > 0) expect(readJournal(folder).account.places).toHaveLength(1)
  const [, hint] = /--acknowledge (\S+)/.exec(stdout) ?? []
  if (hint !== undefined) expect([...left.map(({ id }) => id), 'all']).toContain(hint)
  expect(stdout.match(/^Left: .*$/gm) ?? []).toHaveLength(left.length)
})
