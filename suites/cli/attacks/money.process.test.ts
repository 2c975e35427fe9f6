import { describe, expect, test } from 'vitest'
import type { RunRecord } from '../../../fixtures/ground/record.ts'
import {
  type Alter,
  type AlteredAnswer,
  jsonAnswer,
  LIVE,
  startAltered,
} from '../testing/altered-deployment.ts'
import { onlyRun, recordIn, standing } from '../testing/booked.ts'
import { freshFolder, runTss, startTss } from '../testing/command.ts'
import { confirmationAnswers } from '../testing/confirmation-answers.ts'

/** Checks that would book dozens of times if nothing stopped them; `guard.test.ts` has more hostile answers. */
const ONLY = ['--only', 'V2-BOOK-* or V2-IDEM-REPLAY-*']

type Json = Record<string, unknown>

const isBooking = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/api/v2/bookings'
const isRead = ({ method, path }: { method: string; path: string }) =>
  method === 'GET' && /^\/api\/v2\/bookings\/[^/]+$/.test(path)
const isCancel = ({ path }: { path: string }) => path.endsWith('/cancel')

/** Returns the answer with a changed body, and another status if given. */
function saying(
  answer: AlteredAnswer,
  change: (booking: Json) => void,
  status = answer.status,
): AlteredAnswer {
  const body = JSON.parse(String(answer.body)) as Json
  if (body.booking !== undefined) change(body.booking as Json)
  return { ...answer, status, body: JSON.stringify(body) }
}

/** The result of an attack. */
interface Outcome {
  code: number | null
  record: RunRecord
  stderr: string
  output: string
  /** The number of bookings that the deployment counted. */
  real: number
  /** The number of standing bookings that are not listed. */
  unlisted: number
  posts: number
}

/** Starts a deployment that answers as the attack demands, and collects the ids of the bookings made anyway. */
async function noting(
  alter: Alter = (_request, pass) => pass(),
  options?: Parameters<typeof startAltered>[1],
) {
  const ids = new Set<string>()
  const deployment = await startAltered(
    (request, pass, response) =>
      alter(
        request,
        async () => {
          const answer = await pass()
          if (isBooking(request) && answer.status < 300)
            ids.add(String((JSON.parse(String(answer.body)) as { booking: Json }).booking.booking_id))
          return answer
        },
        response,
      ),
    options,
  )
  return { deployment, ids }
}

/** Runs `travel-sales certify` against a deployment that books and answers as the attack demands. */
async function attack(alter: Alter, { patience = '0.02' } = {}): Promise<Outcome> {
  const { deployment, ids } = await noting(alter)
  const { tenant, token, env } = await deployment.company(['v2-transfers'], LIVE)
  const cwd = freshFolder()
  const { code, stderr, stdout } = await runTss(['certify', ...ONLY], {
    cwd,
    env: { ...env, TSS_PATIENCE_MINUTES: patience },
  })
  const record = recordIn(cwd)
  const { bookings } = await deployment.control.counters(tenant)
  const stands = await standing(ids, deployment.reference.baseUrl, token)
  return {
    code,
    record,
    stderr,
    output: stdout + stderr,
    real: Object.values(bookings).reduce((sum, count) => sum + count, 0),
    unlisted: Math.max(0, stands.length - record.leftovers.length),
    posts: deployment.requests.filter(isBooking).length,
  }
}

/** Executes each request, and changes the answers to bookings. */
const answering =
  (change: (answer: AlteredAnswer) => AlteredAnswer): Alter =>
  async (request, pass) => {
    const answer = await pass()
    return isBooking(request) && answer.status === 201 ? change(answer) : answer
  }

describe('a live credential, given by mistake as TSS_TOKEN', () => {
  test('connection reset: one booking, which is listed, and what would book is blocked', async () => {
    const outcome = await attack(async (request, pass, response) => {
      const answer = await pass()
      if (!isBooking(request) || answer.status !== 201) return answer
      response.socket?.resetAndDestroy()
      return undefined
    })
    expect(outcome).toMatchObject({ real: 1, unlisted: 0, code: 1 })
    expect(outcome.record.leftovers).toMatchObject([
      { product: 'v2-transfers', role: 'standard', key: expect.any(String), exchange: expect.any(String) },
    ])
    const said = outcome.stderr.match(/^No more v2-transfers bookings are sent as standard in this run/gm)
    expect(said).toHaveLength(1)
    expect(outcome.record.verdict).not.toBe('conforms')
    const blocked = outcome.record.clauses.filter(({ reason }) =>
      reason?.includes('No more v2-transfers bookings'),
    )
    expect(new Set(blocked.map(({ verdict }) => verdict))).toEqual(new Set(['blocked']))
    expect(blocked.length).toBeGreaterThan(5)
  })

  test('409 BOOKING_IN_PROGRESS, with the time to repeat it: the repeat is the same booking, and shows that it is real', async () => {
    const error = { code: 'BOOKING_IN_PROGRESS', message: 'x', request_id: 'r-1', details: {} }
    const outcome = await attack(
      answering(answer => ({ ...answer, status: 409, body: JSON.stringify({ error }) })),
      { patience: '1' },
    )
    expect(outcome).toMatchObject({ posts: 2, real: 1, unlisted: 0, code: 3 })
    expect(outcome.record.halted).toContain('credential is live')
  })

  test.each([
    ['none is a test, and the first is refused', 0, 1],
    ['later ones are no tests, and one was refused before', 6, 3],
  ])(
    'every fifth booking answers 400: %s; the run ends, what stands is listed, and nothing is called a test',
    async (_what, tests, refused) => {
      let bookings = 0
      const error = { code: 'VALIDATION_ERROR', message: 'x', request_id: 'r-1', details: {} }
      const outcome = await attack(async (request, pass) => {
        const answer = await pass()
        if (!isBooking(request) || answer.status !== 201)
          return isRead(request) ? saying(answer, booking => delete booking.test_mode) : answer
        const isTest = ++bookings <= tests
        return bookings % 5 === refused % 5
          ? { ...answer, status: 400, body: JSON.stringify({ error }) }
          : saying(answer, booking => Object.assign(booking, { test_mode: isTest }))
      })
      // Requests already under way at that moment could not be held back.
      expect(outcome.real).toBeLessThan(tests === 0 ? 4 : 40)
      expect(outcome).toMatchObject({ code: 3, unlisted: 0 })
      expect(outcome.record.halted).toContain('credential is live')
      const { leftovers } = outcome.record
      expect(leftovers).not.toEqual([])
      expect(outcome.output + JSON.stringify(leftovers)).not.toContain('test booking')
    },
  )
})

/** Clauses about what is read before blocked dates are confirmed. */
const READ_FIRST: readonly string[] = ['CACHE-V1-TRANSFER-CATALOG', 'V1-TRANSFER-NO-CURRENCY']

test('refused, though booked: three confirmations of both versions in all, each listed, and what is read before is judged', async () => {
  const { '401 in the envelope': v1 } = Object.fromEntries(confirmationAnswers('v1-transfers'))
  const { '401 in the envelope': v2 } = Object.fromEntries(confirmationAnswers('v2-transfers'))
  let confirmations = 0
  const deployment = await startAltered(async ({ method, path }, pass) => {
    const booked = await pass()
    if (method !== 'POST' || !/\/(bookings|transferConfirm)$/.test(path)) return booked
    confirmations++
    return { ...(path.startsWith('/api/v1/') ? v1 : v2)!, headers: { 'content-type': 'application/json' } }
  })
  const { tenant, env } = await deployment.company(['v1-transfers', 'v2-transfers'], LIVE)
  const cwd = freshFolder()
  const only = 'v1-transfers or V2-BOOK-ITEMS-REQUIRED or V2-BOOK-OFFER-ID-REQUIRED or V2-IDEM-REPLAY-*'
  const { code, stderr } = await runTss(['certify', '--only', only], {
    cwd,
    env: { ...env, TSS_PATIENCE_MINUTES: '0.02' },
  })
  const { bookings } = await deployment.control.counters(tenant)
  expect([confirmations, bookings.transfers, code]).toEqual([3, 3, 1])
  expect(stderr).toContain('refused, the last with')
  const { leftovers, clauses } = recordIn(cwd)
  // Support identifies a request by the id in its answer.
  const refused = { requestId: 'r', reason: expect.stringMatching(/^may be booked: refused with 401/) }
  expect(leftovers).toMatchObject(Array(3).fill(refused))
  const unproven = clauses.filter(({ reason }) => reason?.includes('is no proof that nothing was booked'))
  const isRead = ({ id }: { id: string }) => READ_FIRST.includes(id)
  for (const { verdict, reason } of unproven.filter(isRead))
    expect(verdict === 'not exercised' || reason?.startsWith('in part: ')).toBe(true)
  const verdicts = unproven.flatMap(row => (isRead(row) ? [] : [row.verdict]))
  expect(new Set(verdicts)).toEqual(new Set(['not exercised']))
})

test('after a cancellation that answers success and cancels nothing, everything that stands is listed, at once and by travel-sales cleanup', async () => {
  const { deployment, ids } = await noting((request, pass) => {
    if (!isCancel(request)) return pass()
    const [, id] = /bookings\/([^/]+)\/cancel/.exec(request.path) ?? []
    const booking = { booking_id: Number(id), status: 'cancelled', test_mode: true }
    return jsonAnswer(200, { booking })
  })
  const { token, env } = await deployment.company(['v2-transfers'])
  const cwd = freshFolder()
  const { code, stderr } = await runTss(['certify', '--only', 'v2-offers or V2-IDEM-*'], { cwd, env })
  const stands = await standing(ids, deployment.reference.baseUrl, token)
  const listed = recordIn(cwd).leftovers.map(({ bookingId }) => bookingId)
  expect(stands.length).toBeGreaterThan(10)
  expect(new Set(listed)).toEqual(new Set(stands))
  expect(code).toBe(1)
  expect(stderr).toContain('may still stand')
  // No answer tells whether the document is right about those.
  expect(stderr).toMatch(
    /^Refused after test mode was proven: (\d+) v2-transfers as standard\. .* 0 to \1 test/m,
  )

  const cleaned = await runTss(['cleanup', onlyRun(cwd)], { cwd, env })
  expect(cleaned.code).toBe(1)
  expect(cleaned.stdout.match(/^Left: /gm)).toHaveLength(stands.length)
  expect(cleaned.stdout).not.toContain('Cancelled')
})

test('where the launcher is killed, the run behind it is interrupted, and nothing stays booked', async () => {
  const { deployment, ids } = await noting(undefined, { latency: 150 })
  const { token, env } = await deployment.company(['v2-transfers'])
  const cwd = freshFolder()
  const run = startTss(['certify', ...ONLY], {
    cwd,
    env,
    // A Node that cannot run the sources must hand over to the project's own.
    execArgv: ['--no-experimental-strip-types'],
  })
  while (ids.size < 3) await new Promise(resolve => setTimeout(resolve, 20))
  const killed = performance.now()
  run.send('SIGKILL')
  // The launcher's output stays open as long as the process it started runs.
  const { signal, stderr } = await run.ended
  const seconds = (performance.now() - killed) / 1000
  const stands = await standing(ids, deployment.reference.baseUrl, token)
  expect(signal).toBe('SIGKILL')
  expect(stderr).toContain('Interrupted: cancelling bookings.')
  expect(seconds).toBeLessThan(15)
  expect(stands).toEqual([])
  expect(recordIn(cwd)).toMatchObject({ halted: 'it was interrupted', leftovers: [] })
})
