import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import type { StoredExchange } from '../../fixtures/client/redaction/stored.ts'
import { FAULTS } from '../../fixtures/second/faults.ts'
import type { summarise } from '../../reports/render/summary.ts'
import { onlyRun, recordIn } from './testing/booked.ts'
import { freshFolder, runTss, startTss } from './testing/command.ts'
import { commitSeed, drawn } from './testing/commit-draw.ts'

const SECOND = join(import.meta.dirname, '../../fixtures/second')

/** Returns a folder with `changed.ts`, a definition of the second deployment with these rules. */
function changed(definition: string, rules: string): string {
  const cwd = freshFolder()
  const second = pathToFileURL(SECOND).href
  writeFileSync(
    join(cwd, 'changed.ts'),
    `import { startService } from '${second}/service.ts'
     import { FAULTS } from '${second}/faults.ts'
     export { default } from '${second}/${definition}'
     export async function launch() {
       const { stop, ...values } = await startService({ ${rules} })
       return { values, stop }
     }`,
  )
  return cwd
}

/** Certifies with a definition, and returns the result; `said` explains unexpected ones. */
async function certified(cwd: string, definition = 'changed.ts', only?: string) {
  const selected = only === undefined ? [] : ['--only', only]
  const seed = ['--seed', String(commitSeed)]
  const args = ['certify', '--deployment', definition, ...selected, ...seed, '--json']
  const { code, stdout, stderr: said } = await runTss(args, { cwd })
  const { verdict, findings: found, coverage, blocked } = JSON.parse(stdout) as ReturnType<typeof summarise>
  const findings = found.map(({ clause, message }) => `${clause}: ${message}`)
  return { code, said, verdict, findings, coverage, blocked }
}

/** Returns the number of orders and bookings that each check of a run made. */
function ordersByCheck(run: string): Map<string, number> {
  const made = new Map<string, number>()
  for (const line of readFileSync(join(run, 'exchanges.ndjson'), 'utf8').trim().split('\n')) {
    const { check, request, response } = JSON.parse(line) as StoredExchange
    if (!/(?:Confirm|\/bookings)$/.test(request.path) || (response?.status ?? 400) > 201) continue
    made.set(check, (made.get(check) ?? 0) + 1)
  }
  return made
}

/** Certifies with a definition of the second deployment, and hands over what is said of it. */
async function handsOver(definition: string, profile: string): Promise<void> {
  const cwd = freshFolder()
  // A process that certified remembers secrets, and an attestation must not be altered by them.
  const run = await startTss(['certify', '--deployment', join(SECOND, definition)], { cwd }).ended
  const record = recordIn(cwd)
  expect(record, run.stdout).toMatchObject({ verdict: 'conforms', profile: { name: profile } })
  // If the market refuses the only bookings for which a credential asks, none proves test mode, and without control
  // nothing else shows that none was made.
  const refused = /^may be booked: refused with 4\d\d.*, and not proven$/
  const standing = record.leftovers.filter(({ reason }) => profile === 'full' || !refused.test(reason))
  expect(standing).toEqual([])
  expect(record.clauses.flatMap(({ findings }) => findings)).toEqual([])
  expect(run.code).toBe(0)
  await runTss(['attest', '--new-key', 'key.pem'], { cwd })
  expect((await runTss(['attest', '--key', 'key.pem'], { cwd })).code).toBe(0)
  const verify = ['verify', join(onlyRun(cwd), 'attestation.json'), '--key', 'key.pub.pem']
  const verified = await runTss(verify, { cwd })
  expect(verified.code, verified.stderr).toBe(0)
}

/** Every finding is a false alarm: the deployment differs from the embedded one wherever the document leaves something open. */
const RUNS = {
  'as a deployment with control': () => handsOver('deployment.ts', 'full'),
  'as a partner, without control': () => handsOver('without-control.ts', 'partner'),
  // Refusals of a market are not faults: how much is exercised differs from day to day, the findings do not.
  async 'on a market that refuses much of what is asked: a bad day'() {
    const cwd = freshFolder()
    const { findings, coverage, said } = await certified(cwd, join(SECOND, 'bad-day.ts'))
    expect(findings, said).toEqual([])
    expect(coverage.exercised).toBeGreaterThan(coverage.applicable / 2)
    // A check that repeats refused orders in each round would never end.
    expect(Math.max(...ordersByCheck(onlyRun(cwd)).values())).toBeLessThan(60)
  },
  // Where it is not to let offers expire, it leaves what was found on sale.
  async 'as a staging whose control does what it is asked by moving the clock'() {
    const takes = '{ expireOffers: 31, publishVouchers: 93, release: 16, changePrice: 5, setStock: 12 }'
    const cwd = changed('deployment.ts', `takes: part => (${takes})[part] ?? 0`)
    expect(await certified(cwd)).toMatchObject({ code: 0, verdict: 'conforms', findings: [] })
  },
  async 'as one on which what was found has expired once control acted'() {
    const cwd = changed('deployment.ts', `takes: part => ({ setOutcome: 9, setStock: 40 })[part] ?? 0`)
    expect(await certified(cwd, undefined, 'V1-IDEM-RELEASED-HOTEL')).toMatchObject({ code: 0, findings: [] })
  },
  async 'on a market that stands behind a gateway that answers in its place now and then, and sells dearer for a moment'() {
    const cwd = changed(
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
    const { findings, coverage, said } = await certified(cwd)
    expect(findings, said).toEqual([])
    expect(coverage.exercised).toBeGreaterThan(coverage.applicable / 2)
  },
  // A check that orders for one traveler is only told that the order cannot be booked as sent.
  async 'on a market that sells v1 tickets to two at least, and to nobody twice'() {
    const cwd = changed('deployment.ts', 'fewestTickets: 2, takesNamesakes: false')
    const only = 'v1-park-a or v1-park-b'
    expect(await certified(cwd, undefined, only)).toMatchObject({ verdict: 'conforms', findings: [] })
  },
  // The standard order is made from rates that pass their check; orders of several rooms must be, too.
  async 'on a market that sells two thirds of all hotel rates alone'() {
    const sold = '[...key].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, 7) % 3 > 0'
    const cwd = changed('deployment.ts', `sellsRate: key => ${sold}`)
    const { findings, coverage, said } = await certified(cwd, undefined, 'V1-HOTEL-CONFIRM-*')
    expect(findings, said).toEqual([])
    expect(coverage.exercised).toBeGreaterThan(80)
  },
  async 'on a market that sells tickets and transfers on the next days alone'() {
    const cwd = changed(
      'without-control.ts',
      'soldOut: (product, date) => !/^(NIGHT|5..$)/.test(product) && Date.parse(date) > Date.now() + 8 * 86_400_000',
    )
    const only = 'v2-tickets or v2-transfers or v1-park-a or v1-park-b'
    expect(await certified(cwd, undefined, only)).toMatchObject({
      verdict: 'conforms',
      findings: [],
      blocked: [],
    })
  },
  async 'on a market that numbers bookings and orders beyond 2^53'() {
    const cwd = changed(
      'without-control.ts',
      `written: text => text.replace(
         /("(?:booking_id|item_id|id_orden|id_order|eventId)":|bookings\\/|order_id=)(\\d{4,})/g,
         (_, name, id) => name + '9876543210987' + id,
       ),
       asked: text => text.replaceAll(/\\b9876543210987(?=\\d{4,6}\\b)/g, '')`,
    )
    const only = 'V2-BOOKING-* or V2-VOUCHER-* or V2-CANCEL-* or V1-HOTEL-CONFIRM-* or V1-PARK-A-*'
    expect(await certified(cwd, undefined, only)).toMatchObject({
      code: 0,
      verdict: 'conforms',
      findings: [],
    })
  },
  // What is listed, shown early, rounded, and said of stays is the deployment's: each of these is allowed.
  async 'on a market that lists, numbers and rounds otherwise, and has no stay past the end of a month'() {
    const cwd = changed(
      'deployment.ts',
      `asked: text => text.replace(/("from_date":"(\\d{4}-\\d\\d)(-\\d\\d)","to_date":")(?!\\2)[^"]+/, '$1$2$3'),
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
    )
    const only =
      'V1-HOTEL-DESTINATIONS-ACCOUNT or V1-HOTEL-LOCATION-* or V1-HOTEL-SEARCH-CHILD-* or V1-HOTEL-SEARCH-ADULTS-* or V1-HOTEL-ERR-DATE or V2-OFFER-CARRIES-PRICE or V1-HOTEL-HCN-PDF'
    const { findings, said } = await certified(cwd, undefined, only)
    const musts = findings.filter(one => !one.startsWith('V1-HOTEL-HCN-BECOMES-AVAILABLE'))
    expect(musts, said).toEqual([])
  },
  async 'with 1,400 requests a minute arranged, whether the definition states it or not'() {
    const cwd = changed('deployment.ts', 'perMinute: 1400')
    writeFileSync(
      join(cwd, 'stated.ts'),
      `import whole from '${pathToFileURL(SECOND).href}/deployment.ts'
       export { launch } from './changed.ts'
       export default started => ({ ...whole(started), limits: { perMinute: 1400 } })`,
    )
    const only = 'LIMIT-V1-SERVES-500 or LIMIT-V2-REFUSES-MORE'
    const [unstated, stated] = [
      await certified(cwd, undefined, only),
      await certified(cwd, 'stated.ts', only),
    ]
    expect(unstated).toMatchObject({ verdict: 'incomplete', findings: [] })
    expect(stated).toMatchObject({ verdict: 'conforms', findings: [] })
  },
  // The new price is quoted for the same day, and a partner has no control to tell a rise from a fault.
  async 'on a market that raises all prices as soon as somebody wants to buy'() {
    const cwd = changed('without-control.ts', 'rises: () => 2.5')
    expect(await certified(cwd)).toMatchObject({ verdict: 'conforms', findings: [] })
  },
  // Each of these is allowed, and it is the first booking that must prove test mode.
  async 'on a market whose first booking of each kind is unlucky, and everything is decided all the same'() {
    const cwd = changed(
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
    )
    const only =
      'V1-TRANSFER-CONFIRM-ID or V1-HOTEL-CONFIRM-ID or V1-PARK-A-CONFIRM-ID or V2-IDEM-REPLAY-STATUS'
    expect(await certified(cwd, undefined, only)).toMatchObject({
      code: 0,
      verdict: 'conforms',
      findings: [],
    })
  },
}

// Each commit draws one.
test.each(drawn(Object.entries(RUNS), 1, ([name]) => name))('nothing is found %s', async (_name, judge) =>
  judge(),
)

// Each commit draws one.
test.each(drawn(Object.keys(FAULTS) as (keyof typeof FAULTS)[], 1, name => name))(
  'a fault in which one request changes what another is answered is found: %s',
  async name => {
    const { clause } = FAULTS[name]
    const cwd = changed('deployment.ts', `...FAULTS['${name}'].rules()`)
    const { code, said } = await certified(cwd, undefined, clause)
    // The summary names it under its cause, which may be another clause.
    expect(recordIn(cwd).clauses.find(({ id }) => id === clause)?.verdict, said).toBe('violates')
    expect(code).toBe(1)
  },
)
