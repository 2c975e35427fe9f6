import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/client/testing/client.ts'
import { readSamples } from './read-stage.ts'

const HEADER = 'metric_name,timestamp,metric_value,scenario,extra_tags,metadata'
const MINUTE = Date.UTC(2026, 10, 20, 7, 26)

/** Reads samples from these lines. */
function samplesIn(...lines: string[]) {
  const path = join(temporaryFolder(), 'samples.csv')
  writeFileSync(path, [HEADER, ...lines, ''].join('\n'))
  return readSamples(path)
}

/** Returns the line of a request. */
const request = (tags = 'op=v2 probe'): string => `http_req_duration,${MINUTE * 1000},250.500000,v2,${tags},`

test('requests to gates do not count, and a metric keeps the tags of its values', async () => {
  const noise = `http_reqs,${MINUTE * 1000},1,,,`
  const polls = `tss_search_polls,${MINUTE * 1000},3,search-polling,op=v2 hotel search,`
  const { requests, measures } = await samplesIn(noise, request('op=gate'), request(), request(), polls)
  expect(requests).toBe(2)
  const tags = { op: 'v2 hotel search', scenario: 'search-polling' }
  expect([...measures]).toEqual([['tss_search_polls', [{ at: MINUTE, value: 3, tags }]]])
})

test('a line that k6 does not write is refused', async () => {
  await expect(samplesIn(request(), request().slice(0, 30))).rejects.toThrow(
    /^Line 3 of \S+\.csv is not what k6 writes/,
  )
})
