import { describe, expect, test } from 'vitest'
import type { ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import { assemble } from '../judge/assemble.ts'
import { exampleLoad, exampleLoadInput, exampleLoadRecord } from '../testing/example-load.ts'
import { expectWellNested } from '../testing/markup.ts'
import { toHtml } from './report.ts'

const evidence = { exchanges: new Map(), curlOf: () => '' }
const page = toHtml(exampleLoadRecord, evidence)
const [burst] = exampleLoad.scenarios

/** Returns the text of a scenario's part of a page, without markup. */
function said(markup: string, name: string): string {
  const article = markup.split('<article ').find(part => part.includes(`>${name}</span>`))!
  return article
    .split('</article>')[0]!
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

describe('the page of a load run', () => {
  test('lists its scenarios with their verdicts, each of which leads to its figures', () => {
    const rows = page.match(/<tr><td><a class="id" href="#load-\d">.*?<\/tr>/gs)!
    const cells = (row: string) =>
      row
        .replaceAll(/<[^>]*>/g, ' ')
        .trim()
        .replaceAll(/\s{2,}/g, ' | ')
    expect(rows.map(cells)).toEqual([
      'rate-limit-burst | violates | Does exactly the documented number pass in a window? | 5,710 | 14 s | p95 5.8 ms',
      'booking-contention | conforms | Does one key ever make two bookings under load? | 8,412 | 26 s | p95 39 ms',
      'search-polling | not exercised | How long do searches take, how many polls, do results only grow? | 0 | 20 s | –',
      'breakpoint | measured | At which rate do the objectives fail? | 1,204,318 | 1 h 2 min | –',
    ])
  })

  test('says why a figure is missing', () => {
    const text = said(page, 'breakpoint')
    expect(text).toContain('311 iterations were dropped, so latencies would flatter')
    expect(text).toContain('v2 search hotels 172,045 200 : 171,990 503 : 55 v2 poll search')
    expect(said(page, 'booking-contention')).toContain(
      'The deployment counted 8,415 requests, 3 more than the 8,412 that were sent.',
    )
  })

  test('is well nested and self-contained, and escapes all texts of the record', () => {
    expectWellNested(page)
    expect(page).not.toMatch(/ (?:src|srcset|action|style|on\w+)="|url\(|<(?:img|image|use|foreignObject)\b/)
    expect(page.match(/<script/g)).toHaveLength(1)
    for (const [, target] of page.matchAll(/ href="#([^"]*)"/g)) expect(page).toContain(` id="${target}"`)
  })
})

/** Returns the page of one scenario, with its text alone. */
const only = (scenario: Partial<ScenarioFigures>): string => {
  const load = { ...exampleLoad, scenarios: [{ ...burst!, ...scenario }] }
  return toHtml(assemble({ ...exampleLoadInput, load }), evidence)
}

test('time limits are one table, with the share that the slowest answer used', () => {
  const facts = [
    { name: 'v2 book: within 400 seconds', value: 100, unit: '%' },
    { name: 'v2 book: slowest', value: 100_000, unit: 'ms' },
    { name: 'v2 voucher: within 60 seconds', value: 50, unit: '%' },
    { name: 'v2 voucher: no answer', value: 1, unit: 'requests' },
  ]
  const markup = only({ name: 'timeouts', facts })
  expect(markup).not.toContain('class="tiles"')
  expect(markup).toMatch(/<rect class="used" width="25\.0"/)
  expect(markup).toMatch(/<tr class="late"><th scope="row">v2 voucher<\/th>.*50 % <small>1 without an answer/)
})

test('a percentile of few answers is not shown', () => {
  const call = { ...burst!.calls[0]!, op: 'v2 voucher', sent: 4, outcomes: { 200: 4 } }
  expect(said(only({ calls: [call] }), burst!.name)).toContain('v2 voucher 4 all 200 2.1 ms – – 15 ms')
})
