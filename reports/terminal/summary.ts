import { basename, dirname, normalize } from 'node:path'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { shellWord } from '../../fixtures/output/command-line.ts'
import { DEFAULT_OUT } from '../../fixtures/run/run-folder.ts'
import { gateLines } from '../gate/gate.ts'
import { listed, missingLines, outcomeOf, type Tone } from '../judge/outcome.ts'
import { statesLine } from '../judge/states.ts'
import { bothNumbers, duration, headline, KIND_COLUMNS, kindRows } from '../render/digest.ts'
import {
  chosenLine,
  debtsLine,
  deploymentLine,
  leftoverSummary,
  notLookedAtLine,
  profileLine,
  undecidedLine,
} from '../render/digest-lines.ts'
import { conclusionOf, extent, isTelling, latencyText, limitsOf, slowestCall } from '../render/load.ts'
import { factValue, milliseconds, present } from '../render/plain.ts'
import { blocked, byReason, type ReasonGroup } from '../render/reasons.ts'
import { findingLines, inColour, type Paint, text, uncoloured } from './findings.ts'

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
  const { word, tone, passes } = outcomeOf(record)
  // A name is looked for where runs are by default.
  const run = dirname(dir) === normalize(DEFAULT_OUT) ? basename(dir) : dir
  const lines = (found: readonly (string | undefined)[]): string[] =>
    present(found).map(line => `${text(line, 2000)}.`)
  const sections = [
    [
      `${paint(STYLES[tone], word.toUpperCase())}  ${text(headline(record), 2000)}`,
      `${conforming}; ${exercised}.`,
      ...lines([deploymentLine(deployment)]).map(line => paint('yellow', line)),
      ...lines([profileLine(record), chosenLine(record)]),
      ...lines([notLookedAtLine(record)]).map(line => paint('yellow', line)),
      ...gateLines(record).map(line => paint(passes ? 'dim' : 'yellow', text(line, 4000))),
      ...(record.halted === undefined ? [] : [paint('yellow', `Not completed: ${text(record.halted)}`)]),
      ...missingLines(record).map(line => paint('yellow', `Incomplete: ${text(line)}`)),
      ...lines([debtsLine(record)]).map(line => paint('yellow', line)),
      ...lines([undecidedLine(record)]).map(line => paint('magenta', line)),
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
