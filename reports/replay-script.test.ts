import { expect, test } from 'vitest'
import type { StoredExchange } from '../fixtures/client/stored.ts'
import { replayScript } from './replay-script.ts'

const SUBJECT = {
  clause: 'V2-OFFER-CHECK-NEW',
  says: 'A check MUST return a new offer',
  expected: 'another id',
}

interface Sketch {
  method?: string
  path: string
  body?: unknown
  key?: string
  answer?: unknown
  status?: number
  at?: number
  milliseconds?: number
}

/** Exchanges a1, a2 … of one check, a second apart unless told otherwise. */
function traffic(...sketches: readonly Sketch[]): StoredExchange[] {
  const text = (value: unknown) => {
    const json = JSON.stringify(value)
    return { kind: 'text' as const, text: json, bytes: json.length }
  }
  return sketches.map(
    ({ method = 'GET', path, body, key, answer = {}, status = 200, at, milliseconds = 5 }, index) => ({
      id: `a${index + 1}`,
      check: 'a check',
      sender: { role: 'standard' },
      version: 'v2',
      startedAt: new Date(Date.UTC(2027, 0, 1) + (at ?? index * 1000)).toISOString(),
      milliseconds,
      request: {
        method,
        url: `https://staging.example.com${path}`,
        path,
        headers: [
          ['authorization', 'Bearer $TSS_TOKEN'],
          ...(key === undefined ? [] : [['idempotency-key', key] satisfies [string, string]]),
        ],
        body: body === undefined ? null : text(body),
      },
      response: { status, headers: [], body: text(answer), rawBytes: 2 },
    }),
  )
}

const OFFER = 'offer:0a1b2c3d'
const SEARCH: Sketch = {
  method: 'POST',
  path: '/api/v2/transfers/availability',
  body: {},
  answer: { results: [{ days: [{ offer_id: OFFER }] }] },
}
const CHECK: Sketch = { method: 'POST', path: '/api/v2/offers/check', body: { offer_id: OFFER } }
const KEY = 'tss-run-00000000-0000-4000-8000-000000000000'

test('an offer comes from the answer that gave it out, though the finding does not show it', () => {
  const script = replayScript(SUBJECT, ['a2'], traffic(SEARCH, CHECK))!
  expect(script).toContain(`OFFER_1=$(jq -r '.["results"][0]["days"][0]["offer_id"]' "$ANSWERS/1")`)
  expect(script).toContain(`--data-raw '{"offer_id":"'"$OFFER_1"'"}'`)
  expect(script).toContain('# Expected: another id')
})

test('a booking id is only replaced where it is one', () => {
  const booking = { booking: { booking_id: 7, total: 7 } }
  const script = replayScript(
    SUBJECT,
    ['a1', 'a2'],
    traffic(
      {
        method: 'POST',
        path: '/api/v2/bookings',
        key: KEY,
        body: { note: '7' },
        answer: booking,
        status: 201,
      },
      { path: '/api/v2/bookings/7', answer: booking },
    ),
  )!
  expect(script).toContain(`BOOKING_1=$(jq -r '.["booking"]["booking_id"]' "$ANSWERS/1")`)
  expect(script).toContain(`'https://staging.example.com/api/v2/bookings/'"$BOOKING_1"''`)
  expect(script).toContain(`'{"note":"7"}'`)
  expect(script).toContain(`'idempotency-key: '"$KEY_1"''`)
  expect(script).toContain('# Cancel what step 1 booked')
})

test('a made-up booking id stays as it was sent', () => {
  const script = replayScript(SUBJECT, ['a1'], traffic({ path: '/api/v2/bookings/999', status: 404 }))!
  expect(script).toContain(`'https://staging.example.com/api/v2/bookings/999'`)
})

test.each([
  [
    'requests that were under way at once',
    traffic({ path: '/a', at: 0, milliseconds: 50 }, { path: '/b', at: 10 }),
  ],
  ['an offer that no recorded answer shows', traffic({ path: '/a' }, CHECK)],
  ['an exchange that was not recorded', traffic({ path: '/a' })],
])('there is no script for %s', (_what, pool) => {
  expect(replayScript(SUBJECT, ['a1', 'a2'], pool)).toBeUndefined()
})

test('nothing that a deployment sent ends a comment or a quote', () => {
  const nasty = "x\nrm -rf /\u2028'; echo $TSS_TOKEN"
  const script = replayScript(
    { ...SUBJECT, observed: nasty },
    ['a1', 'a2'],
    traffic({ path: '/a', answer: { [`${nasty}_id`]: OFFER, x: OFFER } }, CHECK),
  )!
  for (const line of script.split('\n')) expect(line).not.toMatch(/^rm /)
  expect(script).not.toMatch(/[\u2028]/)
})
