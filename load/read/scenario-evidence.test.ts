import { expect, test } from 'vitest'
import { BOOKING, errorOf } from '../../fixtures/checkers/testing/exchanges.ts'
import type { RawStage } from '../run/run-stages.ts'
import { exchangeFor, judging, request, SENDER, START, stageOf } from '../testing/evidence.ts'
import type { LoadExchange, RequestRow } from './evidence.ts'

const OF_LOAD = [['Authorization', 'Bearer a-credential']] as const

/** Returns what is found in answers to one credential. */
async function foundIn(exchanges: readonly LoadExchange[], raw: Partial<RawStage> = {}): Promise<string[]> {
  const { evidence, recorder } = judging('journey-mix')
  const { plan } = stageOf()
  const stage = { plan, senders: [SENDER], speed: 1, startedAt: START, finishedAt: START, ...raw }
  await evidence.begins(stage as RawStage, async () => new Map())
  for (const [at, exchange] of exchanges.entries()) {
    const headers = [...OF_LOAD, ...exchange.request.headers] as [string, string][]
    recorder.record(
      { ...exchange, id: `a${at}`, check: 'a check', request: { ...exchange.request, headers } },
      { token: null, bodyText: null },
    )
  }
  evidence.ends(stage as RawStage)
  return evidence.close().findings.map(({ clause }) => clause)
}

const read = (at: number, status: number) =>
  exchangeFor(request(at, { op: 'v1 probe', status }), { path: '/api/v1/p', json: {} })

test('a credential that is refused with 401 is a finding if it is served before and after', async () => {
  const [before, refused, after] = [read(0, 200), read(50, 401), read(60_000, 200)]
  expect(await foundIn([before, refused, after])).toContain('AUTH-BOTH-VERSIONS')
  for (const lawful of [
    [before, refused],
    [refused, after],
    [{ ...before, sender: { role: 'standard', tenant: 'tenant-2' } }, refused, after],
  ])
    expect(await foundIn(lawful)).not.toContain('AUTH-BOTH-VERSIONS')
})

const book = (at: number, heardAt: number, status: number, json: object): LoadExchange => ({
  ...exchangeFor(request(at, { op: 'v2 book', status }), {
    method: 'POST',
    path: '/api/v2/bookings',
    asking: [['Idempotency-Key', 'key-1']],
    sent: { items: [{ offer_id: 'offer-7' }] },
    json,
  }),
  heardAt: START + heardAt,
})

test('a repeat may fail as any request may under load', async () => {
  const first = book(0, 20, 201, { request_id: 'r1', booking: BOOKING })
  const failed = book(10, 30, 500, errorOf('INTERNAL_ERROR'))
  expect(await foundIn([first, failed])).not.toContain('V2-IDEM-RACE-ANSWERS')
  expect(await foundIn([first, book(10, 30, 404, errorOf('NOT_FOUND'))])).toContain('V2-IDEM-RACE-ANSWERS')
})

test('an offer that an answer showed must not be refused as that of another company', async () => {
  const row: Partial<RequestRow> = { op: 'v2 transfer availability' }
  const found = exchangeFor(request(0, row), {
    method: 'POST',
    path: '/api/v2/transfers/availability',
    sent: { product_ids: [7], from: '2027-09-01', to: '2027-09-01', pax: { adult: 1, child: 0, infant: 0 } },
    json: {
      request_id: 'r1',
      results: [
        {
          product_id: 7,
          currency: 'EUR',
          days: [{ date: '2027-09-01', availability: 'available', total: 50, offer_id: 'offer-7' }],
        },
      ],
    },
  })
  const check = exchangeFor(request(50, { op: 'v2 offer check', status: 400 }), {
    method: 'POST',
    path: '/api/v2/offers/check',
    sent: { offer_id: 'offer-7' },
    json: errorOf('OFFER_INVALID'),
  })
  expect(await foundIn([found, check])).toContain('V2-OFFER-CHECK-OK')
})

test('a partner below its limit is not refused, whose clock runs faster', async () => {
  const clause = 'LIMIT-V1-SERVES-500'
  const sent = Array.from({ length: 60 }, (_, at) => read(at * 10, at === 59 ? 429 : 200))
  expect(await foundIn(sent)).toContain(clause)
  const many = Array.from({ length: 600 }, (_, at) => read(at * 10, at === 560 ? 429 : 200))
  expect(await foundIn(many)).not.toContain(clause)
  expect(await foundIn(many, { speed: 20 })).toContain('LIMIT-V1-KEEPS-SERVING')
  expect(await foundIn(many, { speed: 20, behind: 6000 })).not.toContain('LIMIT-V1-KEEPS-SERVING')
})
