import { hash } from 'node:crypto'
import type { Log, ReportingDescriptor, Result } from 'sarif'
import { placeOf } from '../../fixtures/clauses/places.ts'
import type { ClauseRecord, RunRecord } from '../../fixtures/record.ts'
import { commandToSeeAgain } from '../findings/command-to-see-again.ts'
import { causesOf, essenceOf, type Repeated } from '../findings/roots.ts'
import { severityOf } from '../findings/severity.ts'
import { RUN_FILES } from '../folder/read.ts'
import { count, plain, shorten } from './plain.ts'

/** The rank of a rule in security-sorted lists, from 0 to 10, by severity. */
const RANKS = { 'money and tenancy': 95, idempotency: 80, states: 60, answers: 40, formats: 20 } as const

/**
 * Returns the findings of a run as SARIF 2.1.0: a rule per broken clause, a result per finding, worst first. Equal
 * findings about several answers are one result with their number. The same finding has the same fingerprint in
 * every run.
 */
export function toSarif(record: RunRecord): object {
  const { kit, deployment, run, startedAt, finishedAt, halted, errors } = record
  const found = causesOf(record).flatMap(({ broken }) => broken)
  const rows = [...new Set(found.map(({ clause }) => clause))]
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: kit.name, semanticVersion: kit.version, rules: rows.map(ruleOf) } },
        automationDetails: { id: `${plain(deployment.name)}/${run}` },
        invocations: [
          {
            executionSuccessful: halted === undefined && errors.length === 0,
            startTimeUtc: startedAt,
            endTimeUtc: finishedAt,
            toolExecutionNotifications: [...errors, ...(halted === undefined ? [] : [halted])].map(text => ({
              level: 'error' as const,
              message: { text: plain(text) },
            })),
          },
        ],
        results: found.map(one => resultOf(record, one, rows.indexOf(one.clause))),
        columnKind: 'utf16CodeUnits',
      },
    ],
  }
  return log
}

const levelOf = ({ level }: ClauseRecord): 'error' | 'warning' => (level === 'must' ? 'error' : 'warning')

const ruleOf = (clause: ClauseRecord): ReportingDescriptor => ({
  id: clause.id,
  shortDescription: { text: plain(clause.says) },
  fullDescription: { text: `Document, ${placeOf(clause)}: ${plain(clause.says)}` },
  defaultConfiguration: { level: levelOf(clause), rank: RANKS[severityOf(clause)] },
  properties: { tags: [clause.area, clause.level, severityOf(clause)] },
})

function resultOf(record: RunRecord, { clause, finding, at, more }: Repeated, ruleIndex: number): Result {
  const { message, waived, exchanges, check } = finding
  const again = commandToSeeAgain(record, clause.id, finding, at)
  const alike = more.length === 0 ? '' : ` And ${count(more.length, 'more answer')} like it.`
  return {
    ruleId: clause.id,
    ruleIndex,
    kind: 'fail',
    level: levelOf(clause),
    rank: RANKS[severityOf(clause)],
    message: { text: `${shorten(plain(message), 4000)}${alike}` },
    // Viewers need a location, and the evidence is the only file that shows the fault.
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: RUN_FILES.exchanges } },
        logicalLocations: [{ fullyQualifiedName: check, kind: 'check' }],
      },
    ],
    occurrenceCount: more.length + 1,
    partialFingerprints: { 'clauseAndEssence/v1': hash('sha256', `${clause.id} ${essenceOf(finding)}`) },
    properties: { exchanges, replay: again },
    ...(waived === undefined
      ? {}
      : {
          suppressions: [
            {
              kind: 'external' as const,
              status: 'accepted' as const,
              justification: plain(`${waived.reason} (${waived.owner}, until ${waived.expires})`),
            },
          ],
        }),
  }
}
