import { describe, expect, test } from 'vitest'
import { LIVE, startAltered } from '../testing/altered-deployment.ts'
import { recordIn } from '../testing/booked.ts'
import { freshFolder, runTss } from '../testing/command.ts'
import { confirmationAnswers } from '../testing/confirmation-answers.ts'

/** Checks that would book dozens of times in either version if nothing stopped them. */
const ONLY = 'v1-transfers or V2-BOOK-ITEMS-REQUIRED or V2-BOOK-OFFER-ID-REQUIRED or V2-IDEM-REPLAY-*'

/** Clauses about what is read before blocked dates are confirmed. */
const READ_FIRST: readonly string[] = ['CACHE-V1-TRANSFER-CATALOG', 'V1-TRANSFER-NO-CURRENCY']

/** Certifies transfers of both versions on a live credential, where bookings are answered as named. */
async function bookAndAnswer(name: string) {
  const answers = {
    v1: new Map(confirmationAnswers('v1-transfers')).get(name),
    v2: new Map(confirmationAnswers('v2-transfers')).get(name),
  }
  let confirmations = 0
  const deployment = await startAltered(async ({ method, path }, pass, response) => {
    const version = path.startsWith('/api/v1/') ? 'v1' : 'v2'
    const isConfirmation = method === 'POST' && /\/(bookings|transferConfirm)$/.test(path)
    const booked = await pass()
    if (!isConfirmation) return booked
    confirmations++
    // If only one version has this answer, the other one uses it too.
    const answer = answers[version] === undefined ? answers[version === 'v1' ? 'v2' : 'v1'] : answers[version]
    if (answer === null || answer === undefined) {
      response.socket?.resetAndDestroy()
      return undefined
    }
    return { ...answer, headers: { 'content-type': 'application/json', 'retry-after': '1' } }
  })
  const { tenant, env } = await deployment.company(['v1-transfers', 'v2-transfers'], LIVE)
  const cwd = freshFolder()
  const { code, stderr } = await runTss(['certify', '--only', ONLY], {
    cwd,
    env: { ...env, TSS_PATIENCE_MINUTES: '0.02' },
  })
  const { bookings } = await deployment.control.counters(tenant)
  const real = Object.values(bookings).reduce((sum, count) => sum + count, 0)
  const record = recordIn(cwd)
  console.log(
    `${name}: ${confirmations} confirmations, ${real} real, ${record.leftovers.length} listed, exit ${code}`,
  )
  return { code, stderr, confirmations, real, record }
}

describe('a live credential, where a booking is made whatever is answered', () => {
  test.each([
    '409 NO_AVAILABILITY',
    '401 in the envelope',
    '429 in the envelope',
    '201 with both numbers',
    'a reset',
  ])('%s: three confirmations at most, whatever the version, and all are listed', async name => {
    const { code, stderr, confirmations, real, record } = await bookAndAnswer(name)
    expect(confirmations).toBeGreaterThan(0)
    expect(confirmations).toBeLessThanOrEqual(3)
    expect(real).toBeLessThanOrEqual(3)
    expect(record.leftovers).toHaveLength(confirmations)
    // Support identifies a request by the id in its answer.
    const isEnvelope = !/^201|reset/.test(name)
    expect(new Set(record.leftovers.map(({ requestId }) => requestId))).toEqual(
      new Set([isEnvelope ? 'r' : undefined]),
    )
    expect(code).not.toBe(0)
    if (!/refused, the last with/.test(stderr)) return
    expect(record.leftovers.every(({ reason }) => reason.startsWith('may be booked: refused with'))).toBe(
      true,
    )
    const unproven = record.clauses.filter(({ reason }) =>
      reason?.includes('is no proof that nothing was booked'),
    )
    // What a check reads before it would book is judged.
    const [inPart, notProven] = [true, false].map(isRead =>
      unproven.filter(({ id }) => READ_FIRST.includes(id) === isRead),
    ) as [typeof unproven, typeof unproven]
    for (const { verdict, reason } of inPart)
      expect(verdict === 'not exercised' || reason?.startsWith('in part: ')).toBe(true)
    // After a 429, checks that wait for its end are blocked before they could ask for another booking.
    const seen = name.startsWith('429') && notProven.length === 0 ? [] : ['not exercised']
    expect([...new Set(notProven.map(({ verdict }) => verdict))]).toEqual(seen)
  })
})
