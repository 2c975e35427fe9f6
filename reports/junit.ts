import type { ClauseRecord, RunRecord } from '../fixtures/record.ts'
import type { ScenarioFigures } from '../fixtures/record-load.ts'
import { KIND_NAMES } from '../fixtures/service/products.ts'
import { areaTitle, byArea } from './areas.ts'
import { REASONS } from './assemble.ts'
import { repeated } from './causes.ts'
import { missingLines } from './digest.ts'
import { hasUnwaived } from './gate/gate.ts'
import { checksOf, outcomesOf, verdictOf } from './load.ts'
import { count, plain, shorten } from './plain.ts'
import type { XmlElement } from './xml.ts'
import { toXml } from './xml.ts'

/** Findings told of each clause; `record.json` has them all. */
const FINDINGS_PER_CLAUSE = 20

type Properties = Readonly<Record<string, string | number>>

interface Case {
  element: XmlElement
  outcome: 'passed' | 'failure' | 'error' | 'skipped'
  seconds: number
}

/**
 * The run as JUnit XML: a suite an area, a case a clause that this run could have decided. Broken required clauses are
 * failures; blocked clauses and faults of the kit are errors; what was not exercised, recommendations that are not
 * followed, and waived findings are skipped. Times add up to the time of the run. The figures of a load run are
 * properties of a suite without cases.
 */
export function toJUnit(record: RunRecord): string {
  const shares = timeShares(record)
  const suites = byArea(record.clauses.filter(isCase)).map(([area, rows], at) =>
    suite(
      record,
      at,
      areaTitle(area),
      rows.map(row => clauseCase(row, shares.get(row.id) ?? 0)),
    ),
  )
  if (runCases(record).length > 0) {
    suites.push(suite(record, suites.length, 'The run itself', runCases(record)))
  }
  if (record.load !== undefined) {
    const figures = Object.assign({}, ...record.load.scenarios.map(scenario => figuresOf(record, scenario)))
    suites.push(suite(record, suites.length, 'Under load', [], figures))
  }
  const cases = suites.flatMap(({ cases }) => cases)
  const root: XmlElement = {
    name: 'testsuites',
    attributes: { name: `${record.kit.name}: ${record.deployment.name}`, ...counts(cases) },
    children: suites.map(({ element }) => element),
  }
  return toXml(root)
}

/** What does not apply, has no check or was not selected is nothing that anybody could act on. */
const isCase = ({ verdict, reason }: ClauseRecord): boolean =>
  verdict !== 'not applicable' && !(verdict === 'not exercised' && OUT_OF_SIGHT.includes(reason ?? ''))

const OUT_OF_SIGHT: readonly string[] = [REASONS.open, REASONS.notSelected, REASONS.noScenario]

function suite(
  record: RunRecord,
  id: number,
  title: string,
  cases: Case[],
  figures: Properties = {},
): { element: XmlElement; cases: Case[] } {
  const { run, seed, deployment } = record
  const { profile } = record
  const properties: Properties = {
    run,
    ...(seed === undefined ? {} : { seed }),
    baseUrl: deployment.baseUrl,
    ...(profile === undefined
      ? {}
      : { profile: profile.name, 'profile asks for': profile.asked, 'profile exercised': profile.exercised }),
    ...figures,
  }
  const element: XmlElement = {
    name: 'testsuite',
    attributes: { name: title, id, ...counts(cases), timestamp: record.startedAt.replace(/\.\d+Z$|Z$/, '') },
    children: [propertiesOf(properties), ...cases.map(({ element }) => element)],
  }
  return { element, cases }
}

const propertiesOf = (properties: Properties): XmlElement => ({
  name: 'properties',
  children: Object.entries(properties).map(([name, value]) => ({
    name: 'property',
    attributes: { name, value },
  })),
})

/** Figures of a scenario by name; times are in milliseconds unless the name says otherwise. */
function figuresOf(record: RunRecord, scenario: ScenarioFigures): Properties {
  const { name, requests, seconds, rate, iterations, facts, calls, refused } = scenario
  const figures: Record<string, string | number> = {
    verdict: verdictOf(record, checksOf(record, scenario)),
    seconds,
    'requests sent': requests.sent,
    ...(requests.counted === undefined ? {} : { 'requests counted': requests.counted }),
    ...(rate?.intended === undefined ? {} : { 'iterations a second, intended': rate.intended }),
    ...(rate === undefined ? {} : { 'iterations a second': rate.achieved }),
    'iterations dropped': iterations.dropped,
    ...(refused === undefined ? {} : { refused }),
  }
  for (const { name, value, unit } of facts) figures[unit === undefined ? name : `${name} (${unit})`] = value
  for (const { op, sent, ...call } of calls) {
    figures[`${op}: sent`] = sent
    for (const [outcome, times] of outcomesOf(call)) figures[`${op}: ${outcome}`] = times
    if (refused !== undefined) continue
    for (const quantile of ['p50', 'p95', 'p99', 'max'] as const) {
      const { latency, fromSchedule } = call
      if (latency !== null) figures[`${op}: ${quantile}`] = rounded(latency[quantile])
      if (fromSchedule !== null) figures[`${op}: ${quantile} from due`] = rounded(fromSchedule[quantile])
    }
  }
  return Object.fromEntries(Object.entries(figures).map(([key, value]) => [`${name}: ${key}`, value]))
}

const rounded = (value: number): number => Number(value.toFixed(3))

function counts(cases: readonly Case[]): Record<string, string | number> {
  const number = (outcome: Case['outcome']): number => cases.filter(one => one.outcome === outcome).length
  return {
    tests: cases.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  }
}

function clauseCase(row: ClauseRecord, seconds: number): Case {
  const evidence = evidenceOf(row)
  const told = (name: 'failure' | 'error' | 'skipped', message: string, type?: string): XmlElement => ({
    name,
    attributes: { message: shorten(plain(message), 1000), ...(type === undefined ? {} : { type }) },
    // Readers show the text of a failure, and ignore or refuse text in `skipped`.
    ...(name !== 'skipped' && evidence !== '' ? { text: evidence } : {}),
  })
  const output: XmlElement[] = evidence === '' ? [] : [{ name: 'system-out', text: evidence }]
  const first = row.findings[0]?.message ?? row.reason ?? row.verdict

  const outcomes: Record<ClauseRecord['verdict'], [Case['outcome'], XmlElement[]]> = {
    conforms: ['passed', []],
    violates: !hasUnwaived(row)
      ? ['skipped', [told('skipped', `Waived: ${first}`), ...output]]
      : row.level === 'must'
        ? ['failure', [told('failure', first, 'violates')]]
        : ['skipped', [told('skipped', `A recommendation is not followed: ${first}`), ...output]],
    blocked: ['error', [told('error', row.reason ?? 'blocked', 'blocked')]],
    error: ['error', [told('error', row.reason ?? 'the kit failed', 'error')]],
    'not exercised': ['skipped', [told('skipped', `not exercised: ${row.reason ?? ''}`)]],
    'not applicable': ['skipped', [told('skipped', `not applicable: ${row.reason ?? ''}`)]],
  }
  const [outcome, children] = outcomes[row.verdict]
  const attributes = { name: `${row.id}: ${row.says}`, classname: row.area, time: seconds.toFixed(3) }
  const kinds = Object.fromEntries((row.kinds ?? []).map(({ kind, verdict }) => [KIND_NAMES[kind], verdict]))
  const described = row.kinds === undefined ? children : [propertiesOf(kinds), ...children]
  return { element: { name: 'testcase', attributes, children: described }, outcome, seconds }
}

function evidenceOf(row: ClauseRecord): string {
  const found = repeated(row)
  const shown = found
    .slice(0, FINDINGS_PER_CLAUSE)
    .map(({ finding: { message, expected, observed, check, exchanges, waived }, more, at }) =>
      [
        message,
        ...(more.length === 0 ? [] : [`and ${count(more.length, 'more answer')} like it`]),
        ...(waived === undefined
          ? []
          : [`waived until ${waived.expires} by ${waived.owner}: ${waived.reason}`]),
        ...(expected === undefined ? [] : [`expected: ${expected}`]),
        ...(observed === undefined ? [] : [`observed: ${observed}`]),
        `check: ${check}`,
        `exchanges: ${exchanges.join(', ')}`,
        `again: travel-sales replay ${row.id}${at === 0 ? '' : `#${at + 1}`}`,
      ].join('\n'),
    )
  if (shown.length === 0) return ''
  const rest = found.length - shown.length
  return plain(
    [`Part ${row.part} of the document.`, ...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n\n'),
  )
}

/** Returns what kept the run itself from being whole: its faults, why it was halted, and what is missing. */
function runCases(record: RunRecord): Case[] {
  const { errors, halted } = record
  const messages = [
    ...errors,
    ...(halted === undefined ? [] : [`The run was not completed: ${halted}`]),
    ...missingLines(record).map(line => `The run is incomplete: ${line}`),
  ]
  return messages.map((message, at) => {
    const attributes = {
      name: `${at + 1}: ${shorten(plain(message).split('\n')[0]!, 200)}`,
      classname: 'run',
      time: '0.000',
    }
    const error = { name: 'error', attributes: { message: shorten(plain(message), 1000), type: 'error' } }
    return { element: { name: 'testcase', attributes, children: [error] }, outcome: 'error', seconds: 0 }
  })
}

/**
 * Seconds by clause. A check's time is divided among its clauses; checks run side by side, so that all are scaled to the
 * time that the run took.
 */
function timeShares({ checks, clauses: rows, startedAt, finishedAt }: RunRecord): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { clauses, milliseconds } of checks) {
    for (const id of clauses) shares.set(id, (shares.get(id) ?? 0) + milliseconds / 1000 / clauses.length)
  }
  const shown = rows.filter(isCase).reduce((sum, { id }) => sum + (shares.get(id) ?? 0), 0)
  const took = Math.max(0, (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000)
  const scale = shown === 0 ? 0 : took / shown
  return new Map([...shares].map(([id, seconds]) => [id, seconds * scale]))
}
