import { expect, test } from 'vitest'
import type { Product } from '../../../fixtures/ground/control.ts'
import type { LoadExchange } from '../../read/evidence.ts'
import { circumstancesOf, exchangeFor, request, SENDER, staged, stageOf } from '../../testing/evidence.ts'
import { judgeBookingContention } from './booking-contention.ts'

/** The answer to a confirmation, with the milliseconds since its reference was first sent. */
interface Sent {
  status?: number
  json: object
  at?: number
}

const ordered = (id: number | string, at = 0): Sent => ({ json: { success: true, id_order: id }, at })
const replayed = (id: number | string, at = 0): Sent => ({
  json: { success: true, id_order: id, idempotent_replay: true },
  at,
})
const busy = (at = 0): Sent => ({
  status: 409,
  json: { error: 'ORDER_CONFIRMATION_IN_PROGRESS', message: 'It is running.', code: 409, request_id: 'r' },
  at,
})
const refused: Sent = {
  status: 400,
  json: { error: 'Price changed.', message: '10.00', code: 400, request_id: 'r' },
}

let references = 0
function referenceOf(...answers: Sent[]): LoadExchange[] {
  const body = JSON.stringify({ external_reference: `reference-${++references}` })
  return answers.map(({ status = 200, json, at = 0 }) =>
    exchangeFor(request(at, { op: 'v1 park A confirm', status, took: 50 }), {
      method: 'POST',
      path: '/api/v1/parkA/ticketConfirm',
      sent: body,
      json,
    }),
  )
}

const judged = (races: LoadExchange[][], made?: number, leftOut?: Partial<Record<Product, string>>) => {
  const stage = stageOf({
    scenario: 'booking-contention',
    senders: [{ ...SENDER, product: 'v1-park-a' }],
    exchanges: races.flat(),
    ...(made === undefined
      ? {}
      : { counted: new Map([[SENDER.alias, { requests: { v1: 0, v2: 0 }, bookings: { parkA: made } }]]) }),
  })
  const sold = { ...stage, plan: { ...stage.plan, products: ['v1-park-a'] as const } }
  return judgeBookingContention(
    staged(sold),
    circumstancesOf('booking-contention', leftOut === undefined ? {} : { leftOut }),
  ).answers
}

const PARK_A = ['NEVER-TWO', 'REPLAY-ORDER', 'REPLAY-STATUS', 'REPLAY-FLAG'].map(
  name => `V1-IDEM-${name}-PARK-A`,
)
const [NEVER_TWO, ORDER, STATUS, FLAG] = PARK_A

test.each<[string, Sent[]]>([
  ['one is replayed at once', [ordered(1), replayed(1), replayed(1, 400)]],
  ['others are held off', [ordered(1), busy(), busy(10), replayed(1, 400)]],
  ['an id is said back as text', [ordered(1), busy(), replayed('1', 400)]],
  ['the market refuses what comes with it', [ordered(1), refused, replayed(1, 400)]],
])('a reference makes one order: %s', (_, answers) => {
  expect(judged([referenceOf(...answers)], 1)).toMatchObject([{ exercised: PARK_A, findings: [] }])
})

test.each<[string, Sent[], number, unknown[]]>([
  ['two orders at once', [ordered(1), ordered(2)], 2, [NEVER_TWO]],
  ['an order that nobody was told of', [ordered(1), busy()], 2, [NEVER_TWO]],
  ['ordered again afterwards', [ordered(1), busy(), ordered(2, 400)], 2, [ORDER]],
  ['held off for good', [ordered(1), busy(), busy(400)], 1, [STATUS]],
  ['replayed as a creation', [ordered(1), busy(), { ...replayed(1, 400), status: 201 }], 1, [STATUS]],
  ['replayed without its flag', [ordered(1), busy(), ordered(1, 400)], 1, [FLAG]],
])('a reference that is sent many times is found: %s', (_, answers, made, found) => {
  const result = judged([referenceOf(...answers)], made)
  expect(result.flatMap(({ findings }) => findings.map(({ clause }) => clause))).toEqual(found)
  for (const { exchanges } of result.flatMap(({ findings }) => findings))
    expect(exchanges.length).toBeGreaterThan(0)
})

test('sequential requests, and promises that do not apply, decide nothing', () => {
  const stopped = { verdict: 'not exercised' }
  expect(judged([referenceOf(ordered(1), replayed(1, 400))])).toMatchObject([{ exercised: [], stopped }])
  expect(judged([])).toMatchObject([
    { stopped: { ...stopped, reason: expect.stringContaining('no request with a reference was sent') } },
  ])
  expect(judged([], undefined, { 'v1-park-a': 'nobody promises it' })).toMatchObject([
    { exercised: [], stopped: { ...stopped, reason: 'nobody promises it' } },
  ])
})
