import { Option } from 'commander'
import { list, wholeNumber } from '../arguments.ts'
import { FAIL_ON, SIDES } from '../sides.ts'
import { command, EXIT_CODES, exitsWith, PORT } from './command.ts'

export const examine = command(
  'examine',
  'judge a client: watch it use the embedded deployment, in situations that every client must handle',
  `examine --demo
   examine --demo polls-every-100-ms
   examine --list
   examine --products v2-transfers --exec ./flow.sh
   examine --situation pending-then-confirmed,answer-lost --exec ./flow.sh
   examine --port 8090 --status-port 8091 --patience 5`,
  EXIT_CODES,
)
  .option('--demo [deviant]', 'examine the client of this kit, or one of its deviants, at 200 times the pace')
  .option('--list', 'list the situations, with what a correct client does in each')
  .option('--situation <names>', 'only these, with commas between them', list)
  .option('--products <names>', 'products that the client uses (default: all of v2)', list)
  .option('--exec <command>', 'the client: run once in each situation, with TSS_BASE_URL and TSS_TOKEN')
  .option(
    '--env <names>',
    'variables of the environment that the command gets besides PATH, HOME, the language and libraries',
    list,
  )
  .option('--patience <minutes>', 'leave out situations that take longer', wholeNumber(1), 10)
  .option('--client <name>', 'what the client is called in the report', 'client')
  .option('--har', 'write what was sent as traffic.har, too')
  .option('--port <n>', 'port for the client; 0 takes a free one', PORT, 0)
  .option('--status-port <n>', 'port of the status page and its JSON; 0 takes a free one', PORT, 0)
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option('--json', 'print the summary of the record on stdout, and nothing else')
  .action(exitsWith(async options => (await import('../examine.ts')).examine(options)))

export const audit = command(
  'audit',
  'judge recorded traffic, the answers and the client: HAR files, exchanges.ndjson of a run, or folders; nothing is sent',
  `audit sample.har
   audit staging-monday.har staging-tuesday.har --side server --fail-on should
   audit reports/out/20270901T101500-1734/exchanges.ndjson
   audit ./recordings --products v2-hotels --json`,
  EXIT_CODES,
)
  .argument('<recordings...>', 'files, ZIP archives or folders')
  .option('--products <names>', 'products that the client uses (default: those that it calls)', list)
  .addOption(
    new Option('--side <side>', 'whose promises are judged: those of the deployment, of its client, or both')
      .choices(SIDES)
      .default('both'),
  )
  .addOption(
    new Option('--fail-on <level>', 'exit with 1 for broken rules, also for recommendations, or for nothing')
      .choices(FAIL_ON)
      .default('must'),
  )
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option('--json', 'print the summary of the record on stdout, and nothing else')
  .action(exitsWith(async (recordings, options) => (await import('../audit.ts')).audit(recordings, options)))
