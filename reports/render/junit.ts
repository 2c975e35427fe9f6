import { KIND_NAMES } from '../../fixtures/ground/products.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { areaTitle, byArea } from '../judge/areas.ts'
import { outcomeOf } from '../judge/outcome.ts'
import { type Case, type ClauseCase, clauseCases, type RunCase, runCases } from './cases.ts'
import { secondsOf } from './digest.ts'
import { deploymentLine, notLookedAtLine } from './digest-lines.ts'
import { toXml, type XmlElement } from './xml.ts'

type Properties = Readonly<Record<string, string | number>>

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
  const missed = notLookedAtLine(record)
  const about = deploymentLine(record.deployment)
  return {
    verdict: record.verdict,
    passes: String(outcomeOf(record).passes),
    ...(about === undefined ? {} : { deployment: about }),
    ...(missed === undefined ? {} : { 'not looked at': missed }),
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
