import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Benign } from '../../fixtures/deviants/deviant.ts'
import { drawDeployments, hiddenBy } from '../../fixtures/deviants/testing/together.ts'
import { PRODUCTS as OFFERED } from '../../fixtures/ground/products.ts'
import { OF_ALL, REQUESTS } from './forecast.ts'
import { generous, onlyRun, recordIn, served } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'
import { commitSeed, drawn, everything } from './testing/commit-draw.ts'

// Deployments that are certified whole, or nearly, and of which every finding is a false alarm. Each commit draws one.

const fixture = (path: string): string => new URL(`../../fixtures/${path}`, import.meta.url).href

/** A rate limit in requests per minute that no run reaches, since waiting for a limit takes minutes. */
const GENEROUS = 1_000_000

/** The number of pairs that a full run of the untouched deployment (1,846) exercises, less what varies with the seed. */
const ASKED = { full: 1780, partner: 1180 }

/**
 * Writes a definition of the embedded deployment with all these variants for every company; a partner has one credential and
 * nothing else.
 */
function definitionOf(all: readonly Benign[], profile: 'full' | 'partner'): string {
  const folder = freshFolder()
  writeFileSync(
    join(folder, 'variants.ts'),
    `import { patchRules } from '${fixture('deviants/deviant.ts')}'
     import { benign } from '${fixture('deviants/index.ts')}'
     import { asOne } from '${fixture('deviants/testing/together.ts')}'
     const ids = ${JSON.stringify(all.map(({ id }) => id))}
     export const variants = {
       day: asOne(benign.filter(({ id }) => ids.includes(id))),
       generous: patchRules({ rateLimit: { max: { v1: ${GENEROUS}, v2: ${GENEROUS} } } }),
     }`,
  )
  const definition = {
    full: `({ ...embedded, control: { ...control, mint: wish => control.mint({ variant: 'day', ...wish }) } })`,
    partner: `({
      ...embedded,
      control: {},
      credentials: {
        standard: {
          token,
          modes: { transfers: 'test', parkA: 'test', parkB: 'test', hotels: 'test' },
          features: { resortHotels: false, restrictedCatalog: false, sellsVouchers: false, voucherDelivery: true },
        },
      },
      disposable: false,
      traffic: { concurrency: 24, perMinute: ${GENEROUS}, patience: 1 },
    })`,
  }[profile]
  writeFileSync(
    join(folder, 'deployment.ts'),
    `import whole from '${fixture('deployments/embedded.ts')}'
     import { httpControl } from '${fixture('deployments/control/http-control.ts')}'
     import { launchReference } from '${fixture('reference/thread.ts')}'
     export async function launch() {
       const variants = new URL('variants.ts', import.meta.url).href
       const { stop, ...values } = await launchReference({ variants })
       const { token } = await httpControl(values.controlUrl).mint({ variant: 'day+generous' })
       return { values: { ...values, token }, stop }
     }
     export default ({ token, ...started }) => {
       const { control, ...embedded } = whole(started)
       return ${definition}
     }`,
  )
  return folder
}

/** Effects on what checks share beyond what each leaves unchanged show only if the whole deployment has the variant. */
async function judgeTogether(all: readonly Benign[], profile: 'full' | 'partner'): Promise<void> {
  const cwd = definitionOf(all, profile)
  const args = ['certify', '--deployment', 'deployment.ts', '--seed', '1']
  const { stdout, stderr } = await runTss(everything ? [...args, '--thorough'] : args, { cwd })
  const said = `${all.map(({ id }) => id).join(' ')}\n${stdout}\n${stderr}`
  const record = recordIn(cwd)
  const departs = all.flatMap(one => one.departs ?? [])
  const judged = record.clauses.filter(({ id }) => !departs.includes(id as never))
  const found = judged.flatMap(({ findings }) => findings.map(({ message }) => message))
  expect(found, said).toEqual([])
  expect(record.errors, said).toEqual([])
  const hidden = hiddenBy(all, profile)
  expect(record.profile, said).toMatchObject({ name: profile })
  expect(record.profile!.exercised, said).toBeGreaterThan(ASKED[profile] - hidden)
  // A run is incomplete only if the market hides most of its products.
  if (hidden < ASKED[profile] / 10) expect(record.verdict, said).toBe('conforms')
}

/** Availability endpoints of other products, which must not be called if one product is claimed. */
const OTHERS = {
  'v2-hotels': /\/v2\/(?:transfers|tickets)\/availability/,
  'v2-tickets': /\/v2\/(?:transfers|hotels)\/availability/,
} as const

/** Certifies one product alone: its bookings are checked, and nothing else is quoted or booked. */
async function judgeAlone(product: keyof typeof OTHERS): Promise<void> {
  const cwd = freshFolder()
  const embedded = fixture('deployments/embedded.ts')
  writeFileSync(
    join(cwd, 'one.ts'),
    `import embedded from '${embedded}'
     export { launch } from '${embedded}'
     export default addresses => ({ ...embedded(addresses), name: 'one', products: ['${product}'] })`,
  )
  const { code } = await runTss(['certify', '--deployment', 'one.ts'], { cwd })
  expect(code).toBe(0)
  const lines = readFileSync(join(onlyRun(cwd), 'exchanges.ndjson'), 'utf8').split('\n')
  const asked = lines.flatMap(line => {
    if (line === '') return []
    const { method, path } = (JSON.parse(line) as { request: { method: string; path: string } }).request
    return method === 'POST' ? [path] : []
  })
  expect(asked.filter(path => OTHERS[product].test(path))).toEqual([])
  // An item is booked from an offer, and no offer of another product was ever requested.
  expect(asked.filter(path => path === '/api/v2/bookings').length).toBeGreaterThan(100)
}

/** Every product, because each must be shown to ignore the call. */
const PRODUCTS =
  "'v1-transfers', 'v1-park-a', 'v1-park-b', 'v1-hotels', 'v2-transfers', 'v2-tickets', 'v2-hotels'"

/** Certifies the embedded deployment with these parts of control replaced. */
async function certified(parts: string, more: string, args: readonly string[] = []) {
  const { baseUrl, controlUrl } = await served()
  const cwd = freshFolder()
  writeFileSync(
    join(cwd, 'idle.ts'),
    `import { httpControl } from '${fixture('deployments/control/http-control.ts')}'
     const nothing = async () => {}
     const control = httpControl('${controlUrl}')
     export default {
       name: 'idle', baseUrl: '${baseUrl}', products: [${PRODUCTS}], credentials: {}, ${more}
       control: { ...control, ${parts} },
       traffic: { perMinute: 1_000_000, concurrency: 20, patience: 0.05 },
     }`,
  )
  const { stdout, stderr } = await runTss(['certify', '--deployment', 'idle.ts', ...args], { cwd })
  const { clauses, errors } = recordIn(cwd)
  expect(clauses.flatMap(({ findings }) => findings.map(({ message }) => message))).toEqual([])
  expect(errors, `${stdout}\n${stderr}`).toEqual([])
  return (id: string) => clauses.find(clause => clause.id === id)?.verdict
}

/** Control that does less than it says. */
const IDLE = {
  // That control can make a booking fail says nothing about other steps, or about vouchers.
  async 'control of which little has an effect accuses nobody'() {
    const verdictOf = await certified(
      `publishVouchers: nothing,
       setOutcome: (tenant, product, step, outcome, version) => {
         const isOrdinary = outcome.kind === 'success'
         const isHeeded =
           isOrdinary ? outcome.voucher === undefined || version === 'v2' : step === 'book' || step === 'search'
         return isHeeded ? control.setOutcome(tenant, product, step, outcome, version) : nothing()
       },`,
      'disposable: true,',
      [
        '--only',
        'V2-PENDING-* or V2-CANCEL-* or V2-OFFER-GONE-* or V2-PROVIDER-* or V2-IDEM-* or V2-VOUCHER-* or V1-PARK-B-*',
      ],
    )
    for (const id of ['V2-CANCEL-REJECTED', 'V2-VOUCHER-PUBLISHED'])
      expect([id, verdictOf(id)]).toEqual([id, 'not exercised'])
    for (const id of ['V1-PARK-B-STATE-VOUCHER-WAITS', 'V1-PARK-B-STATE-VOUCHER-PUBLISHED'])
      expect([id, verdictOf(id)]).toEqual([id, 'not exercised'])
    for (const id of ['V2-PROVIDER-UNAVAILABLE', 'V2-VOUCHER-PENDING', 'V2-PENDING-STATUS'])
      expect([id, verdictOf(id)]).toEqual([id, 'conforms'])
  },

  async 'control that is accepted without effect accuses nobody, and exercises nothing'() {
    const verdictOf = await certified(
      `setOutcome: nothing, changePrice: nothing, setStock: nothing, expireOffers: nothing, release: nothing,
       advanceClock: nothing,`,
      '',
    )
    for (const id of [
      'V2-PROVIDER-ERROR',
      'V2-PENDING-STATUS',
      'V2-OFFER-GONE-BOOK',
      'V2-OFFER-PRICE-BOOK',
      'V2-NO-AVAILABILITY-BOOK',
      'V2-IDEM-REPLAY-PRICE-MOVED',
      'V2-IDEM-REPLAY-OFFER-GONE',
      'V2-IDEM-REPLAY-SOLD-OUT',
      'V2-CANCEL-REJECTED',
      'V2-CANCEL-DEADLINE',
      'V2-PENDING-SETTLES-CONFIRMED',
      'V2-IDEM-ABANDONED',
      'V2-OFFER-HOTEL-GONE-CHECK',
      'V1-PARK-A-STATE-VOUCHER-WAITS',
      'V1-PARK-B-STATE-VOUCHER-WAITS',
      'V1-PARK-A-STATE-PARTIAL',
      'V1-PARK-B-ERR-CANCEL-REFUSED',
      'V1-HOTEL-ERR-CANCEL-REJECTED',
      'V1-IDEM-RELEASED-TRANSFER',
    ])
      expect([id, verdictOf(id)]).toEqual([id, 'not exercised'])
    for (const id of ['V2-BOOK-CREATED-STATUS', 'V1-PARK-B-PDF', 'V1-TRANSFER-CANCEL'])
      expect([id, verdictOf(id)]).toEqual([id, 'conforms'])
  },
}

/** The tolerated deviation from a forecast: checks may find other standing bookings, and polls take different times. */
const SLACK = 0.15

/** Certifies with two credentials and no control, and compares the number of requests with the forecast. */
async function judgeForecast(): Promise<void> {
  const { baseUrl, control } = await served({ variants: { generous } })
  const token = async () => (await control.mint({ variant: 'generous' })).token
  const env = {
    TSS_BASE_URL: baseUrl,
    TSS_TOKEN: await token(),
    TSS_TOKEN_OTHER: await token(),
    TSS_PER_MINUTE: '1000000',
    TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
  }
  const { stdout } = await runTss(['certify', '--json'], { cwd: freshFolder(), env })
  const { requests, findings } = JSON.parse(stdout)
  expect(findings).toEqual([])
  for (const version of ['v1', 'v2'] as const) {
    const products = OFFERED.filter(product => product.version === version)
    const foretold = OF_ALL[version] * products.reduce((sum, { id }) => sum + REQUESTS[id], 0)
    expect(
      Math.abs(requests[version] - foretold) / foretold,
      `${requests[version]} of ${version}`,
    ).toBeLessThan(SLACK)
  }
}

const draws = drawDeployments(commitSeed).slice(0, everything ? undefined : 1)
/** A partner's run takes minutes on a market that moves or delays answers. */
const profiles = everything ? (['full', 'partner'] as const) : (['full'] as const)

const WHOLE: Record<string, () => Promise<void>> = {
  'v2-hotels alone': () => judgeAlone('v2-hotels'),
  'v2-tickets alone': () => judgeAlone('v2-tickets'),
  'two credentials without control, with as many requests as are foretold': judgeForecast,
  ...IDLE,
}
for (const [at, all] of draws.entries())
  for (const profile of profiles)
    WHOLE[`all at once that the document allows, ${profile}, ${at}`] = () => judgeTogether(all, profile)

test.each(drawn(Object.entries(WHOLE), 1, ([name]) => name))('nothing is found: %s', (_name, judge) =>
  judge(),
)
