import { join, relative, resolve } from 'node:path'
import { namesIn } from '../../../fixtures/ground/read-file.ts'
import { print, say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, incomplete, wrongCall } from '../../../fixtures/run/failure.ts'
import { readHistory } from '../../../reports/history/read-history.ts'
import { count } from '../../../reports/render/plain.ts'
import { writeSite } from '../../../reports/site/write-site.ts'

/** Writes the runs of a folder as static pages. */
export async function site(runs: string, { out, keep }: { out: string; keep: number }): Promise<ExitCode> {
  if (namesIn(runs) === undefined)
    throw wrongCall(
      `There is no folder ${runs} that can be read: name the folder that holds the folders of runs.`,
    )
  const history = readHistory(runs)
  const written = await writeSite(history, resolve(out), keep).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw incomplete(`The site could not be written to ${out} (${code}): give another folder with --out.`, {
      cause: error,
    })
  })
  if (written.unreadable > 0)
    say(`${count(written.unreadable, 'folder')} of ${runs} could not be read; the site lists them.`)
  print(
    `${count(written.pages, 'page')} of ${count(written.runs.all, 'run')}, ${written.runs.kept} of them with pages of their own: ${join(relative(process.cwd(), resolve(out)), 'index.html')}\n`,
  )
  return EXIT.conforms
}
