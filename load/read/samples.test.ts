import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { UnreadableOutput } from './lines.ts'
import { readSamples } from './samples.ts'

function file(content: string | Uint8Array, ending = '.csv'): string {
  const path = join(temporaryFolder(), `samples${ending}`)
  writeFileSync(path, content)
  return path
}

/** Reads samples from these lines. */
const samplesIn = (...all: string[]) => readSamples(file(lines(...all)))

/** Returns why samples are refused. */
async function refusal(path: string): Promise<string> {
  const error = await readSamples(path).catch(error => error)
  expect(error).toBeInstanceOf(UnreadableOutput)
  return error.message
}

const HEADER = 'metric_name,timestamp,metric_value,error_code,scenario,status,extra_tags,metadata'

/** Returns the line of a sample at a time in microseconds. */
const line = (
  metric: string,
  time: number | string,
  value: number,
  tags: Record<string, string> = {},
): string => {
  const { error_code = '', scenario = '', status = '', ...others } = tags
  const extra = Object.entries(others).map(([name, value]) => `${name}=${value}`)
  const fields = [metric, `${time}`, value.toFixed(6), error_code, scenario, status, extra.join('&'), '']
  return fields.map(field => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')
}

const request = (time: number | string, took: number, tags: Record<string, string> = {}): string =>
  line('http_req_duration', time, took, {
    op: 'v2 probe',
    who: 'burst',
    scenario: 'v2',
    status: '200',
    ...tags,
  })

const lines = (...all: string[]): string => [HEADER, ...all].map(one => `${one}\n`).join('')

const MINUTE = Date.UTC(2026, 10, 20, 7, 26)

/** Returns a number of seconds after that minute, as k6 writes it. */
const past = (seconds: number): number => MINUTE * 1000 + seconds * 1e6

/** Lines that k6 writes for every request. */
const NOISE = [line('http_reqs', past(1.5), 1, { status: '200' }), line('vus', past(1.5), 1)]

describe('a request', () => {
  test('was sent as long before the time of its sample as it took', async () => {
    const { requests, span } = await samplesIn(...NOISE, request(past(1.5), 250.5))
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

  test('has an error code only if it has no answer', async () => {
    const { requests } = await samplesIn(
      request(past(1), 0, { status: '0', error_code: '1050', error: 'request timeout' }),
      request(past(2), 0, { status: '429', error_code: '1429' }),
    )
    expect(requests.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      [0, 1050],
      [429, 0],
    ])
  })

  test('to the gate is not counted', async () => {
    const gate = request(past(0), 1, { op: 'gate' })
    const { requests, span } = await samplesIn(gate, request(past(1), 1))
    expect(requests.map(({ op }) => op)).toEqual(['v2 probe'])
    expect(span?.from).toBe(MINUTE + 999)
  })
})

describe('the output of a k6 that was killed', () => {
  const whole = request(past(1), 1)

  test('is read up to its last line, which is told', async () => {
    const path = file(lines(whole) + whole.slice(0, 60))
    const { requests, torn } = await readSamples(path)
    expect(requests).toHaveLength(1)
    expect(torn).toEqual([path])
  })

  test('is read as far as it was packed', async () => {
    const packed = gzipSync(lines(...Array.from({ length: 500 }, (_, i) => request(past(1 + i / 1000), i))))
    const path = file(packed.subarray(0, packed.length - 200), '.csv.gz')
    const { requests, torn } = await readSamples(path)
    expect(requests.length).toBeGreaterThan(100)
    expect(requests.length).toBeLessThan(500)
    expect(torn).toEqual([path])
  })
})

test('packed output is read like any other', async () => {
  const content = lines(...NOISE, request(past(1), 1))
  expect(await readSamples(file(gzipSync(content), '.csv.gz'))).toEqual(await readSamples(file(content)))
})

describe('is refused in a sentence that names file and line:', () => {
  test.each([
    ['a line that is cut', request(past(1), 1).slice(0, 60)],
    ['a line of something else', '{"secret":1}'],
    ['a time that is none', request('yesterday', 1)],
    ['a time in seconds', request(MINUTE / 1000, 1)],
    ['a number beyond all', request(past(1), 1).replace('1.000000', '+Inf')],
    ['an empty line', ''],
  ])('%s', async (_, bad) => {
    const whole = request(past(1), 1)
    const message = await refusal(file(lines(whole, bad, whole)))
    expect(message).toMatch(/^Line 3 of \S+\.csv is not what k6 writes/)
    expect(message).not.toContain('secret')
  })

  test('a file without the names of its columns', async () => {
    expect(await refusal(file(`${request(past(1), 1)}\n`))).toMatch(/^Line 1 of \S+ is not what k6 writes/)
  })

  test.each(['op', 'who', 'status'])('a request without the tag %s', async tag => {
    expect(await refusal(file(lines(request(past(1), 1, { [tag]: '' }).replace(`${tag}=`, ''))))).toMatch(
      /^Line 2 of \S+ is of a request without the tags/,
    )
  })

  test('a file that is not there', async () => {
    const absent = join(temporaryFolder(), 'absent.csv')
    expect(await refusal(absent)).toContain('absent.csv (it is not there)')
  })

  test('a packed file that is none', async () => {
    expect(await refusal(file('plain text', '.csv.gz'))).toContain('Z_DATA_ERROR')
  })
})
