import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findDefinition } from '../../../fixtures/deployments/loading/index.ts'
import { namesIn } from '../../../fixtures/ground/read-file.ts'
import { print, say, watched } from '../../../fixtures/output/console.ts'
import { createText } from '../../../fixtures/output/files.ts'
import { EXIT, type ExitCode, wrongCall } from '../../../fixtures/run/failure.ts'
import { DEFAULT_OUT } from '../../../fixtures/run/run-folder.ts'
import { portTaken } from '../port-taken.ts'
import { show } from '../records/report.ts'
import { createUi } from './app.ts'
import { definitionsIn, preselectedIn } from './definitions.ts'

interface UiOptions {
  port: number
  /** The folder of the runs. */
  runs: string
  /** The file of waivers. */
  waivers: string
  /** Definitions that can be chosen, in addition to those of the project. */
  deployment?: string[]
  open: boolean
}

/**
 * Shows the runs of a folder in the browser, and runs, replays and examines from there, until it is interrupted. Commands
 * that still run are then stopped, with their cleanup.
 *
 * @throws {Failure} 2 if the folder does not exist, 3 if the port is taken
 */
export async function ui({ port, runs, waivers, deployment = [], open }: UiOptions): Promise<ExitCode> {
  const folder = resolve(runs)
  if (namesIn(folder) === undefined && (runs !== DEFAULT_OUT || existsSync(folder)))
    throw wrongCall(
      `There is no folder ${runs} that can be read: name one of runs with --runs, such as ${DEFAULT_OUT}.`,
    )
  // Reports a missing file now, not when somebody chooses it, and that what points at a deployment cannot be used.
  const preselected = preselectedIn(definitionsIn(process.cwd(), deployment))
  if (preselected?.name === 'embedded' && !deployment.includes('embedded'))
    findDefinition(undefined, process.cwd())
  const server = createUi({
    runs: folder,
    waivers: resolve(waivers),
    definitions: () => definitionsIn(process.cwd(), deployment),
    command: [process.execPath, process.argv[1]!],
  })
  const address = await server.listen(port).catch(error => {
    throw portTaken(error)
  })
  print(
    `Runs of ${runs}: ${address}\nDeployment: ${preselected === undefined ? 'one of several, to be chosen' : `${preselected.is}, unless another is chosen`}.\nWhoever has this address can use it, on this machine. Ctrl-C ends it.\n`,
  )
  const endOpening =
    open && watched.isTTY && !process.env.CI ? await openInBrowser(address).catch(notOpened) : () => {}
  try {
    await interrupt()
    const cut = server.jobs.running()
    for (const { title } of cut)
      say(`${title} is being stopped: what it booked is cancelled first. Once more to stop at once.`)
    const stopping = server.stop()
    // A terminal has sent the commands the same signal; without one, a second interrupt leaves the bookings to cleanup.
    void interrupt(SAME_INTERRUPT).then(() => process.exit(EXIT.interrupted))
    await stopping
    for (const { title, started } of cut)
      say(`${title} has ended${started === undefined ? '' : `: ${join(runs, started.run)}`}.`)
    return cut.length === 0 ? EXIT.conforms : EXIT.interrupted
  } finally {
    endOpening()
  }
}

/** Says that the browser has to be opened by hand. */
function notOpened(error: NodeJS.ErrnoException): () => void {
  say(`The browser could not be opened (${error.code ?? error.message}): open the address above.`)
  return () => {}
}

/** Milliseconds within which two interrupts count as one, since a terminal and npm may both pass on a Ctrl-C. */
const SAME_INTERRUPT = 500

/** Resolves at the next interrupt that does not repeat the last one. */
async function interrupt(deaf = 0): Promise<void> {
  const from = performance.now() + deaf
  await new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (performance.now() >= from) resolve()
      })
  })
}

/**
 * Opens an address that others must not see. Since other users can read the arguments of a program, the browser gets a file
 * that only its owner can read, and which leads to the address.
 */
async function openInBrowser(address: string): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'travel-sales-'))
  const file = join(folder, 'open.html')
  await createText(
    file,
    `<!doctype html><meta http-equiv="refresh" content="0; url=${address}"><title>Opening</title>\n`,
  )
  await show(file)
  return () => rmSync(folder, { recursive: true, force: true })
}
