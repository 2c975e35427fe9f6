import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyExchange, withoutText } from '../../fixtures/arbitraries/testing/any-exchange.ts'
import { createRedactor } from '../../fixtures/client/redaction/redact.ts'
import type { Exchange } from '../../fixtures/ground/exchange.ts'
import { type RunRecord, recordSchema } from '../../fixtures/ground/record.ts'
import { CheckEvidence } from '../../fixtures/recording/check-evidence.ts'
import {
  bookedBy,
  isRaced,
  isUncertain,
  racesOf,
  readingOf,
  repeatsOf,
} from '../../load/judge/bookings/booking-contention.ts'
import { PassiveRules } from '../../load/judge/passive-rules.ts'
import type { LoadExchange, StageEvidence } from '../../load/read/evidence.ts'
import { toHtml } from '../html/report.ts'
import { toJUnit } from '../render/junit.ts'
import { toMarkdown } from '../render/markdown.ts'
import { replayScript } from '../scripts/replay-script.ts'
import { finalText } from '../terminal/summary.ts'
import { exampleRecord } from '../testing/example.ts'

const seed = Date.now()
const HISTORIES = fc.sample(fc.array(anyExchange, { minLength: 1, maxLength: 4 }), { numRuns: 60, seed })
const TOKEN = 'a-credential-of-some-length'

function holdsFor(
  read: (exchanges: readonly Exchange[]) => void,
  histories: readonly (readonly Exchange[])[] = HISTORIES,
): void {
  for (const [at, exchanges] of histories.entries()) {
    try {
      read(exchanges)
    } catch (error) {
      throw new Error(`History ${at} of seed ${seed}: ${fc.stringify(exchanges)}`, { cause: error })
    }
  }
}

/** The example record with the findings of a check for these exchanges, on every clause. */
function recordOf(exchanges: readonly Exchange[], redact: (text: string) => string): RunRecord {
  const evidence = new CheckEvidence({ check: 'a check', clauses: [], redact })
  for (const exchange of exchanges) evidence.observe(exchange)
  const { findings } = evidence.close(undefined, undefined)
  const clauses = exampleRecord.clauses.map(row => ({
    ...row,
    findings: [...row.findings, ...findings.map(({ clause: _clause, ...finding }) => finding)],
  }))
  return recordSchema.parse(JSON.parse(JSON.stringify({ ...exampleRecord, clauses })))
}

test('any answer can be stored, reported and repeated', () => {
  holdsFor(exchanges => {
    const redactor = createRedactor([TOKEN])
    const stored = exchanges.map(exchange => redactor.exchange(exchange, { token: TOKEN, bodyText: null }))
    const record = recordOf(exchanges, text => redactor.text(text))
    const page = toHtml(record, {
      exchanges: new Map(stored.map(exchange => [exchange.id, exchange])),
      curlOf: ({ id }) => id,
    })
    expect(page).not.toContain(TOKEN)
    expect(page.endsWith('</html>\n') || page.endsWith('</html>')).toBe(true)
    expect(toJUnit(record)).toContain('</testsuites>')
    expect(toMarkdown(record)).not.toBe('')
    expect(finalText(record, { colour: true, dir: 'out' })).not.toBe('')
    for (const { id } of stored) {
      const script = replayScript({ clause: 'V2-OFFER-CHECK-NEW', says: 'anything' }, [id], stored)
      if (script !== undefined) expect(script).toMatch(/^#!/)
    }
  })
})

test('any answer under load is judged, also of values that cannot be made a text', () => {
  holdsFor(
    exchanges => {
      const loaded = exchanges.map(exchange => ({ ...exchange, op: 'v2 book' }) as LoadExchange)
      const rules = new PassiveRules()
      for (const exchange of loaded) {
        rules.observe(exchange)
        readingOf(exchange)
      }
      expect(rules.judged).toBe(loaded.length)
      for (const { message } of rules.findings()) expect(message).toEqual(expect.any(String))
      const keyed = loaded.map(exchange => ({
        ...exchange,
        request: { ...exchange.request, headers: [['Idempotency-Key', 'k'] as [string, string]] },
      }))
      const stage = { exchanges: keyed, failures: [], plan: { senders: [] } } as unknown as StageEvidence
      const races = racesOf(stage)
      expect(races).toHaveLength(1)
      for (const race of races) {
        isRaced(race)
        isUncertain(race)
        bookedBy(race)
        repeatsOf(race)
      }
    },
    [...HISTORIES, ...withoutText.map(one => [one])],
  )
})
