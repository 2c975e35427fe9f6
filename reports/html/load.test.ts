import { expect, test } from 'vitest'
import { exampleLoadRecord } from '../testing/example-load.ts'
import { expectWellNested } from '../testing/markup.ts'
import { toHtml } from './report.ts'

const evidence = { exchanges: new Map(), curlOf: () => '' }
const page = toHtml(exampleLoadRecord, evidence)

test('the page of a load run: lists its scenarios with their verdicts, each of which leads to its figures', () => {
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

test('the page of a load run: is well nested and self-contained, and escapes all texts of the record', () => {
  expectWellNested(page)
  expect(page).not.toMatch(/ (?:src|srcset|action|style|on\w+)="|url\(|<(?:img|image|use|foreignObject)\b/)
  expect(page.match(/<script/g)).toHaveLength(1)
  for (const [, target] of page.matchAll(/ href="#([^"]*)"/g)) expect(page).toContain(` id="${target}"`)
})
