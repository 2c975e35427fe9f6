import { styleText } from 'node:util'
import { placeOf } from '../../fixtures/clauses/places.ts'
import type { Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { howToSeeAgain } from '../findings/command-to-see-again.ts'
import { type Cause, type Repeated, type Root, rootsOf } from '../findings/roots.ts'
import { count, oneLine, present, shorten } from '../render/plain.ts'

/** Colours text, or returns it unchanged. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** Colours text for a terminal. */
export const inColour: Paint = (style, text) => styleText(style, text, { validateStream: false })
/** Returns text unchanged. */
export const uncoloured: Paint = (_, text) => text

/** Returns a deployment's text, made harmless and short enough for a line. */
export const text = (value: string, longest = 400): string => shorten(oneLine(value), longest)

/** The maximum numbers of broken clauses, causes per clause, and related clauses per cause. */
const MOST_CLAUSES = 25
const MOST_CAUSES = 3
const MOST_BESIDE = 6

/**
 * Returns the findings of a run, worst first. Findings of several clauses about one exchange are together, and
 * equal findings about several answers appear once. Clauses for which there is no room are named at the end.
 */
export function findingLines(record: RunRecord, paint: Paint): string[] {
  const clauses = [...Map.groupBy(rootsOf(record), ({ cause }) => cause.broken[0].clause)]
  const lines = clauses.slice(0, MOST_CLAUSES).flatMap(([clause, roots]) => {
    const { id, level, says } = clause
    const waived = clause.findings.every(finding => finding.waived !== undefined)
    const mark = waived ? paint('dim', '~') : level === 'must' ? paint('red', '✗') : paint('yellow', '!')
    const kind = level === 'should' ? ', a recommendation' : ''
    const rest = roots.length - MOST_CAUSES
    return [
      `${mark} ${paint('bold', text(id, 120))} ${text(says)} ${paint('dim', `(${text(placeOf(clause), 160)}${kind})`)}`,
      ...roots
        .slice(0, MOST_CAUSES)
        .flatMap(root => [
          ...causeLines(record, root.cause, paint),
          ...knockOnLine(root).map(line => paint('dim', line)),
        ]),
      ...(rest > 0 ? [paint('dim', `    and ${count(rest, 'more cause')}`)] : []),
    ]
  })
  const named = new Set(lines.join('\n').match(/[A-Z\d]+(?:-[A-Z\d]+)+/g))
  const rest = record.clauses.flatMap(({ id, findings }) =>
    findings.length > 0 && !named.has(id) ? [id] : [],
  )
  if (rest.length > 0) {
    const ids = rest.map(id => text(id, 120)).join(', ')
    lines.push(paint('dim', `and ${count(rest.length, 'more clause')}: ${ids} (see report.html)`))
  }
  return lines
}

/** Returns how much probably follows from a root; report.html has it in full. */
const knockOnLine = ({ knockOns }: Root): string[] =>
  knockOns.length === 0
    ? []
    : [
        `    and ${count(knockOns.length, 'more cause that probably follows', 'more causes that probably follow')} from it`,
      ]

function causeLines(record: RunRecord, { broken: [lead, ...others] }: Cause, paint: Paint): string[] {
  const { finding, clause, at } = lead
  const { waived } = finding
  const rest = others.length - MOST_BESIDE
  const again = howToSeeAgain(record, clause, finding, at)
  return [
    `    ${text(finding.message)}${alike(lead)}`,
    ...others
      .slice(0, MOST_BESIDE)
      .map(other => `    also ${other.clause.id}: ${text(other.finding.message, 200)}${alike(other)}`),
    ...(rest > 0 ? [`    and ${count(rest, 'more clause')} of the same exchange`] : []),
    ...present([
      waived && `waived until ${waived.expires} by ${text(waived.owner, 80)}: ${text(waived.reason, 200)}`,
      origin(finding),
      again,
    ]).map(line => paint('dim', `    ${line}`)),
  ]
}

/** Returns how many other answers show the same. */
const alike = ({ more }: Repeated): string =>
  more.length === 0 ? '' : `; and ${count(more.length, 'more answer')} like it`

/** Returns the check of a finding, and its exchanges unless the message names them. */
function origin({ message, check, exchanges, source }: Finding): string {
  const unnamed = exchanges.some(id => !message.includes(id))
  const shown = exchanges.slice(-6).map(id => text(id, 40))
  const cut = exchanges.length > shown.length ? '… ' : ''
  const label = exchanges.length === 1 ? 'exchange' : 'exchanges'
  return [
    ...(unnamed ? [`${label} ${cut}${shown.join(', ')}`] : []),
    `${source === 'passive' ? 'seen in the traffic of ' : ''}${text(check, 240)}`,
  ].join('; ')
}
