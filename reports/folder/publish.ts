import { relative } from 'node:path'
import { annotate, print, printJson, say } from '../../fixtures/output/console.ts'
import type { RunRecord } from '../../fixtures/record.ts'
import type { Format } from '../render/format-names.ts'
import { toAnnotations } from '../render/github.ts'
import { summarise } from '../render/summary.ts'
import { finalText, wantsColour } from '../terminal/summary.ts'
import { writeReports } from './write.ts'

/**
 * Writes a record and its reports into the run's folder, and prints the result on stdout.
 *
 * @param quiet prints nothing
 * @param also additional reports to write
 * @param instead a message for stderr instead of the result
 * @throws {Failure} if something could not be written, after the result was printed
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
    // The caller prints its own message.
  } else if (json) printJson(summarise(record, shown))
  else if (instead !== undefined) say(`travel-sales: ${instead}`)
  else {
    const colour = wantsColour(process.stdout, process.env)
    print(finalText(record, { colour, dir: shown }))
  }
  // GitHub reads both streams, and with --json stdout belongs to a program.
  if (process.env.GITHUB_ACTIONS === 'true') for (const line of toAnnotations(record)) annotate(line)
  // The result has been printed by now, so a full disk does not suppress it.
  if (unwritten !== undefined) throw unwritten
}
