import { Command, Option } from 'commander'
import { commandLine, noteCall } from '../../../fixtures/output/command-line.ts'
import { EXIT, type ExitCode } from '../../../fixtures/run/failure.ts'
import { wholeNumber } from '../arguments.ts'

/** The largest seed that all generators accept: they use 32 bits. */
const LARGEST_SEED = 2 ** 31 - 1

/** Parses a seed. */
export const SEED = wholeNumber(0, LARGEST_SEED)
/** Parses a port. */
export const PORT = wholeNumber(0, 65_535)

/** The exit codes of commands that judge, for their help. */
export const EXIT_CODES = `
Exit codes:
  0    conforms
  1    violates, blocked, or incomplete: less was looked at than the definition makes reachable
  2    the call or the definition is wrong; nothing was sent
  3    the run could not be completed; what was found is written
  130  interrupted, after cleaning up`

/** What determines the duration of a run, for the help of commands that send many requests. */
export const PACE = `
Pace: each credential is kept below its rate limit (traffic.perMinute, TSS_PER_MINUTE; default 480 a minute and API
version), and a run takes as long as that. What frees it: control.mint, which gives each check a credential of its own;
for load, further test credentials (load.tokens, TSS_LOAD_TOKENS).`

/** The exit code of the command that was called. */
export let exitCode: ExitCode = EXIT.conforms

/** Wraps the action of a command so that its exit code is stored. */
export const exitsWith =
  <Args extends unknown[]>(run: (...args: Args) => Promise<ExitCode>) =>
  async (...args: Args): Promise<void> => {
    exitCode = await run(...args)
  }

/**
 * Makes a command. Its implementation is imported only when it is called.
 *
 * @param notes text below the examples in its help
 */
export function command(name: string, summary: string, examples: string, notes?: string): Command {
  const made = new Command(name)
    .summary(summary)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .hook('preAction', called => {
      if (called.opts().embedded === true) called.setOptionValue('deployment', 'embedded')
      const given = Object.entries(called.opts()).filter(
        ([name]) => called.getOptionValueSource(name) !== 'default',
      )
      noteCall(Object.fromEntries(given))
    })
    .addHelpText('after', `\nExamples:\n${examples.trim().replaceAll(/^ */gm, () => `  ${commandLine()} `)}`)
  return notes === undefined ? made : made.addHelpText('after', notes)
}

export const only = new Option(
  '--only <what>',
  'a clause, an area (v2-bookings), a prefix (V2-IDEM-*), or several with and, or, not',
)
export const deployment = new Option(
  '--deployment <definition>',
  'embedded, env, or the path of a definition (default: the definition in this folder, else env if TSS_BASE_URL is set, else embedded; replay and cleanup: that of the run)',
)
/** Asks for the embedded deployment where something else points at another. */
export const embedded = new Option(
  '--embedded',
  'test the embedded deployment, whatever this folder and the environment say',
).conflicts('deployment')

/** Says where the folder of a run is made. */
export const OUT = ['--out <dir>', 'folder in which the folder of the run is made', 'reports/out'] as const
/** Asks for the summary of a record as JSON. */
export const SUMMARY = ['--json', 'print the summary of the record on stdout, and nothing else'] as const
