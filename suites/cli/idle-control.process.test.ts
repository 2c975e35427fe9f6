import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordIn, served } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'
import { drawn } from './testing/commit-draw.ts'

const module = (path: string): string => new URL(`../../fixtures/deployments/${path}`, import.meta.url).href

/** Every product, because each must be shown to ignore the call. */
const PRODUCTS =
  "'v1-transfers', 'v1-park-a', 'v1-park-b', 'v1-hotels', 'v2-transfers', 'v2-tickets', 'v2-hotels'"

/** Certifies the embedded deployment with these parts of control replaced. */
async function certified(parts: string, more: string, args: readonly string[] = []) {
  const { baseUrl, controlUrl } = await served()
  const cwd = freshFolder()
  writeFileSync(
    join(cwd, 'idle.ts'),
    `import { httpControl } from '${module('http-control.ts')}'
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

/** Control that does less than it says. Each commit tests one, drawn at random. */
const IDLE = {
  // That control can make a booking fail says nothing about other steps, or about vouchers.
  async 'of which little has an effect accuses nobody'() {
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

  async 'that is accepted without effect accuses nobody, and exercises nothing'() {
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

test.each(drawn(Object.entries(IDLE), 1, ([name]) => name))(
  'control %s',
  { timeout: 300_000 },
  (_name, holds) => holds(),
)
