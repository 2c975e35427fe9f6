import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { readSamples } from './read-stage.ts'

const HEADER = 'metric_name,timestamp,metric_value,error_code,scenario,status,extra_tags,metadata'
const MINUTE = Date.UTC(2026, 10, 20, 7, 26)

/** Reads samples from these lines. */
function samplesIn(...lines: string[]) {
  const path = join(temporaryFolder(), 'samples.csv')
  writeFileSync(path, [HEADER, ...lines, ''].join('\n'))
  return readSamples(path)
}

/** Returns the line of a request that ended some seconds after that minute. */
const request = (
  seconds: number,
  took: number,
  tags = 'op=v2 probe&who=burst',
  outcome = ',v2,200',
): string => `http_req_duration,${MINUTE * 1000 + seconds * 1e6},${took.toFixed(6)},${outcome},${tags},`

test('a request was sent as long before the time of its sample as it took, and those to the gate do not count', async () => {
  const noise = `http_reqs,${MINUTE * 1000},1,,,200,,`
  const gate = request(0, 1, 'op=gate')
  const { requests } = await samplesIn(noise, gate, request(2, 1), request(1.5, 250.5))
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
    expect.objectContaining({ at: MINUTE + 1999 }),
  ])
})

test('a request has an error code only if it has no answer', async () => {
  const { requests } = await samplesIn(
    request(1, 0, '"op=v2 probe&who=a, b"', '1050,v2,0'),
    request(2, 0, 'op=v2 probe&who=burst', '1429,v2,429'),
  )
  expect(requests.map(({ who, status, errorCode }) => [who, status, errorCode])).toEqual([
    ['a, b', 0, 1050],
    ['burst', 429, 0],
  ])
})

test('a line that k6 does not write is refused', async () => {
  await expect(samplesIn(request(1, 1), request(1, 1).slice(0, 40))).rejects.toThrow(
    /^Line 3 of \S+\.csv is not what k6 writes/,
  )
})
