import { describe, expect, test } from 'vitest'
import type { ScenarioFigures } from '../../fixtures/ground/record-load.ts'
import { assemble } from '../judge/assemble.ts'
import { exampleInput, exampleRecord } from '../testing/example.ts'
import { exampleLoad, exampleLoadInput, exampleLoadRecord } from '../testing/example-load.ts'
import { expectWellNested } from '../testing/markup.ts'
import { loadSection } from './load.ts'
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
  test('shows what was measured after the findings and before what could not be judged', () => {
    const at = ['findings', 'load', 'not-exercised', 'clauses'].map(id => page.indexOf(`<h2 id="${id}">`))
    expect(at).toEqual(at.toSorted((a, b) => a - b))
    expect(at).not.toContain(-1)
    expect(page).toContain('<dt>k6</dt><dd>2.3.0</dd>')
    expect(page).toContain('applicable clauses were exercised; a load run covers few of them')
  })

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

  test('shows the result of each check of a scenario, its facts and its calls', () => {
    const text = said(page, 'rate-limit-burst')
    for (const part of [
      'exactly the documented number passes in a window conforms',
      'every 429 says when to come back violates',
      'passed on v1, of 520 500',
      'window of v1 fixed minute',
      'v1 probe 2,855 200 : 2,405 429 : 450 2.1 ms 5.1 ms 8.5 ms 15 ms',
      '5,710 requests in 14 s from 2026-10-01 09:30:00 UTC on, as many as the deployment counted',
      'set: burst 520, vus 25',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('from when it was due')
    expect(said(page, 'booking-contention')).toContain(
      'v2 read booking 412 all 200 0.74 ms 1.8 ms 3 ms 5.4 ms 0.77 ms 1.9 ms 3.1 ms 5.6 ms',
    )
  })

  test('says why a figure is missing', () => {
    const text = said(page, 'breakpoint')
    expect(text).toContain('311 iterations were dropped, so latencies would flatter')
    expect(text).toContain('v2 search hotels 172,045 200 : 171,990 503 : 55 v2 poll search')
    expect(said(page, 'booking-contention')).toContain(
      'The deployment counted 8,415 requests, 3 more than the 8,412 that were sent.',
    )
  })

  test('draws each plot with its own id, title and description', () => {
    const named = page.matchAll(/aria-labelledby="(load-\d-plot-\d)-title \1-desc"/g)
    const pictures = Array.from(named, ([, id]) => id!)
    expect(pictures).toEqual([1, 2, 4].flatMap(at => [`load-${at}-plot-1`, `load-${at}-plot-2`]))
    for (const id of pictures)
      for (const part of ['title', 'desc']) expect(page.split(` id="${id}-${part}"`)).toHaveLength(2)
    expect(said(page, 'search-polling')).toContain('There is nothing to draw')
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

test('the same facts of several subjects are one table', () => {
  const facts = ['v1 hotels', 'v1 transfers'].flatMap(subject =>
    ['references', 'that ordered'].map(what => ({ name: `${subject}: ${what}`, value: 20 })),
  )
  const text = said(only({ facts: [{ name: 'keys', value: 7 }, ...facts] }), burst!.name)
  expect(text).toContain('references that ordered v1 hotels 20 20 v1 transfers 20 20')
  expect(text).toContain('keys 7')
})

test('a scenario that was too short for its question has no verdict', () => {
  const short = { name: 'soak', checks: [exampleLoad.scenarios[1]!.checks[0]!], seconds: 3 }
  expect(said(only(short), 'soak')).toContain('too short to say, needs 10 min')
  expect(said(only({ ...short, seconds: 600 }), 'soak')).not.toContain('too short')
})

test('a percentile of few answers is not shown', () => {
  const call = { ...burst!.calls[0]!, op: 'v2 voucher', sent: 4, outcomes: { 200: 4 } }
  expect(said(only({ calls: [call] }), burst!.name)).toContain('v2 voucher 4 all 200 2.1 ms – – 15 ms')
})

test('other runs have no such section', () => {
  expect(loadSection(exampleRecord)).toBeUndefined()
  expect(toHtml(exampleRecord, evidence)).not.toContain('id="load"')
})

test('scenarios that only measure make a page that says so', () => {
  const load = { ...exampleLoad, scenarios: exampleLoad.scenarios.slice(3) }
  const collected = { ...exampleInput.collected, checks: [] }
  const record = assemble({ ...exampleLoadInput, load, collected })
  expect(record).toMatchObject({ verdict: 'not exercised', errors: [] })
  const quiet = toHtml(record, evidence)
  expect(quiet).toContain('The scenarios measured; there was nothing to judge.')
  expect(quiet).not.toContain('class="scenarios"')
})

test('a page with all scenarios and plots stays small', () => {
  const points = Array.from({ length: 300 }, (_, at): [number, number] => [at, (at * 7919) % 997])
  const plot = {
    kind: 'lines' as const,
    title: 'Latency',
    x: 'seconds',
    y: 'milliseconds',
    series: ['p50', 'p95', 'p99', 'max'].map(name => ({ name, points })),
  }
  const scenarios = Array.from({ length: 9 }, () => ({
    ...burst!,
    plots: Array.from({ length: 6 }, () => plot),
  }))
  const record = assemble({ ...exampleLoadInput, load: { ...exampleLoad, scenarios } })
  expect(toHtml(record, evidence).length).toBeLessThan(1_000_000)
})
