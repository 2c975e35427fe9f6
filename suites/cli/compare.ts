import { print, printJson } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode, wrongCall } from '../../fixtures/run/failure.ts'
import { openRun } from '../../reports/folder/read.ts'
import {
  type Changed,
  type Comparison,
  changesIn,
  compare,
  nothingDiffers,
  regressed,
} from '../../reports/gate/compare.ts'
import { count, milliseconds, oneLine, shorten } from '../../reports/render/plain.ts'

/** Prints what a run found that an earlier one did not, and the reverse. */
export async function compareRuns(
  earlier: string,
  later: string | undefined,
  { json = false }: { json?: boolean },
): Promise<ExitCode> {
  const [before, after] = [await openRun(earlier), await openRun(later)]
  if (before === undefined || after === undefined)
    throw wrongCall('There is no run under reports/out to compare with: name the folders of two runs.')
  const comparison = compare(before.record, after.record)
  if (json) printJson({ before: before.record.run, after: after.record.run, ...comparison })
  else print(comparisonText(comparison, { before: before.record.run, after: after.record.run }))
  if (regressed(comparison)) return EXIT.violates
  return comparison.common === 0 ? EXIT.incomplete : EXIT.conforms
}

/** The most lines shown of each part. */
const MOST = 40

/** Returns the differences between two runs as text that ends with a newline. */
function comparisonText(
  comparison: Comparison,
  { before, after }: { before: string; after: string },
): string {
  const { checksGone, checksNew, slower } = comparison
  const parts = [
    [`${after} against ${before}`, ...comparison.caveats],
    ...changesIn(comparison).map(([title, changed]) => lines(title, changed.map(lineOf))),
    lines('Checks that disappeared', checksGone),
    lines('New checks', checksNew),
    lines(
      'Slower calls (95th percentile)',
      slower.map(
        ({ call, before: was, after: is, medians }) =>
          `${call}: ${milliseconds(was)} before, ${milliseconds(is)} now${medians === undefined ? '' : `; median ${milliseconds(medians.before)} before, ${milliseconds(medians.after)} now`}`,
      ),
    ),
  ].filter(part => part.length > 0)
  if (parts.length === 1) parts.push([nothingDiffers(comparison)])
  return `${parts.map(part => part.join('\n')).join('\n\n')}\n`
}

const lineOf = ({ id, level, detail }: Changed): string =>
  `${id}${level === 'should' ? ' (should)' : ''}: ${oneLine(detail)}`

function lines(title: string, all: readonly string[]): string[] {
  if (all.length === 0) return []
  const rest = all.length - MOST
  return [
    `${title} (${all.length})`,
    ...all.slice(0, MOST).map(line => `  ${shorten(oneLine(line), 300)}`),
    ...(rest > 0 ? [`  and ${count(rest, 'more', 'more')}`] : []),
  ]
}
