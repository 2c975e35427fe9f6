import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import type { StoredExchange } from '../../fixtures/client/redaction/stored.ts'
import { readHar } from '../../fixtures/examine/recording/har.ts'
import type { Recorded } from '../../fixtures/examine/recording/recorded.ts'
import { toHar } from './har.ts'

// It has no types.
const schemas: Record<string, object> = createRequire(import.meta.url)('har-schema')

const KIT = { name: 'travel-sales-conformance', version: '0.0.0' }

const booked: StoredExchange = {
  id: 'a1',
  check: 'examine > client > normal-day',
  sender: { role: 'client' },
  version: 'v2',
  startedAt: '2027-01-05T10:00:00.000Z',
  milliseconds: 12.5,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:8080/partners/api/v2/bookings?x=1',
    path: '/api/v2/bookings?x=1',
    headers: [['Content-Type', 'application/json']],
    body: { kind: 'text', text: '{"items":[]}', bytes: 12 },
  },
  response: {
    status: 400,
    headers: [['content-type', 'application/json']],
    body: { kind: 'text', text: '{"error":{"code":"VALIDATION_ERROR"}}', bytes: 37 },
    rawBytes: 37,
  },
}
const printed: StoredExchange = {
  ...booked,
  id: 'a2',
  request: { ...booked.request, method: 'GET', body: null },
  response: {
    status: 200,
    headers: [['content-type', 'application/pdf']],
    body: { kind: 'binary', bytes: 900, sha256: 'ab', firstBytes: '255044462d312e33' },
    rawBytes: 900,
  },
}
const { response: _, ...unanswered } = booked
const hungUp: StoredExchange = { ...unanswered, id: 'a3', error: { kind: 'hung up', message: 'it hung up' } }

test('the output is valid HAR 1.2 by its schema', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false })
  for (const schema of Object.values(schemas)) ajv.addSchema(schema)
  const isHar = ajv.getSchema('har.json#')!
  isHar(toHar([booked, printed, hungUp], KIT))
  expect(isHar.errors).toBeNull()
  expect(isHar({ log: { version: '1.2' } })).toBe(false)
})

test('the output can be read back unchanged', async () => {
  const exchanges: Recorded[] = []
  const har = Buffer.from(JSON.stringify(toHar([booked, printed, hungUp], KIT)))
  expect(await readHar('traffic.har', [har], one => exchanges.push(one))).toMatchObject({ own: true, odd: 0 })
  expect(exchanges).toMatchObject([
    {
      startedAt: Date.parse(booked.startedAt),
      milliseconds: 12.5,
      body: '{"items":[]}',
      response: { status: 400 },
      situation: 'normal-day',
    },
    { body: null, response: { status: 200 } },
    { ending: 'hung up' },
  ])
  expect(Buffer.from(exchanges[0]!.response!.body!).toString()).toBe('{"error":{"code":"VALIDATION_ERROR"}}')
  expect(exchanges[2]!.response).toBeUndefined()
})
