import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoredExchange } from '../../fixtures/client/redaction/stored.ts'
import { assemble } from '../judge/assemble.ts'
import { visible } from '../render/plain.ts'
import { exampleExchanges, exampleInput, exampleRecord } from '../testing/example.ts'
import { expectWellNested } from '../testing/markup.ts'
import { html } from './head.ts'
import { toHtml } from './report.ts'

const evidence = {
  exchanges: new Map(exampleExchanges.map(exchange => [exchange.id, exchange])),
  curlOf: ({ id }: StoredExchange) => `curl # ${id} </pre>`,
}
const page = toHtml(exampleRecord, evidence)

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('the page', () => {
  test('shows an exchange where it is cited first, and links to it later', () => {
    expect(page.split('id="exchange-b1"')).toHaveLength(2)
    expect(page.split('href="#exchange-b1"')).toHaveLength(6)
    expect(page).toContain('curl # a4 &lt;/pre&gt;')
    expect(page).toContain('20,480 bytes that are not text, starting 255044462d312e37')
    expect(page).toContain('reset: the connection was reset')
  })

  test('every link leads somewhere on the page', () => {
    const targets = [...page.matchAll(/ href="([^"]*)"/g)].map(([, target]) => target!)
    expect(targets.length).toBeGreaterThan(5)
    for (const target of targets) expect(page).toContain(` id="${target.slice(1)}"`)
  })

  test('fetches nothing, and allows only its own script and style', () => {
    expect(page).not.toMatch(/ (?:src|srcset|action|style|on\w+)="/)
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).not.toMatch(/<(?:img|link|iframe|object|embed|base)\b/)
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page)!
    for (const tag of ['style', 'script']) {
      const [, text] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)!
      const hash = createHash('sha256').update(text!).digest('base64')
      expect(policy).toContain(`${tag}-src 'sha256-${hash}'`)
    }
    expect(policy).toContain("default-src 'none'")
  })

  test("shows a deployment's data as text, with symbols for control characters", () => {
    expect(page).toContain('&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).toContain('NUL ␀ BEL ␇ DEL ␡ ZWSP \\u200b RLO \\u202e')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
    expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('is a whole, well nested document', () => {
    expectWellNested(page)
  })
})

test('a page with many findings and long answers stays small', () => {
  const text = '<'.repeat(64 * 1024)
  const exchanges = new Map(
    Array.from({ length: 500 }, (_, at) => {
      const exchange: StoredExchange = {
        ...exampleExchanges[0]!,
        id: `x${at}`,
        response: { status: 200, rawBytes: 1, headers: [], body: { kind: 'text', text, bytes: text.length } },
      }
      return [exchange.id, exchange]
    }),
  )
  const [check] = exampleInput.collected.checks
  const findings = [...exchanges.keys()].map((id, at) => ({
    ...check!.report!.findings[0]!,
    message: `${at.toString(2).replaceAll('0', 'a').replaceAll('1', 'b')} ${'m'.repeat(300_000)}`,
    exchanges: [...exchanges.keys(), id],
  }))
  const checks = [{ ...check!, report: { ...check!.report!, findings } }]
  const record = assemble({ ...exampleInput, collected: { ...exampleInput.collected, checks } })
  const large = toHtml(record, { ...evidence, exchanges })
  expect(large).toContain('and 350 more causes, listed in record.json')
  expect(large).toContain('Exchange x400: see exchanges.ndjson')
  expect(large).toContain('(59536 more characters)')
  expect(large.length).toBeLessThan(35_000_000)
})

test('inserted values are escaped', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      const { markup } = html`${text}`
      expect(markup).not.toMatch(/[<>"']|&(?!lt;|gt;|quot;|#39;|amp;)/)
      expect(unescaped(markup)).toBe(visible(text))
    }),
  )
})
