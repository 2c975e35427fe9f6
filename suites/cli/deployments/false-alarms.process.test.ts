import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StoredExchange } from '../../../fixtures/client/redaction/stored.ts'
import type { Benign } from '../../../fixtures/deviants/deviant.ts'
import { drawDeployments, forOneCompany, hiddenBy } from '../../../fixtures/deviants/testing/together.ts'
import { CONTROL_PARTS, type Control } from '../../../fixtures/ground/control.ts'
import { PRODUCTS as OFFERED } from '../../../fixtures/ground/products.ts'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import { FAULTS } from '../../../fixtures/second/faults.ts'
import { OF_ALL, REQUESTS } from '../definitions/forecast.ts'
import { generous, onlyRun, recordIn, served } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'
import { commitSeed, drawn, everything } from '../testing/commit-draw.ts'

// Deployments that keep the document, certified whole or nearly: every finding is a false alarm. Each commit draws one of each table.

const fixture = (path: string): string => new URL(`../../../fixtures/${path}`, import.meta.url).href

/** A run, and what it printed, for unexpected ones. */
interface Run {
  cwd: string
  code: number | null
  record: RunRecord
  found: string[]
  said: string
}

/** Certifies with a definition, whose text is that of `deployment.ts` in a new folder, beside other files. */
async function certified(
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
function expectSilent({ found, record, said }: Run, exercised = 1): void {
  expect(found, said).toEqual([])
  expect(record.errors, said).toEqual([])
  expect(record.coverage.exercised, said).toBeGreaterThanOrEqual(exercised)
}

function expectConforms(run: Run): void {
  expectSilent(run)
  expect(run.record.verdict, run.said).toBe('conforms')
}

const half = ({ record }: Run): number => record.coverage.applicable / 2

const only = (what: string): string[] => ['--only', what]

/** Certifies the second deployment by one of its definitions, with other rules. */
function second(definition: string, rules = '', args: readonly string[] = [], more = {}): Promise<Run> {
  const text = `import { startService } from '${fixture('second/service.ts')}'
     import { FAULTS } from '${fixture('second/faults.ts')}'
     export { default } from '${fixture(`second/${definition}`)}'
     export async function launch() {
       const { stop, ...values } = await startService({ ${rules} })
       return { values, stop }
     }`
  return certified(text, ['--seed', String(commitSeed), ...args], more)
}

/** Certifies whole, by a profile, and expects that nothing stays booked. */
async function expectWhole(definition: string, profile: string): Promise<void> {
  const run = await second(definition)
  expectConforms(run)
  expect([run.record.profile?.name, run.code], run.said).toEqual([profile, 0])
  // If the market refuses the only bookings for which a credential asks, none proves test mode, and without control
  // nothing else shows that none was made.
  const refused = /^may be booked: refused with 4\d\d.*, and not proven$/
  const { leftovers } = run.record
  expect(leftovers.filter(({ reason }) => profile === 'full' || !refused.test(reason))).toEqual([])
}

/** Returns the number of orders and bookings that each check of a run made. */
function ordersByCheck(run: string): Map<string, number> {
  const made = new Map<string, number>()
  for (const line of readFileSync(join(run, 'exchanges.ndjson'), 'utf8').trim().split('\n')) {
    // Facts stand between the exchanges.
    const { check, request, response } = JSON.parse(line) as Partial<StoredExchange>
    if (check === undefined || request === undefined) continue
    if (!/(?:Confirm|\/bookings)$/.test(request.path) || (response?.status ?? 400) > 201) continue
    made.set(check, (made.get(check) ?? 0) + 1)
  }
  return made
}

/** The second deployment differs from the embedded one wherever the document leaves something open. */
const SECOND: Record<string, () => Promise<void>> = {
  'the second deployment with control': () => expectWhole('deployment.ts', 'full'),
  'the second deployment without control, as a partner': () => expectWhole('without-control.ts', 'partner'),
  // Refusals of a market are not faults: how much is exercised differs from day to day, the findings do not.
  async 'the second deployment on a market that refuses much of what is asked: a bad day'() {
    const run = await certified(`export * from '${fixture('second/bad-day.ts')}'
      export { default } from '${fixture('second/bad-day.ts')}'`)
    expectSilent(run, half(run))
    // A check that repeats refused orders in each round would never end. One that was refused runs again, in pairs, with up to
    // 14 orders each time.
    expect(Math.max(...ordersByCheck(onlyRun(run.cwd)).values())).toBeLessThan(150)
  },
  // Where it is not to let offers expire, it leaves what was found on sale.
  async 'the second deployment whose control does what it is asked by moving the clock'() {
    const takes = '{ expireOffers: 31, publishVouchers: 93, release: 16, changePrice: 5, setStock: 12 }'
    const run = await second('deployment.ts', `takes: part => (${takes})[part] ?? 0`)
    expectConforms(run)
    expect(run.code).toBe(0)
  },
  async 'the second deployment on which what was found has expired once control acted'() {
    const rules = 'takes: part => ({ setOutcome: 9, setStock: 40 })[part] ?? 0'
    expectConforms(await second('deployment.ts', rules, only('V1-IDEM-RELEASED-HOTEL')))
  },
  async 'the second deployment behind a gateway that answers in its place now and then, on a market that sells dearer for a moment'() {
    const run = await second(
      'deployment.ts',
      // Resort hotels A are sold at the checked price or not at all; their checks show ticket packages.
      `count: 0,
       resorts: new Set(),
       answered(answer, { path, token }) {
         if (JSON.stringify(answer.body ?? null).includes('ticket_options')) this.resorts.add(token)
         if (++this.count % 40 === 0) {
           const headers = { 'content-type': 'text/html' }
           return { status: 502 + (this.count % 3), body: Buffer.from('<html>Bad Gateway</html>'), headers }
         }
         const { booking: { total } = {}, idempotent_replay: again } = answer.body ?? {}
         if (path.endsWith('bookingConfirm') && total && !again && !this.resorts.has(token) && this.count % 3 === 0) total.price += 2.5
         return answer
       }`,
    )
    expectSilent(run, half(run))
  },
  // A check that orders for one traveler is only told that the order cannot be booked as sent.
  async 'the second deployment on a market that sells v1 tickets to two at least, and to nobody twice'() {
    const rules = 'fewestTickets: 2, takesNamesakes: false'
    expectConforms(await second('deployment.ts', rules, only('v1-park-a or v1-park-b')))
  },
  // The document says nothing of letters. That they are refused is a recommendation not followed, and nothing else.
  async 'the second deployment on a market that takes no names beyond ASCII'() {
    const rules = `asked(text) {
      if (!/"(?:travelers|pax|bookingHolder)":/.test(text)) return text
      try {
        const { external_reference: _, ...body } = JSON.parse(text)
        return /[^ -~]/.test(JSON.stringify(body)) ? '{' : text
      } catch {
        return text
      }
    }`
    const { found, said } = await second('deployment.ts', rules, only('v1-park-b or v2-bookings'))
    expect(new Set(found.map(one => one.split(':')[0])), said).toEqual(
      new Set(['V1-PARK-B-PAX-LETTERS', 'V2-BOOK-LETTERS']),
    )
  },
  // The standard order is made from rates that pass their check; orders of several rooms must be, too.
  async 'the second deployment on a market that sells two thirds of all hotel rates alone'() {
    const sold = '[...key].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 7) % 3 > 0'
    expectSilent(await second('deployment.ts', `sellsRate: key => ${sold}`, only('V1-HOTEL-CONFIRM-*')), 81)
  },
  async 'the second deployment on a market that sells tickets and transfers on the next days alone'() {
    const rules =
      'soldOut: (product, date) => !/^(NIGHT|5..$)/.test(product) && Date.parse(date) > Date.now() + 8 * 86_400_000'
    const what = only('v2-tickets or v2-transfers or v1-park-a or v1-park-b')
    expectConforms(await second('without-control.ts', rules, what))
  },
  async 'the second deployment on a market that numbers bookings and orders beyond 2^53'() {
    const rules = `written: text => text.replace(
         /("(?:booking_id|item_id|id_orden|id_order|eventId)":|bookings\\/|order_id=)(\\d{4,})/g,
         (_, name, id) => name + '9876543210987' + id,
       ),
       asked: text => text.replaceAll(/\\b9876543210987(?=\\d{4,6}\\b)/g, '')`
    const what = only('V2-BOOKING-* or V2-VOUCHER-* or V2-CANCEL-* or V1-HOTEL-CONFIRM-* or V1-PARK-A-*')
    const run = await second('without-control.ts', rules, what)
    expectConforms(run)
    expect(run.code).toBe(0)
  },
  // What is listed, shown early, rounded, and said of stays is the deployment's: each of these is allowed.
  async 'the second deployment on a market that lists, numbers and rounds otherwise, and has no stay past the end of a month'() {
    const { found, said } = await second(
      'deployment.ts',
      `asked: text => text.replace(/(?<="to_date":\\s*")[^"]+/, to => {
         const [from = to] = /(?<="from_date":\\s*")[^"]+/.exec(text) ?? []
         return to.slice(0, 7) === from.slice(0, 7) ? to : from
       }),
       answered(answer, { path }) {
         const { rooms, results, hcn_status: number } = answer.body ?? {}
         // Tomorrow is the last day of a month, so that an ordinary stay is refused for its end.
         const now = new Date()
         answer.headers.date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), -1, 12)).toUTCString()
         if (number === 'pending') for (const [at, room] of rooms.entries()) room.hcn = 'H' + at
         if (path.includes('/transfers/availability'))
           for (const { days } of results ?? []) for (const day of days) if (day.total) day.total += 0.004
         const { rows } = answer.body ?? {}
         if (rows) answer.body.rows = rows.filter(({ type, id }) => type !== 'hotel' || id > 90_540)
         // The first countries have no content.
         if (path.includes('/locations') && answer.body.some?.(({ kind }) => kind === 'C'))
           answer.body.unshift(...[7, 8, 9].map(id => ({ kind: 'C', id, country_id: null, division_id: null })))
         return answer
       }`,
      only(
        'V1-HOTEL-DESTINATIONS-ACCOUNT or V1-HOTEL-LOCATION-* or V1-HOTEL-SEARCH-CHILD-* or V1-HOTEL-SEARCH-ADULTS-* or V1-HOTEL-ERR-DATE or V2-OFFER-CARRIES-PRICE or V1-HOTEL-HCN-PDF',
      ),
    )
    expect(
      found.filter(one => !one.startsWith('V1-HOTEL-HCN-BECOMES-AVAILABLE')),
      said,
    ).toEqual([])
  },
  async 'the second deployment with 1,400 requests a minute arranged, whether the definition states it or not'() {
    const what = only('LIMIT-V1-SERVES-500 or LIMIT-V2-REFUSES-MORE')
    const unstated = await second('deployment.ts', 'perMinute: 1400', what)
    expectSilent(unstated, 0)
    expect(unstated.record.verdict).toBe('incomplete')
    const stated = `import whole from '${fixture('second/deployment.ts')}'
      export { launch } from './deployment.ts'
      export default started => ({ ...whole(started), limits: { perMinute: 1400 } })`
    const asked = [...what, '--deployment', 'stated.ts']
    expectConforms(
      await second('deployment.ts', 'perMinute: 1400', asked, { files: { 'stated.ts': stated } }),
    )
  },
  // The new price is quoted for the same day, and a partner has no control to tell a rise from a fault.
  async 'the second deployment on a market that raises all prices as soon as somebody wants to buy'() {
    expectConforms(await second('without-control.ts', 'rises: () => 2.5'))
  },
  // Each of these is allowed, and it is the first booking that must prove test mode.
  async 'the second deployment on a market whose first booking of each kind is unlucky, and everything is decided all the same'() {
    const run = await second(
      'without-control.ts',
      `unlucky: {
         bookings: [409, { error: { code: 'BOOKING_IN_PROGRESS', message: 'x', request_id: 'r', details: {} } }],
         bookingConfirm: [409, { error: 'ORDER_CONFIRMATION_IN_PROGRESS', message: 'x', code: 409, request_id: 'r' }],
         transferConfirm: [502, { message: 'source' }],
         ticketConfirm: [502, { error: 'External API error', message: 'x', code: 502, request_id: 'r' }],
       },
       seen: new Set(),
       answered(answer, { method, path, token }) {
         const unlucky = this.unlucky[path.split('/').at(-1)]
         if (method !== 'POST' || unlucky === undefined || answer.status > 299 || this.seen.has(token + path)) return answer
         this.seen.add(token + path)
         return { status: unlucky[0], body: unlucky[1], headers: { ...answer.headers, 'x-request-id': 'r' } }
       }`,
      only('V1-TRANSFER-CONFIRM-ID or V1-HOTEL-CONFIRM-ID or V1-PARK-A-CONFIRM-ID or V2-IDEM-REPLAY-STATUS'),
    )
    expectConforms(run)
    expect(run.code).toBe(0)
  },
}

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

test.each([
  ...drawn(Object.entries(SECOND), 1, ([name]) => name),
  ...drawn(Object.entries({ ...EMBEDDED, ...PARTS }), 1, ([name]) => name),
])('nothing is found: %s', (_name, judge) => judge())

// Each commit draws one.
test.each(drawn(Object.keys(FAULTS) as (keyof typeof FAULTS)[], 1, name => name))(
  'a fault is found on the second deployment: %s',
  async name => {
    const { clause } = FAULTS[name]
    const { record, said } = await second('deployment.ts', `...FAULTS['${name}'].rules()`, only(clause))
    // The summary names it under its cause, which may be another clause.
    expect(record.clauses.find(({ id }) => id === clause)?.verdict, said).toBe('violates')
  },
)
