import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onlyRun, runOf, verdictsOf } from './testing/booked.ts'
import { freshFolder, runTss } from './testing/command.ts'
import { entry, harOf, TOKEN } from './testing/recording.ts'

const BOOKING = { booking_id: 7, status: 'confirmed', currency: 'EUR', total: 12, items: [], test_mode: true }

/** Returns an entry of a call with JSON; it begins `second` seconds after the first. */
function call(second: number, method: string, path: string, [status, json, sent]: [number, object, object?]) {
  const text = JSON.stringify(json)
  return entry(
    {
      method,
      url: `https://api.example.com/gate${path}`,
      headers: [
        { name: 'Authorization', value: `Bearer ${TOKEN}` },
        { name: 'Idempotency-Key', value: 'my-key-1' },
      ],
      ...(sent && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    {
      status,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Cache-Control', value: 'no-store' },
      ],
      content: { size: text.length, mimeType: 'application/json', text },
    },
    { startedDateTime: new Date(Date.UTC(2027, 0, 5, 10, 0, second)).toISOString() },
  )
}

const BODY = { items: [{ offer_id: 'an-offer', travelers: [{ first_name: 'Ada', last_name: 'Example' }] }] }
const booked = (second: number, id: number) =>
  call(second, 'POST', '/api/v2/bookings', [201, { booking: { ...BOOKING, booking_id: id } }, BODY])

test('a history that breaks a promise is found in what others recorded, in files in whatever order', async () => {
  const cwd = freshFolder()
  writeFileSync(join(cwd, 'tuesday.har'), harOf(booked(60, 8)))
  writeFileSync(join(cwd, 'monday.har'), harOf(booked(0, 7)))
  writeFileSync(join(cwd, 'copy.har'), harOf(booked(0, 7)))
  const clause = 'V2-IDEM-REPLAY-SAME-BOOKING'
  const auditing = ['audit', 'tuesday.har', 'monday.har', 'copy.har']
  const run = await runTss([...auditing, '--side', 'server'], { cwd })
  const folder = onlyRun(cwd)
  expect(run.stderr).toContain('1 exchange recorded twice')
  expect(run.stdout).toContain('0 on v1, 2 on v2')
  expect(verdictsOf(folder).get(clause)).toBe('violates')
  expect([...verdictsOf(folder).keys()].filter(id => id.includes('-CLIENT-'))).toEqual([])
  expect(run.code).toBe(1)
  const none = await runTss([...auditing, '--side', 'server', '--fail-on', 'none'], { cwd })
  expect(none.code).toBe(0)
  const client = await runTss([...auditing, '--side', 'client'], { cwd })
  expect(verdictsOf(runOf(cwd, client)).has(clause)).toBe(false)
})

test('what happened before a recording began, or elsewhere, is held against nobody', async () => {
  const cwd = freshFolder()
  const read = (second: number, status: string) =>
    call(second, 'GET', '/api/v2/bookings/7', [200, { booking: { ...BOOKING, status } }])
  const refused = (code: string) => ({ error: { code, message: 'x', request_id: code, details: {} } })
  const again = call(1, 'POST', '/api/v2/bookings', [409, refused('IDEMPOTENCY_KEY_REUSED'), BODY])
  const cancelled = call(3, 'POST', '/api/v2/bookings/7/cancel', [409, refused('CANCELLATION_REJECTED')])
  writeFileSync(join(cwd, 'middle.har'), harOf(again, read(2, 'confirmed'), cancelled, read(4, 'cancelled')))
  await runTss(['audit', 'middle.har', '--side', 'server'], { cwd })
  const broken = [...verdictsOf(onlyRun(cwd))].filter(([, verdict]) => verdict === 'violates')
  // The answers lack these fields.
  expect(broken.map(([id]) => id).filter(id => /^V2-(?:IDEM|CANCEL|BOOK-)/.test(id))).toEqual([])
  const whole = await runTss(['audit', 'middle.har', '--side', 'server', '--whole'], { cwd })
  expect(verdictsOf(runOf(cwd, whole)).get('V2-CANCEL-REJECTED-UNCHANGED')).toBe('violates')
  const several = await runTss(['audit', 'middle.har', 'middle.har', '--whole'], { cwd })
  expect(several).toMatchObject({ code: 2, stderr: expect.stringMatching(/--whole takes one recording/) })
})

test('of recordings of checks, which send wrong requests on purpose, the answers are judged, and conform', async () => {
  const cwd = freshFolder()
  const certified = await runTss(
    ['certify', '--only', 'V2-IDEM-REPLAY-* or V2-CANCEL-*', '--out', 'certified'],
    {
      cwd,
    },
  )
  const recording = join(runOf(cwd, certified), 'exchanges.ndjson')
  const audited = await runTss(['audit', recording], { cwd })
  expect(audited.stdout).toMatch(/^CONFORMS/m)
  expect(audited.code).toBe(0)
  const verdicts = verdictsOf(runOf(cwd, audited))
  for (const clause of ['V2-IDEM-REPLAY-STATUS', 'V2-CANCEL-READ', 'V2-CANCEL-AGAIN-FLAG'])
    expect(verdicts.get(clause), clause).toBe('conforms')
  const asClient = await runTss(['audit', recording, '--side', 'client'], { cwd })
  expect(asClient).toMatchObject({ code: 2, stderr: expect.stringMatching(/wrong requests on purpose/) })
})
