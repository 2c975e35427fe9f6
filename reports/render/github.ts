import { placeOf } from '../../fixtures/clauses/places.ts'
import type { RunRecord } from '../../fixtures/ground/record.ts'
import { howToSeeAgain } from '../findings/command-to-see-again.ts'
import { causesOf, type Repeated } from '../findings/roots.ts'
import { isKnown } from '../judge/outcome.ts'
import { runCases } from './cases.ts'
import { headline } from './digest.ts'
import { count, oneLine, shorten } from './plain.ts'

/** The maximum number of errors, and of warnings, that GitHub shows per step. */
const MOST = 10

/** The maximum number of lines of a step's summary. Longer ones are not read to their end. */
export const LONGEST_STEP_SUMMARY = 200

/**
 * Returns the findings of a run as GitHub Actions workflow commands: an error per cause that breaks a requirement,
 * a warning per cause that breaks a recommendation or is known, worst first, then what was blocked or incomplete.
 */
export function toAnnotations(record: RunRecord): string[] {
  const causes = causesOf(record).map(({ broken: [first, ...others] }) => ({
    ...first,
    others: others.length,
  }))
  const unwaived = causes.filter(({ finding }) => finding.waived === undefined)
  const isRed = ({ clause }: Repeated): boolean => clause.level === 'must' && !isKnown(record, clause)
  const errors = [
    ...unwaived.filter(isRed).map(one => annotationOf(record, 'error', one)),
    ...record.clauses
      .filter(row => row.verdict === 'blocked' && !isKnown(record, row))
      .map(({ id, part, reason = 'blocked' }) =>
        command('error', `${id} (${placeOf({ id, part })})`, `Blocked: ${reason}`),
      ),
    ...runCases(record).flatMap(({ messages }) =>
      messages.map(message => command('error', 'The run itself', message)),
    ),
  ]
  const warnings = unwaived.filter(one => !isRed(one)).map(one => annotationOf(record, 'warning', one))
  const rest = Math.max(0, errors.length - MOST) + Math.max(0, warnings.length - MOST)
  return [
    ...errors.slice(0, MOST),
    ...warnings.slice(0, MOST),
    ...(rest === 0
      ? []
      : [command('notice', headline(record), `And ${count(rest, 'more', 'more')} in the report.`)]),
  ]
}

function annotationOf(
  record: RunRecord,
  level: 'error' | 'warning',
  { clause, finding, at, more, others }: Repeated & { others: number },
): string {
  const alike = more.length === 0 ? '' : ` And ${count(more.length, 'more answer')} like it.`
  const again = howToSeeAgain(record, clause, finding, at)
  const also = others === 0 ? '' : ` It breaks ${count(others, 'more clause')}.`
  return command(
    level,
    `${clause.id} (${placeOf(clause)})`,
    `${shorten(oneLine(finding.message), 1000)}${alike}${also} Again: ${again}`,
  )
}

/** Returns a workflow command. Text of a deployment is escaped so that it cannot start another command. */
function command(name: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const escaped = (text: string): string => oneLine(text).replaceAll('%', '%25')
  const property = escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${name} title=${property}::${escaped(message)}`
}

/** Returns the beginning of a Markdown summary, in whole lines, for the summary of a step. */
export function stepSummaryOf(markdown: string): string {
  const lines = markdown.trimEnd().split('\n')
  if (lines.length < LONGEST_STEP_SUMMARY) return `${lines.join('\n')}\n`
  const kept = lines.slice(0, LONGEST_STEP_SUMMARY - 3)
  return `${kept.join('\n')}\n\nAnd ${count(lines.length - kept.length, 'more line')} in summary.md.\n`
}
