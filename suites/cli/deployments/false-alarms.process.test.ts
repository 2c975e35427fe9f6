import { expect, test } from 'vitest'
import type { Benign } from '../../../fixtures/deviants/deviant.ts'
import { drawDeployments, forOneCompany, hiddenBy } from '../../../fixtures/deviants/testing/together.ts'
import { CONTROL_PARTS, type Control } from '../../../fixtures/ground/control.ts'
import { PRODUCTS as OFFERED } from '../../../fixtures/ground/products.ts'
import { OF_ALL, REQUESTS } from '../definitions/forecast.ts'
import { generous, served } from '../testing/booked.ts'
import { certified, expectSilent, fixture, only } from '../testing/certified.ts'
import { commitSeed, drawn, everything } from '../testing/commit-draw.ts'

// The embedded deployment where it differs as the document allows, or its control does less: every finding is a false alarm. Each
// commit draws one.

/** A rate limit in requests per minute that no run reaches, since waiting for a limit takes minutes. */
const GENEROUS = 1_000_000

/** The number of pairs that a full run of the untouched deployment (1,846) exercises, less what varies with the seed. */
const ASKED = { full: 1780, partner: 1180 }

/** Effects on what checks share beyond what each leaves unchanged show only if the whole deployment has the variant. */
async function judgeTogether(drawn: readonly Benign[], profile: 'full' | 'partner'): Promise<void> {
  const all = profile === 'full' ? drawn : forOneCompany(drawn)
  const variants = `import { patchRules } from '${fixture('deviants/deviant.ts')}'
     import { benign } from '${fixture('deviants/index.ts')}'
     import { asOne } from '${fixture('deviants/testing/together.ts')}'
     const ids = ${JSON.stringify(all.map(({ id }) => id))}
     export const variants = {
       day: asOne(benign.filter(({ id }) => ids.includes(id))),
       generous: patchRules({ rateLimit: { max: { v1: ${GENEROUS}, v2: ${GENEROUS} } } }),
     }`
  const definition = {
    full: `({ ...embedded, control: { ...control, mint: wish => control.mint({ variant: 'day', ...wish }) } })`,
    // One credential and nothing else.
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
  const run = await certified(
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
    ['--seed', '1', ...(everything ? ['--thorough'] : [])],
    { files: { 'variants.ts': variants } },
  )
  const { record } = run
  const said = `${all.map(({ id }) => id).join(' ')}\n${run.said}`
  const departs = all.flatMap(one => (one.departs ?? []) as string[])
  const found = run.found.filter(one => !departs.includes(one.split(':')[0]!))
  expectSilent({ ...run, found, said })
  const hidden = hiddenBy(all, profile)
  expect(record.profile, said).toMatchObject({ name: profile })
  expect(record.profile!.exercised, said).toBeGreaterThan(ASKED[profile] - hidden)
  // A run is incomplete only if the market hides most of its products.
  if (hidden < ASKED[profile] / 10) expect(record.verdict, said).toBe('conforms')
}

/** Every product, because each must be shown to ignore the call. */
const PRODUCTS =
  "'v1-transfers', 'v1-park-a', 'v1-park-b', 'v1-hotels', 'v2-transfers', 'v2-tickets', 'v2-hotels'"

/** Certifies the embedded deployment with these parts of control replaced; returns the verdicts of some clauses. */
async function idle(parts: string, more: string, args: readonly string[] = []) {
  const { baseUrl, controlUrl } = await served()
  const run = await certified(
    `import { httpControl } from '${fixture('deployments/control/http-control.ts')}'
     const nothing = async () => {}
     const control = httpControl('${controlUrl}')
     export default {
       name: 'idle', baseUrl: '${baseUrl}', products: [${PRODUCTS}], credentials: {}, ${more}
       control: { ...control, ${parts} },
       traffic: { perMinute: 1_000_000, concurrency: 20, patience: 0.05 },
     }`,
    args,
  )
  expectSilent(run)
  return (...ids: string[]) =>
    new Set(run.record.clauses.flatMap(({ id, verdict }) => (ids.includes(id) ? [verdict] : [])))
}

/** The tolerated deviation from a forecast: checks may find other standing bookings, and polls take different times. */
const SLACK = 0.15

/** The embedded deployment, with control that does less than it says, or without. */
const EMBEDDED: Record<string, () => Promise<void>> = {
  // That control can make a booking fail says nothing about other steps, or about vouchers.
  async 'control of which little has an effect'() {
    const verdictsOf = await idle(
      `publishVouchers: nothing,
       setOutcome: (tenant, product, step, outcome, version) => {
         const isOrdinary = outcome.kind === 'success'
         const isHeeded =
           isOrdinary ? outcome.voucher === undefined || version === 'v2' : step === 'book' || step === 'search'
         return isHeeded ? control.setOutcome(tenant, product, step, outcome, version) : nothing()
       },`,
      'disposable: true,',
      only(
        'V2-PENDING-* or V2-CANCEL-* or V2-OFFER-GONE-* or V2-PROVIDER-* or V2-IDEM-* or V2-VOUCHER-* or V1-PARK-B-*',
      ),
    )
    expect(
      verdictsOf(
        'V2-CANCEL-REJECTED',
        'V2-VOUCHER-PUBLISHED',
        'V1-PARK-B-STATE-VOUCHER-WAITS',
        'V1-PARK-B-STATE-VOUCHER-PUBLISHED',
      ),
    ).toEqual(new Set(['not exercised']))
    expect(verdictsOf('V2-PROVIDER-UNAVAILABLE', 'V2-VOUCHER-PENDING', 'V2-PENDING-STATUS')).toEqual(
      new Set(['conforms']),
    )
  },
  async 'control that is accepted without effect, which exercises nothing'() {
    const verdictsOf = await idle(
      `setOutcome: nothing, changePrice: nothing, setStock: nothing, expireOffers: nothing, release: nothing,
       advanceClock: nothing,`,
      '',
    )
    expect(
      verdictsOf(
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
      ),
    ).toEqual(new Set(['not exercised']))
    expect(verdictsOf('V2-BOOK-CREATED-STATUS', 'V1-PARK-B-PDF', 'V1-TRANSFER-CANCEL')).toEqual(
      new Set(['conforms']),
    )
  },
  async 'two credentials without control, with as many requests as doctor foretells'() {
    const { baseUrl, control } = await served({ variants: { generous } })
    const token = async () => (await control.mint({ variant: 'generous' })).token
    const env = {
      TSS_BASE_URL: baseUrl,
      TSS_TOKEN: await token(),
      TSS_TOKEN_OTHER: await token(),
      TSS_PER_MINUTE: '1000000',
      TSS_TEST_PRODUCTS: 'v1-park-a,v1-park-b',
    }
    const run = await certified('', [], { env })
    expectSilent(run)
    for (const version of ['v1', 'v2'] as const) {
      const products = OFFERED.filter(product => product.version === version)
      const foretold = OF_ALL[version] * products.reduce((sum, { id }) => sum + REQUESTS[id], 0)
      const sent = run.record.requests[version]
      expect(Math.abs(sent - foretold) / foretold, `${sent} of ${version}`).toBeLessThan(SLACK)
    }
  },
}
const draws = drawDeployments(commitSeed).slice(0, everything ? undefined : 1)
/** A partner's run takes minutes on a market that moves or delays answers. */
const profiles = everything ? (['full', 'partner'] as const) : (['full'] as const)
for (const [at, all] of draws.entries())
  for (const profile of profiles)
    EMBEDDED[`all at once that the document allows, ${profile}, ${at}`] = () => judgeTogether(all, profile)

type Part = keyof Control

/** The parts of control, grouped as checks need them. */
const { 'control:mint': _, 'control:vitals': __, 'control:delay': ___, ...GROUPS } = CONTROL_PARTS
const PIECES: readonly (readonly Part[])[] = Object.values(GROUPS)
const ALL = PIECES.flat()

/** Parts that clauses need only together with another part. */
const SECONDARY: readonly Part[] = ['setStock', 'expireOffers', 'publishVouchers']

/** Clauses whose checks need control, and enough others. */
const CONCERNED =
  'v2-offers or v2-vouchers or V2-CANCEL-* or V2-PENDING-* or V2-BOOK-* or V2-PROVIDER-* or V2-IDEM-* or LIMIT-* or V1-TRANSFER-CANCEL-REFUSED-KEPT'

/**
 * Certifies the embedded deployment with only these parts of control.
 *
 * @param withSecond whether there is a credential of a second company, and, where clocks can be moved, one whose rate limit may be
 * used up
 */
async function judgePart(parts: readonly Part[], mint: boolean, withSecond: boolean): Promise<void> {
  const { baseUrl, controlUrl, control } = await served({ variants: { generous } })
  const standard = await control.mint({ variant: 'generous' })
  const others = withSecond ? { otherCompany: await control.mint({ variant: 'generous' }) } : {}
  const isDriven = withSecond && parts.includes('advanceClock')
  const companies = { standard, ...others, ...(isDriven ? { expendable: await control.mint({}) } : {}) }
  const run = await certified(
    `import { httpControl } from '${fixture('deployments/control/http-control.ts')}'
     const all = httpControl('${controlUrl}')
     const companies = ${JSON.stringify(companies)}
     const of = role => companies[role]?.tenant ?? role
     const credentials = Object.fromEntries(Object.entries(companies).map(([role, { token }]) => [role, { token }]))
     const control = Object.fromEntries(${JSON.stringify(parts)}.map(part => [part, (role, ...rest) => all[part](of(role), ...rest)]))
     export default {
       name: 'parts', baseUrl: '${baseUrl}', products: ['v1-transfers', 'v2-transfers'],
       control: { ...control, ${mint ? 'mint: all.mint' : ''} },
       credentials: ${mint ? '{}' : 'credentials'}, disposable: ${mint},
       traffic: { perMinute: 1_000_000, concurrency: 40, patience: ${isDriven ? 2 : 0.05} },
     }`,
    only(CONCERNED),
  )
  expectSilent(run)
  expect(run.record.checks.filter(({ verdict }) => verdict === 'blocked')).toEqual([])
  expect(run.record.incomplete, run.said).toBeUndefined()
  expect(run.code).toBe(0)
}

/** No part, all parts, all but one, and each alone. */
const PARTS: Record<string, () => Promise<void>> = {
  'no control': () => judgePart([], false, false),
  'no control, and a second company': () => judgePart([], false, true),
  'control that makes companies alone': () => judgePart([], true, false),
  'control that makes no company': () => judgePart(ALL, false, false),
  'control that makes no company, and a second one': () => judgePart(ALL, false, true),
}
for (const [at, piece] of PIECES.entries()) {
  const isEven = at % 2 === 0
  const rest = ALL.filter(part => !piece.includes(part))
  PARTS[`control without ${piece[0]}`] = () => judgePart(rest, isEven, false)
  if (!piece.every(part => SECONDARY.includes(part)))
    PARTS[`control of ${piece[0]} alone`] = () => judgePart(piece, false, isEven)
}

test.each(drawn(Object.entries({ ...EMBEDDED, ...PARTS }), 1, ([name]) => name))(
  'nothing is found: %s',
  (_name, judge) => judge(),
)
