import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { UnreadableOutput } from './lines.ts'
import { readSamples } from './samples.ts'

function file(content: string | Uint8Array, ending = '.ndjson'): string {
  const path = join(temporaryFolder(), `samples${ending}`)
  writeFileSync(path, content)
  return path
}

/** Reads samples that k6 left as these lines. */
const samplesIn = (...all: string[]) => readSamples(file(lines(...all)))

/** Why samples are not read. */
async function refusal(path: string): Promise<string> {
  const error = await readSamples(path).catch(error => error)
  expect(error).toBeInstanceOf(UnreadableOutput)
  return error.message
}

const line = (metric: string, time: string, value: number, tags: Record<string, string>): string =>
  JSON.stringify({ metric, type: 'Point', data: { time, value, tags } })

const request = (time: string, took: number, tags: Record<string, string> = {}): string =>
  line('http_req_duration', time, took, {
    op: 'v2 probe',
    api: 'v2',
    who: 'burst',
    scenario: 'v2',
    status: '200',
    ...tags,
  })

const lines = (...all: string[]): string => all.map(one => `${one}\n`).join('')

const MINUTE = Date.UTC(2026, 10, 20, 7, 26)

/** As k6 writes it beside every request. */
const NOISE = [
  '{"type":"Metric","data":{"name":"http_req_duration","type":"trend","contains":"time","thresholds":[],"submetrics":[{"name":"http_req_duration{op:v2 probe}","suffix":"op:v2 probe","tags":{"op":"v2 probe"}}]},"metric":"http_req_duration"}',
  line('http_reqs', '2026-11-20T07:26:01.5Z', 1, { status: '200' }),
  line('vus', '2026-11-20T07:26:01.5Z', 1, {}),
]

describe('a request', () => {
  test('was sent as long before the time of its sample as it took', async () => {
    const { requests, span } = await samplesIn(...NOISE, request('2026-11-20T07:26:01.500000000Z', 250.5))
    expect(requests).toEqual([
      {
        op: 'v2 probe',
        api: 'v2',
        who: 'burst',
        part: 'v2',
        at: MINUTE + 1249.5,
        took: 250.5,
        status: 200,
        errorCode: 0,
      },
    ])
    expect(span).toEqual({ from: MINUTE + 1249.5, to: MINUTE + 1500 })
  })

  test('keeps what is finer than a millisecond of its time, in whichever zone it was written', async () => {
    const { requests } = await samplesIn(
      request('2026-11-20T07:26:01.000125Z', 0),
      request('2026-11-20T09:26:02.000250000+02:00', 0),
      request('2026-11-20T02:56:03.0005-04:30', 0),
      request('2026-11-20T07:26:04Z', 0),
    )
    const after = requests.map(({ at }) => at - MINUTE)
    expect(after).toHaveLength(4)
    for (const [index, expected] of [1000.125, 2000.25, 3000.5, 4000].entries()) {
      expect(after[index]).toBeCloseTo(expected, 3)
    }
  })

  test('without an answer says why, and one with an answer does not', async () => {
    const { requests } = await samplesIn(
      request('2026-11-20T07:26:01Z', 0, { status: '0', error_code: '1050', error: 'request timeout' }),
      request('2026-11-20T07:26:02Z', 0, { status: '429', error_code: '1429' }),
    )
    expect(requests.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      [0, 1050],
      [429, 0],
    ])
  })

  test('to the gate is none of the scenario', async () => {
    const gate = request('2026-11-20T07:26:00Z', 1, { op: 'gate' })
    const { requests, span } = await samplesIn(gate, request('2026-11-20T07:26:01Z', 1))
    expect(requests.map(({ op }) => op)).toEqual(['v2 probe'])
    expect(span?.from).toBe(MINUTE + 999)
  })
})

test('iterations are added up: those completed, and those dropped, of which one sample may tell of several', async () => {
  const { iterations, measures } = await samplesIn(
    line('iterations', '2026-11-20T07:26:02Z', 1, {}),
    line('iterations', '2026-11-20T07:26:02Z', 1, {}),
    line('dropped_iterations', '2026-11-20T07:26:02Z', 7, {}),
    line('iteration_duration', '2026-11-20T07:26:02Z', 1000, {}),
  )
  expect(iterations).toEqual({ completed: 2, dropped: 7 })
  expect(Object.fromEntries(measures)).toEqual({
    dropped_iterations: [{ at: Date.UTC(2026, 10, 20, 7, 26, 2), value: 7, tags: {} }],
  })
})

test('lines are read whole wherever the reader cuts the file', async () => {
  const tags = { padding: 'é'.repeat(700_000) }
  const { requests } = await samplesIn(
    request('2026-11-20T07:26:01Z', 1, tags),
    request('2026-11-20T07:26:02Z', 1, tags),
  )
  expect(requests).toHaveLength(2)
})

describe('the output of a k6 that was killed', () => {
  const whole = request('2026-11-20T07:26:01Z', 1)

  test('is read up to its last line, which is told', async () => {
    const path = file(lines(whole) + whole.slice(0, 60))
    const { requests, torn } = await readSamples(path)
    expect(requests).toHaveLength(1)
    expect(torn).toEqual([path])
  })

  test('is not torn when only the last line feed is missing', async () => {
    const { requests, torn } = await readSamples(file(lines(whole) + whole))
    expect(requests).toHaveLength(2)
    expect(torn).toEqual([])
  })

  test('is read as far as it was packed', async () => {
    const packed = gzipSync(
      lines(...Array.from({ length: 500 }, (_, i) => request(`2026-11-20T07:26:01.${1000 + i}Z`, i))),
    )
    const path = file(packed.subarray(0, packed.length - 200), '.ndjson.gz')
    const { requests, torn } = await readSamples(path)
    expect(requests.length).toBeGreaterThan(100)
    expect(requests.length).toBeLessThan(500)
    expect(torn).toEqual([path])
  })
})

test('packed output is read like any other', async () => {
  const content = lines(...NOISE, request('2026-11-20T07:26:01Z', 1))
  expect(await readSamples(file(gzipSync(content), '.ndjson.gz'))).toEqual(await readSamples(file(content)))
})

describe('is refused in a sentence that names file and line:', () => {
  test.each([
    ['a line that is cut', request('2026-11-20T07:26:01Z', 1).slice(0, 80)],
    ['a line that is not JSON', '{"metric":"http_req_duration","type":}'],
    ['JSON that k6 does not write', '{"sent":1}'],
    ['a time that is none', request('yesterday', 1)],
    ['a number beyond all', request('2026-11-20T07:26:01Z', 1).replace('"value":1', '"value":1e999')],
    ['an empty line', ''],
    [
      'text that would be quoted by the parser',
      '{"metric":"http_req_duration","data":{"tags":{"a":Bearer secret}}}',
    ],
  ])('%s', async (_, bad) => {
    const whole = request('2026-11-20T07:26:01Z', 1)
    const message = await refusal(file(lines(whole, bad, whole)))
    expect(message).toMatch(/^Line 2 of \S+\.ndjson is not what k6 writes/)
    expect(message).not.toContain('secret')
  })

  test.each(['op', 'api', 'who', 'status'])('a request without the tag %s', async tag => {
    const foreign = JSON.parse(request('2026-11-20T07:26:01Z', 1))
    delete foreign.data.tags[tag]
    expect(await refusal(file(lines(JSON.stringify(foreign))))).toMatch(
      /^Line 1 of \S+ is of a request without the tags/,
    )
  })

  test('a file that is not there', async () => {
    const absent = join(temporaryFolder(), 'absent.ndjson')
    expect(await refusal(absent)).toContain('absent.ndjson (it is not there)')
  })

  test('a packed file that is none', async () => {
    expect(await refusal(file('plain text', '.ndjson.gz'))).toContain('Z_DATA_ERROR')
  })
})
