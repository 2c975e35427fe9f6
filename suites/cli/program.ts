import { Command } from 'commander'
import { commandLine } from '../../fixtures/output/command-line.ts'
import { print, watched } from '../../fixtures/output/console.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { audit, examine, watch } from './commands/clients.ts'
import { doctor, init, serve } from './commands/definitions.ts'
import { certify, cleanup, replay } from './commands/deployments.ts'
import { explain, openapi } from './commands/document.ts'
import { load } from './commands/load.ts'
import { attest, report, site, ui, verify } from './commands/records.ts'

export { exitCode } from './commands/command.ts'

/** Returns how a command is called in the user's environment. */
const usageOf = (each: Command): string =>
  [commandLine(), ...(each.parent === null ? [] : [each.name()]), each.usage()].join(' ')

export const program = new Command('travel-sales')
  .description('Tests deployments and clients of the Travel Sales Service, clause by clause.')
  .version(kit.version)
  .showSuggestionAfterError()
  // Options after a command belong to it: openapi has a --version.
  .enablePositionalOptions()
for (const each of [
  certify,
  init,
  doctor,
  load,
  serve,
  examine,
  audit,
  watch,
  explain,
  openapi,
  replay,
  report,
  site,
  ui,
  attest,
  verify,
  cleanup,
])
  program.addCommand(each)
for (const each of [program, ...program.commands]) {
  each.exitOverride().helpCommand(false)
  each.configureHelp({ commandUsage: usageOf })
  each.configureOutput({ writeOut: print, writeErr: text => void watched.write(text) })
}
program.helpCommand('help [command]', 'say what a command does, with its options and examples')
