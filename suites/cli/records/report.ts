import { spawn } from 'node:child_process'
import { join, relative } from 'node:path'
import { print, say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, wrongCall } from '../../../fixtures/run/failure.ts'
import { withoutCredentials } from '../../../fixtures/secrets/known.ts'
import { openRun, RUN_FILES, writeReports } from '../../../reports/folder/write.ts'
import { finalText, wantsColour } from '../../../reports/terminal/summary.ts'

/** The programs that open a file in its default application, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
  linux: ['xdg-open'],
}

/** Writes every report of a run again, from its record and its exchanges. */
export async function report(
  run: string | undefined,
  { open = false }: { open?: boolean },
): Promise<ExitCode> {
  const stored = await openRun(run)
  if (stored === undefined) throw wrongCall('There is no run under reports/out yet: name the folder of one.')
  // The summary of CI is not written again.
  await writeReports(stored.record, stored.dir, { env: {} })
  const dir = relative(process.cwd(), stored.dir) || '.'
  print(finalText(stored.record, { colour: wantsColour(process.stdout, process.env), dir }))
  if (open) await show(join(stored.dir, RUN_FILES.html))
  return EXIT.conforms
}

/** Opens a page in the browser; if that fails, prints where the page is. */
export async function show(file: string): Promise<void> {
  const [opener, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const started = await new Promise<boolean>(resolve => {
    const child = spawn(opener, [...args, file], {
      detached: true,
      stdio: 'ignore',
      env: withoutCredentials(process.env),
    })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
  if (!started) say(`No program opens ${file} here (${opener} is missing): open it in a browser.`)
}
