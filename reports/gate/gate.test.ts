import { describe, expect, test } from 'vitest'
import { assemble } from '../assemble.ts'
import { finalText } from '../terminal.ts'
import { exampleInput, exampleRecord } from '../testing/example.ts'
import { against, gateLines } from './gate.ts'
import type { Waiver } from './waivers.ts'

const waiver = (clause: string): Waiver => ({
  ...{ clause, reason: 'known since March', owner: 'booking team', expires: '2027-01-31' },
})
const ALL = ['V2-IDEM-REPLAY', 'V2-OFFER-FORGED'].map(waiver)
/** The example without its faults of the deployment that are no findings. */
const [, , , ...late] = exampleInput.collected.checks
const collected = {
  ...exampleInput.collected,
  checks: exampleInput.collected.checks.filter(check => !late.includes(check)),
}

describe('waivers in a run', () => {
  test('a run whose required findings are all waived does not violate, and says what is waived', () => {
    const record = assemble({ ...exampleInput, collected, waivers: ALL })
    expect(record.verdict).not.toBe('violates')
    expect(record.gate).toEqual({ passes: true, waived: 7, unneeded: [], untested: [] })
    const text = finalText(record, { colour: false, dir: '.' })
    expect(text).toContain('7 findings are waived.')
    expect(text).toContain('waived until 2027-01-31 by booking team: known since March')
  })

  test('one that is not waived still violates', () => {
    expect(assemble({ ...exampleInput, collected, waivers: ALL.slice(1) }).verdict).toBe('violates')
  })

  test('a waiver that nothing needs does not let the gate pass', () => {
    const record = assemble({ ...exampleInput, collected, waivers: [waiver('V2-BOOK-CREATED'), ...ALL] })
    expect(record.gate).toMatchObject({ passes: false, unneeded: ['V2-BOOK-CREATED of booking team'] })
    expect(gateLines(record).join(' ')).toContain('to be removed: V2-BOOK-CREATED of booking team')
  })
})

describe('a baseline', () => {
  const clean = {
    ...exampleRecord,
    run: 'earlier',
    clauses: exampleRecord.clauses.map(row => ({ ...row, findings: [], verdict: 'conforms' as const })),
  }

  test('the same findings pass', () => {
    const { gate } = against({ ...exampleRecord, run: 'earlier' }, exampleRecord)
    expect(gate).toMatchObject({ passes: true, baseline: { run: 'earlier', broken: [], unexercised: [] } })
  })

  test('what is newly broken, or no longer exercised, does not pass', () => {
    const { gate } = against(clean, exampleRecord)
    expect(gate.passes).toBe(false)
    expect(gate.baseline?.broken).toContain('V2-IDEM-REPLAY')
    expect(gate.baseline?.unexercised).toContain('V2-BOOK-ABANDONED')
  })

  test('what is waived is not new', () => {
    const record = assemble({ ...exampleInput, collected, waivers: ALL })
    expect(against(clean, record).gate.baseline?.broken).toEqual(['V2-CACHE-OTHER'])
  })
})
