import { basename, dirname, normalize } from 'node:path'
import { styleText } from 'node:util'
import { placeOf } from '../../fixtures/clauses/places.ts'
import type { Finding, RunRecord } from '../../fixtures/ground/record.ts'
import { shellWord } from '../../fixtures/output/command-line.ts'
import { DEFAULT_OUT } from '../../fixtures/run/run-folder.ts'
import { howToSeeAgain } from '../findings/command-to-see-again.ts'
import { type Cause, type Repeated, type Root, rootsOf } from '../findings/roots.ts'
import { listed, outcomeOf, type Tone } from '../judge/outcome.ts'
import { statesLine } from '../judge/profile.ts'
import {
  bothNumbers,
  duration,
  headLines,
  headline,
  KIND_COLUMNS,
  kindRows,
  leftoverSummary,
} from '../render/digest.ts'
import { conclusionOf, extent, isTelling, latencyText, limitsOf, slowestCall } from '../render/load.ts'
import {
  blocked,
  byReason,
  count,
  factValue,
  milliseconds,
  oneLine,
  present,
  type ReasonGroup,
  shorten,
} from '../render/plain.ts'

/** Colours text, or returns it unchanged. */
type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** Colours text for a terminal. */
export const inColour: Paint = (style, text) => styleText(style, text, { validateStream: false })
/** Returns text unchanged. */
export const uncoloured: Paint = (_, text) => text

/** Returns a deployment's text, made harmless and short enough for a line. */
const text = (value: string, longest = 400): string => shorten(oneLine(value), longest)

/** The maximum numbers of broken clauses, causes per clause, and related clauses per cause. */
const MOST_CLAUSES = 25
const MOST_CAUSES = 3
const MOST_BESIDE = 6

/**
 * Returns the findings of a run, worst first. Findings of several clauses about one exchange are together, and
 * equal findings about several answers appear once. Clauses for which there is no room are named at the end.
 */
function findingLines(record: RunRecord, paint: Paint): string[] {
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

const STYLES: Record<Tone, Parameters<Paint>[0]> = {
  conforms: ['green', 'bold'],
  violates: ['red', 'bold'],
  blocked: ['yellow', 'bold'],
  error: ['magenta', 'bold'],
  unseen: ['yellow', 'bold'],
  measured: ['cyan', 'bold'],
  none: ['dim'],
}

/** Returns whether to colour the output of a stream: only on a terminal that can, and never with `NO_COLOR`. */
export function wantsColour(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

/** Returns the summary of a run for the terminal. It ends with a newline. `dir` is the displayed folder of the run. */
export function finalText(record: RunRecord, { colour, dir }: { colour: boolean; dir: string }): string {
  const paint = colour ? inColour : uncoloured
  const [conforming, exercised] = bothNumbers(record)
  const states = statesLine(record.states)
  const { deployment, requests, seed, subject } = record
  // A client alone can send its requests again, and a recording nobody.
  const takeIt = subject === undefined ? 'explain and replay take' : 'explain takes'
  const { word, tone } = outcomeOf(record)
  // A name is looked for where runs are by default.
  const run = dirname(dir) === normalize(DEFAULT_OUT) ? basename(dir) : dir
  const sections = [
    [
      `${paint(STYLES[tone], word.toUpperCase())}  ${text(headline(record), 2000)}`,
      `${conforming}; ${exercised}.`,
      ...headLines(record).map(({ line, isWarning }) =>
        paint(isWarning ? 'yellow' : 'reset', text(line, 4000)),
      ),
    ],
    kindTable(record, paint),
    ...(states === undefined ? [] : [[paint('dim', `${states}.`)]]),
    findingLines(record, paint),
    underLoad(record, paint),
    part(
      'Faults of the kit',
      record.errors.map(message => text(message)),
      paint,
    ),
    groups('Blocked', blocked(record), paint),
    groups('Not exercised', byReason(record, 'not exercised'), paint, 0),
    part(
      'May still be booked',
      leftoverSummary(record).map(line => text(line, 600)),
      paint,
    ),
    [
      `${text(deployment.name)} (${text(deployment.baseUrl)}), ${duration(record)}`,
      `Requests: ${requests.v1.toLocaleString('en')} on v1, ${requests.v2.toLocaleString('en')} on v2.${seed === undefined ? '' : ` Seed: ${seed}.`}`,
      `Reports: ${dir} (open report.html; ${takeIt} --run ${shellWord(run)})`,
    ],
  ]
  return `${sections
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`
}

/** Returns the kinds of product, one per line. */
function kindTable(record: RunRecord, paint: Paint): string[] {
  const rows = kindRows(record)
  if (rows.length === 0) return []
  const table = [KIND_COLUMNS, ...rows]
  const widths = KIND_COLUMNS.map((_, at) => Math.max(...table.map(row => row[at]!.length)))
  return table.map((row, at) =>
    paint(
      at === 0 ? 'dim' : 'reset',
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  '),
    ),
  )
}

/** Returns the result of each scenario of a load run: its facts, its slowest call, and what limits its figures. */
function underLoad(record: RunRecord, paint: Paint): string[] {
  const { load } = record
  if (load === undefined) return []
  const lines = load.scenarios.flatMap(scenario => {
    const { says, tone } = conclusionOf(record, scenario)
    const facts = scenario.facts.slice(0, FACTS).map(fact => `${fact.name}: ${factValue(fact)}`)
    if (scenario.facts.length > FACTS) facts.push(`${scenario.facts.length - FACTS} more in the report`)
    const slowest = slowestCall(scenario)
    const limits = limitsOf(scenario)
    return [
      `  ${paint('bold', text(scenario.name))}  ${paint(STYLES[tone], says)}  ${paint('dim', extent(scenario))}`,
      ...(facts.length === 0 ? [] : [`    ${text(facts.join('; '))}`]),
      ...(slowest === undefined
        ? []
        : [
            `    slowest call: ${text(slowest.op)}, ${latencyText(slowest)}${isTelling(slowest, 'p99') ? `, p99 ${milliseconds(slowest.latency.p99)}` : ''}`,
          ]),
      ...(limits.length === 0 ? [] : [`    ${paint('yellow', text(limits.join(' ')))}`]),
    ]
  })
  return [paint('bold', `Under load (k6 ${text(load.k6.version)})`), ...lines]
}

/** The maximum number of facts per scenario. */
const FACTS = 4

function part(title: string, lines: readonly string[], paint: Paint, most = 20): string[] {
  if (lines.length === 0) return []
  const rest = lines.length - most
  return [
    paint('bold', title),
    ...lines.slice(0, most).map(line => `  ${line}`),
    ...(rest > 0 ? [paint('dim', `  and ${rest} more`)] : []),
  ]
}

/** Returns one line per reason, with at most `named` ids. */
function groups(title: string, found: readonly ReasonGroup[], paint: Paint, named = 4): string[] {
  const lines = found.map(({ reason, ids }) => {
    const shown = ids.map(id => text(id, 120))
    const which = named === 0 ? '' : paint('dim', `  ${listed(shown, named)}`)
    return `${String(ids.length).padStart(4)}  ${text(reason)}${which}`
  })
  return part(title, lines, paint)
}
