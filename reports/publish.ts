import { relative } from 'node:path'
import { print, printJson, say } from '../fixtures/output/console.ts'
import type { RunRecord } from '../fixtures/record.ts'
import { incomplete } from '../fixtures/run/failure.ts'
import { summarise } from './summary.ts'
import { finalText, wantsColour } from './terminal.ts'
import { ReportNotWritten, writeReports } from './write.ts'

/**
 * Writes a record and its reports into the folder of its run, and tells on stdout what came out.
 *
 * @param quiet tells nothing: the caller does
 * @param instead what to say, on stderr, where nothing came out
 * @throws {Failure} when something could not be written; it has been told by then
 */
export async function publish(
  record: RunRecord,
  path: string,
  {
    json = false,
    quiet = false,
    instead,
  }: { json?: boolean | undefined; quiet?: boolean; instead?: string | undefined } = {},
): Promise<void> {
  const unwritten = await writeReports(record, path).then(
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
  // What was found has been told by now: a full disk does not swallow it.
  if (unwritten instanceof ReportNotWritten) throw incomplete(unwritten.message, { cause: unwritten })
  if (unwritten !== undefined) throw unwritten
}
