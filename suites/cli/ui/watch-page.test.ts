import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/client/testing/until.ts'
import { type Live, writeLive } from '../watch-live.ts'
import { watchedIn, watchedNamed, watchParts } from './watch-page.ts'

const now = () => new Date().toISOString()

const live = (more: Partial<Live> = {}): Live => ({
  proxy: 'http://127.0.0.1:8088',
  upstream: 'https://staging.example.com',
  startedAt: now(),
  at: now(),
  over: false,
  exchanges: 12,
  lost: 1,
  clients: 2,
  others: 3,
  refused: 0,
  findings: [
    {
      clause: 'V2-CANCEL-CODE',
      level: 'must',
      message: 'POST <b>x</b>: expected a, got b',
      count: 4,
      at: now(),
    },
  ],
  newest: [
    {
      at: Date.now(),
      id: 'a12',
      client: 'client-2',
      request: 'GET /api/v2/bookings/1',
      answer: '200',
      milliseconds: 3.2,
    },
  ],
  ...more,
})

/** Returns a folder of runs with these, and what is shown of the newest one. */
function shown(...all: Live[]) {
  const runs = temporaryFolder()
  for (const [number, one] of all.entries()) {
    const dir = join(runs, `20270105T10000${number}-watch`)
    mkdirSync(dir)
    writeLive(dir, one)
  }
  const { parts, over } = watchParts(watchedNamed(runs, '')!, run => `/run?run=${run}`)
  const text = Object.values(parts).map(({ markup }) => markup)
  return { runs, over, text: text.join('\n') }
}

test('the newest run is shown: where requests go, what was found, and the newest ones', () => {
  const { text, over } = shown(live({ upstream: 'https://other.example' }), live())
  expect(over).toBe(false)
  for (const part of [
    'https://staging.example.com',
    '12 requests, 2 credentials, 1 without an answer, 3 outside of the API',
    'must, 4 times',
    'client-2',
    'GET /api/v2/bookings/1',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('<b>x</b>')
})

test('what has ended leads to its run, and what is silent is not said to go on', () => {
  expect(shown(live({ over: true }))).toMatchObject({
    over: true,
    text: expect.stringContaining('/run?run=20270105T100000-watch'),
  })
  const silent = shown(live({ at: new Date(Date.now() - 60_000).toISOString() }))
  expect(silent).toMatchObject({ over: true, text: expect.stringContaining('without its last report') })
})

test.each([
  ['no JSON', 'watch'],
  ['times that are none', JSON.stringify(live({ at: 'yesterday' }))],
  ['a time that no date can hold', JSON.stringify(live({ newest: [{ ...live().newest[0]!, at: 1e300 }] }))],
])('a file with %s is none of watch', (_, text) => {
  const { runs } = shown(live())
  const dir = join(runs, '20280105T100000-watch')
  mkdirSync(dir)
  writeFileSync(join(dir, 'watch.json'), text)
  expect(watchedIn(runs).map(({ run }) => run)).toEqual(['20270105T100000-watch'])
})

test.each(['../../etc', '20270105T100000-audit', 'x'])('a run named %j is not looked for', run => {
  expect(watchedNamed(temporaryFolder(), run)).toBeUndefined()
})
