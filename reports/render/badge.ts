import type { RunRecord } from '../../fixtures/record.ts'
import { outcomeOf, type Tone } from '../judge/outcome.ts'
import { percent } from './digest.ts'
import { toXml } from './xml.ts'

const COLOURS: Record<Tone, readonly [name: string, hex: string]> = {
  conforms: ['brightgreen', '#2b7a0b'],
  violates: ['red', '#b3261e'],
  blocked: ['orange', '#8a4b00'],
  error: ['red', '#b3261e'],
  unseen: ['lightgrey', '#5f6368'],
  measured: ['lightgrey', '#5f6368'],
  none: ['lightgrey', '#5f6368'],
}

const LABEL = 'travel sales'

/** Returns the text of a badge. It never states conformance without coverage. */
function messageOf(record: RunRecord): string {
  const { profile, coverage } = record
  const { exercised, applicable } = coverage
  return `${outcomeOf(record).word}${profile === undefined ? '' : ` (${profile.name})`}, ${percent(exercised, applicable)} of clauses exercised`
}

/** Returns the run as the endpoint of a shields.io badge. */
export const toBadgeEndpoint = (record: RunRecord): object => ({
  schemaVersion: 1,
  label: LABEL,
  message: messageOf(record),
  color: COLOURS[outcomeOf(record).tone][0],
  isError: record.verdict === 'error',
})

/** The approximate width of a character at 11 px. */
const CHARACTER = 6.6
const MARGIN = 8
const HEIGHT = 20

/** Returns the run as a self-contained badge. */
export function toBadge(record: RunRecord): string {
  const message = messageOf(record)
  const left = Math.ceil(LABEL.length * CHARACTER) + 2 * MARGIN
  const right = Math.ceil(message.length * CHARACTER) + 2 * MARGIN
  const text = (x: number, said: string) => ({
    name: 'text',
    attributes: { x, y: 14, fill: '#fff', 'font-family': 'Verdana, sans-serif', 'font-size': 11 },
    text: said,
  })
  return toXml({
    name: 'svg',
    attributes: {
      xmlns: 'http://www.w3.org/2000/svg',
      width: left + right,
      height: HEIGHT,
      role: 'img',
      'aria-label': `${LABEL}: ${message}`,
    },
    children: [
      { name: 'rect', attributes: { width: left, height: HEIGHT, fill: '#444' } },
      {
        name: 'rect',
        attributes: { x: left, width: right, height: HEIGHT, fill: COLOURS[outcomeOf(record).tone][1] },
      },
      text(MARGIN, LABEL),
      text(left + MARGIN, message),
    ],
  })
}
