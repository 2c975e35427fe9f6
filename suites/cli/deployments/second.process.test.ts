import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StoredExchange } from '../../../fixtures/client/redaction/stored.ts'
import { FAULTS } from '../../../fixtures/second/faults.ts'
import { onlyRun } from '../testing/booked.ts'
import {
  certified,
  expectConforms,
  expectSilent,
  fixture,
  half,
  only,
  type Run,
} from '../testing/certified.ts'
import { commitSeed, drawn } from '../testing/commit-draw.ts'

// The second deployment keeps the document, whatever its market: every finding is a false alarm. Each commit draws one.

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
  const { leftovers } = run.record
  // If the market refuses the only bookings for which a credential asks, none proves test mode, and without control
  // nothing else shows that none was made: that is listed, and red.
  const refused = /^may be booked: refused with 4\d\d.*, and not proven$/
  const listed = profile === 'full' ? [] : leftovers.filter(({ reason }) => refused.test(reason))
  expect([run.record.profile?.name, leftovers], run.said).toEqual([profile, listed])
  expect(run.code, run.said).toBe(listed.length > 0 ? 1 : 0)
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

test.each(drawn(Object.entries(SECOND), 1, ([name]) => name))('nothing is found: %s', (_name, judge) =>
  judge(),
)

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
