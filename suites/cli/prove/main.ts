import { Command } from 'commander'
import { endWithParent } from '../../../fixtures/run/parent.ts'
import { call } from '../call.ts'
import { exitsWith, only, SEED } from '../commands/command.ts'

const prove = new Command('npm run prove --')
  .description('Breaks the embedded deployment one rule at a time, and sees each fault found.')
  .exitOverride()
  .option(
    '--whole',
    'for a release: try every deviant, a part of those that show under one condition alone, and every variant that breaks nothing with all checks, not parts drawn by the seed',
  )
  .option(
    '--partner',
    'let checks have what a partner has, a test credential alone, and tell which deviants they find with as few requests',
  )
  .option(
    '--sample',
    'for a commit: try a few deviants of each kind, drawn by the seed, and not every written one',
  )
  .option('--clients', 'break the rules of clients instead, and see each found by the examiner')
  .addOption(only)
  .option('--seed <n>', 'repeat the run that printed this seed', SEED)
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option('--json', 'print the matrix as JSON on stdout, and nothing else')
  .action(
    exitsWith(async options =>
      options.clients
        ? (await import('./clients.ts')).proveClients(options)
        : (await import('./prove.ts')).prove(options),
    ),
  )

endWithParent()
process.exitCode = await call(process.argv.slice(2), prove)
