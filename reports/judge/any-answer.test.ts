import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyExchange, withoutText } from '../../fixtures/arbitraries/testing/any-exchange.ts'
import { createRedactor } from '../../fixtures/client/redaction/redact.ts'
import type { Exchange } from '../../fixtures/ground/exchange.ts'
import { type RunRecord, recordSchema } from '../../fixtures/ground/record.ts'
import { CheckEvidence } from '../../fixtures/recording/check-evidence.ts'
import { judgeBookingContention } from '../../load/judge/bookings/booking-contention.ts'
import { type LoadExchange, rowOf } from '../../load/read/evidence.ts'
import { circumstancesOf, stageOf } from '../../load/testing/evidence.ts'
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
      const evidence = new CheckEvidence({
        check: 'a check',
        clauses: [],
        redact: text => text,
        isLoad: true,
      })
      for (const exchange of exchanges) evidence.observe(exchange)
      for (const { message } of evidence.close(undefined, undefined).findings)
        expect(message).toEqual(expect.any(String))
      const requests = exchanges.map(exchange =>
        rowOf({
          ...exchange,
          request: { ...exchange.request, headers: [['Idempotency-Key', 'k']] },
          op: 'v2 book',
          part: '',
          who: 'first',
        } as LoadExchange),
      )
      const stages = new Map([['booking-contention', stageOf({ scenario: 'booking-contention', requests })]])
      const { questions } = judgeBookingContention(stages, circumstancesOf('booking-contention'))
      expect(questions).toHaveLength(1)
    },
    [...HISTORIES, ...withoutText.map(one => [one])],
  )
})
