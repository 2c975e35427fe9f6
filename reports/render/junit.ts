import { placeOf } from '../../fixtures/clauses/places.ts'
import { KIND_NAMES } from '../../fixtures/ground/products.ts'
import type { ClauseRecord, RunRecord } from '../../fixtures/ground/record.ts'
import { howToSeeAgain } from '../findings/command-to-see-again.ts'
import { repeated } from '../findings/roots.ts'
import { hasUnwaived } from '../gate/waivers.ts'
import { areaTitle, byArea, REASONS } from '../judge/areas.ts'
import { type About, isKnown, outcomeOf } from '../judge/outcome.ts'
import { debtsLine, deploymentLine, notLookedAtLine, secondsOf } from './digest.ts'
import { count, plain, present, shorten } from './plain.ts'

/** The maximum number of findings per clause; `record.json` has them all. */
const FINDINGS_PER_CLAUSE = 20

/** The result of a clause, or of the run itself, in the terms of test reports. */
interface Case {
  outcome: 'passed' | 'failure' | 'error' | 'skipped'
  /** Why it did not pass, in one line. */
  message?: string
  /** Its findings in full; empty if there are none. */
  evidence: string
}

/** A clause that the run could have decided. */
interface ClauseCase extends Case {
  row: ClauseRecord
}

/**
 * Returns a case for each clause that a run could have decided. Broken requirements are failures; blocked clauses
 * and faults of the kit are errors; clauses that were not exercised, broken recommendations, and waived or known
 * findings are skipped.
 */
function clauseCases(record: RunRecord): ClauseCase[] {
  return record.clauses.filter(isCase).map(row => ({
    row,
    ...clauseOutcome(row, record),
    evidence: evidenceOf(record, row),
  }))
}

/** Clauses that do not apply, have no check or were not selected need no action and are left out. */
const isCase = ({ verdict, reason }: ClauseRecord): boolean =>
  verdict !== 'not applicable' && !(verdict === 'not exercised' && OUT_OF_SIGHT.includes(reason ?? ''))

const OUT_OF_SIGHT: readonly string[] = [REASONS.open, REASONS.notSelected, REASONS.noScenario]

function clauseOutcome(row: ClauseRecord, record: RunRecord): Pick<Case, 'outcome' | 'message'> {
  const reason = row.reason ?? ''
  const first = row.findings[0]?.message ?? row.reason ?? row.verdict
  if (isKnown(record, row)) return { outcome: 'skipped', message: oneMessage(`As in the baseline: ${first}`) }
  switch (row.verdict) {
    case 'conforms':
      return { outcome: 'passed' }
    case 'violates':
      if (!hasUnwaived(row)) return { outcome: 'skipped', message: oneMessage(`Waived: ${first}`) }
      return row.level === 'must'
        ? { outcome: 'failure', message: oneMessage(first) }
        : { outcome: 'skipped', message: oneMessage(`A recommendation is not followed: ${first}`) }
    case 'blocked':
      return { outcome: 'error', message: oneMessage(row.reason ?? 'blocked') }
    case 'error':
      return { outcome: 'error', message: oneMessage(row.reason ?? 'the kit failed') }
    default:
      return { outcome: 'skipped', message: oneMessage(`${row.verdict}: ${reason}`) }
  }
}

const oneMessage = (text: string): string => shorten(plain(text), 1000)

function evidenceOf(record: RunRecord, row: ClauseRecord): string {
  const found = repeated(row)
  const shown = found.slice(0, FINDINGS_PER_CLAUSE).map(({ finding, more, at }) => {
    const { message, expected, observed, check, exchanges, waived } = finding
    const again = howToSeeAgain(record, row, finding, at)
    return present([
      message,
      more.length === 0 ? undefined : `and ${count(more.length, 'more answer')} like it`,
      waived && `waived until ${waived.expires} by ${waived.owner}: ${waived.reason}`,
      expected === undefined ? undefined : `expected: ${expected}`,
      observed === undefined ? undefined : `observed: ${observed}`,
      `check: ${check}`,
      exchanges.length === 0 ? undefined : `exchanges: ${exchanges.join(', ')}`,
      `again: ${again}`,
    ]).join('\n')
  })
  if (shown.length === 0) return ''
  const rest = found.length - shown.length
  return plain(
    [`Document: ${placeOf(row)}.`, ...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n\n'),
  )
}

/** A requirement on the run as a whole, and why it failed. */
interface RunCase {
  /** The same in every run. */
  name: string
  messages: string[]
}

const RUN_CASES: readonly (readonly [about: About, name: string])[] = [
  ['completion', 'The run was completed'],
  ['profile', 'The run looked at what its profile asks for'],
  ['gate', 'The gate lets it pass'],
  ['bookings', 'Nothing is left booked'],
]

/** Returns a case for each reason that can keep the run itself from passing, except reasons about clauses. */
function runCases(record: RunRecord): RunCase[] {
  const { reasons } = outcomeOf(record)
  return [
    { name: 'The kit worked', messages: record.errors.map(oneMessage) },
    ...RUN_CASES.map(([about, name]) => ({
      name,
      // What keeps a run from passing keeps it from passing the gate.
      messages: reasons
        .filter(one => one.about === about || about === 'gate')
        .map(({ text }) => oneMessage(text)),
    })),
  ]
}

/** An element with either text or children. Names come from the kit, values from anywhere. */
interface XmlElement {
  name: string
  attributes?: Readonly<Record<string, string | number>>
  text?: string
  children?: readonly XmlElement[]
}

/** Characters that XML 1.0 forbids even if escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A reader would normalise these: a carriage return everywhere, the others in attributes.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const escapeText = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>\r]/g, mark => ENTITIES[mark]!)

const escapeAttribute = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>"\r\n\t]/g, mark => ENTITIES[mark]!)

/** Returns a document that every XML 1.0 reader accepts. Characters that XML cannot contain become U+FFFD. */
export const toXml = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}`

function write({ name, attributes = {}, text, children = [] }: XmlElement, indent: string): string {
  const listed = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`)
    .join('')
  const open = `${indent}<${name}${listed}`
  if (text !== undefined) return `${open}>${escapeText(text)}</${name}>\n`
  if (children.length === 0) return `${open}/>\n`
  return `${open}>\n${children.map(child => write(child, `${indent}  `)).join('')}${indent}</${name}>\n`
}

type Properties = Readonly<Record<string, string | number | undefined>>

/** A case as an XML element. */
interface CaseElement extends Pick<Case, 'outcome'> {
  element: XmlElement
}

/**
 * Returns the run as JUnit XML: a suite per area, a case per clause that the run could have decided (see
 * `clauseCases`).
 */
export function toJUnit(record: RunRecord): string {
  const cases = new Map(clauseCases(record).map(one => [one.row.id, one]))
  const suites = byArea([...cases.values()].map(({ row }) => row)).map(([area, rows], at) =>
    suite(
      record,
      at,
      areaTitle(area),
      rows.map(({ id }) => clauseCase(cases.get(id)!)),
    ),
  )
  suites.push(
    suite(record, suites.length, 'The run itself', runCases(record).map(runCase), verdictOfRun(record)),
  )
  const all = suites.flatMap(({ cases: each }) => each)
  const root: XmlElement = {
    name: 'testsuites',
    attributes: {
      name: `${record.kit.name}: ${record.deployment.name}`,
      ...counts(all),
      time: secondsOf(record).toFixed(3),
    },
    children: suites.map(({ element }) => element),
  }
  return toXml(root)
}

function suite(
  record: RunRecord,
  id: number,
  title: string,
  cases: CaseElement[],
  figures: Properties = {},
): { element: XmlElement; cases: CaseElement[] } {
  const { run, seed, deployment, profile } = record
  const properties: Properties = {
    run,
    seed,
    baseUrl: deployment.baseUrl,
    profile: profile?.name,
    'profile asks for': profile?.asked,
    'profile exercised': profile?.exercised,
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
  children: Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : { name: 'property', attributes: { name, value } },
  ),
})

function counts(cases: readonly CaseElement[]): Record<string, number> {
  const number = (outcome: Case['outcome']): number => cases.filter(one => one.outcome === outcome).length
  return {
    tests: cases.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
  }
}

/** Returns the element of a clause. */
function clauseCase({ row, outcome, message, evidence }: ClauseCase): CaseElement {
  const kinds = Object.fromEntries((row.kinds ?? []).map(({ kind, verdict }) => [KIND_NAMES[kind], verdict]))
  const attributes = { name: `${row.id}: ${row.says}`, classname: row.area }
  const told = outcome === 'passed' ? [] : [toldAs(outcome, message ?? '', row.verdict, evidence)]
  const output = outcome === 'skipped' && evidence !== '' ? [{ name: 'system-out', text: evidence }] : []
  const children = [...(row.kinds === undefined ? [] : [propertiesOf(kinds)]), ...told, ...output]
  return { element: { name: 'testcase', attributes, children }, outcome }
}

/** Readers show the text of a failure, but ignore or reject text in `skipped`. */
const toldAs = (
  name: 'failure' | 'error' | 'skipped',
  message: string,
  type: string,
  evidence: string,
): XmlElement =>
  name === 'skipped'
    ? { name, attributes: { message } }
    : { name, attributes: { message, type }, ...(evidence === '' ? {} : { text: evidence }) }

/** Returns the properties with the verdict of the run. */
function verdictOfRun(record: RunRecord): Properties {
  return {
    verdict: record.verdict,
    passes: String(outcomeOf(record).passes),
    deployment: deploymentLine(record.deployment),
    'not looked at': notLookedAtLine(record),
    excused: debtsLine(record),
  }
}

function runCase({ name, messages }: RunCase): CaseElement {
  const attributes = { name, classname: 'run' }
  const [message, ...rest] = messages
  const error = {
    name: 'error',
    attributes: { message: message ?? '', type: 'error' },
    text: rest.join('\n'),
  }
  const children = message === undefined ? [] : [error]
  const outcome = messages.length === 0 ? 'passed' : 'error'
  return { element: { name: 'testcase', attributes, children }, outcome }
}
