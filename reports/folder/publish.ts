import { relative } from 'node:path'
import { annotate, print, printJson, say } from '../../fixtures/output/console.ts'
import type { RunRecord } from '../../fixtures/record.ts'
import type { Format } from '../render/format-names.ts'
import { toAnnotations } from '../render/github.ts'
import { summarise } from '../render/summary.ts'
import { finalText, wantsColour } from '../terminal/summary.ts'
import { writeReports } from './write.ts'

/**
 * Writes a record and its reports into the folder of its run, and tells on stdout what came out.
 *
 * @param quiet tells nothing: the caller does
 * @param also reports to write beside those that are always written
 * @param instead what to say, on stderr, where nothing came out
 * @throws {ReportNotWritten} when something could not be written; it has been told by then
 */
export async function publish(
  record: RunRecord,
  path: string,
  {
    json = false,
    quiet = false,
    instead,
    also = [],
  }: {
    json?: boolean | undefined
    quiet?: boolean
    instead?: string | undefined
    also?: readonly Format[] | undefined
  } = {},
): Promise<void> {
  const unwritten = await writeReports(record, path, { also }).then(
    () => undefined,
    (error: unknown) => error,
  )
  const shown = relative(process.cwd(), path)
  if (quiet) {
    // The caller has something better to say.
  } else if (json) printJson(summarise(record, shown))
  else if (instead !== undefined) say(`travel-sales: ${instead}`)
  else {
    const colour = wantsColour(process.stdout, process.env)
    print(finalText(record, { colour, dir: shown }))
  }
  // GitHub reads both streams, and stdout is a program's where JSON was asked for.
  if (process.env.GITHUB_ACTIONS === 'true') for (const line of toAnnotations(record)) annotate(line)
  // What was found has been told by now: a full disk does not swallow it.
  if (unwritten !== undefined) throw unwritten
}
