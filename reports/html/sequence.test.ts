import { describe, expect, test } from 'vitest'
import type { StoredExchange } from '../../fixtures/client/redaction/stored.ts'
import { exampleExchanges, HOSTILE } from '../testing/example.ts'
import { expectWellNested } from '../testing/markup.ts'
import { sequenceOf } from './sequence.ts'
import { sequencePicture } from './sequence-picture.ts'

const [first] = exampleExchanges as [StoredExchange]

interface Sent {
  id: string
  path?: string
  key?: string
  body?: object
  status?: number
  answer?: unknown
  role?: string
}

const exchange = ({
  id,
  path = '/api/v2/bookings',
  key,
  body = {},
  status = 200,
  answer = {},
  role = 'standard',
}: Sent): StoredExchange => {
  const text = JSON.stringify(body)
  const told = JSON.stringify(answer)
  return {
    ...first,
    id,
    sender: { role },
    request: {
      method: 'POST',
      url: `http://h.example${path}`,
      path,
      headers: key === undefined ? [] : [['Idempotency-Key', key]],
      body: { kind: 'text', text, bytes: text.length },
    },
    response: { status, rawBytes: 1, headers: [], body: { kind: 'text', text: told, bytes: told.length } },
  }
}

const stored = (...sent: Sent[]) => new Map(sent.map(one => [one.id, exchange(one)]))

const booked = { booking: { booking_id: 7, status: 'confirmed' }, request_id: 'req_1' }

describe('the sequence of a finding', () => {
  test('tells what was sent and answered, and what earlier answers made known', () => {
    const exchanges = stored(
      { id: 'a1', path: '/api/v2/availability', answer: { results: [{ offer_id: 'offer:b4c3e139' }] } },
      { id: 'a2', key: 'k', body: { offer_id: 'offer:b4c3e139' }, status: 201, answer: booked },
      { id: 'a3', key: 'k', body: { offer_id: 'offer:b4c3e139' }, status: 201, answer: booked },
      { id: 'a9', path: '/api/v2/bookings/7/cancel', status: 409, answer: { error: { code: 'NO' } } },
    )
    const arranged = [
      'change the price by 3.5 for role standard (after exchange a4)',
      'move the clock (after exchange a9)',
    ]
    const steps = sequenceOf({ exchanges: ['a1', 'a2', 'a3', 'a9'], arranged }, exchanges)
    expect(steps).toMatchObject([
      { number: 1, shows: '1 results', guilty: false },
      { number: 2, status: '201', known: 'an offer of 1, a key of its own', shows: 'booking 7 confirmed' },
      { number: 3, known: 'same key and body as 2' },
      { kind: 'control', text: 'change the price by 3.5' },
      { number: 4, known: 'booking of 3, confirmed', shows: 'NO', guilty: true },
    ])
    expect(steps).toHaveLength(5)
  })
})

test('whatever a deployment sent is text within the picture', () => {
  const path = `/api/v2/bookings/${HOSTILE[1].repeat(9)}`
  const exchanges = stored({ id: 'a1', path, answer: { error: HOSTILE[0] } })
  const { markup } = sequencePicture(sequenceOf({ exchanges: ['a1'] }, exchanges), HOSTILE.join(' '))
  expectWellNested(markup)
  expect(markup).not.toMatch(/<script|<img/)
  for (const [, text] of markup.matchAll(/<text[^>]*>([^<]*)</g))
    expect(text!.replaceAll(/&\w+;|&#\d+;/g, 'x').length).toBeLessThanOrEqual(52)
})
