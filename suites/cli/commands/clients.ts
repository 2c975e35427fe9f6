import { Option } from 'commander'
import { list } from '../arguments.ts'
import { FAIL_ON, SIDES } from '../clients/sides.ts'
import { command, EXIT_CODES, exitsWith, OUT, PORT, SUMMARY } from './command.ts'

/** Says that traffic is all that there was. */
const WHOLE = [
  '--whole',
  'nobody else acts for the companies in it, before or meanwhile: what only that excuses is judged',
] as const

/** Says what makes a command that judges the traffic of others fail. */
const failOn = () =>
  new Option('--fail-on <level>', 'exit with 1 for broken rules, also for recommendations, or for nothing')
    .choices(FAIL_ON)
    .default('must')

export const examine = command(
  'examine',
  'judge a client: watch it use the embedded deployment, in situations that every client must handle',
  `examine --list
   examine --products v2-transfers --exec ./flow.sh
   examine --situation pending-then-confirmed,answer-lost --exec ./flow.sh`,
  EXIT_CODES,
)
  .option('--list', 'list the situations, with what a correct client does in each')
  .option('--situation <names>', 'only these, with commas between them', list)
  .option('--products <names>', 'products that the client uses (default: all of v2)', list)
  .option('--exec <command>', 'the client: run once in each situation, with TSS_BASE_URL and TSS_TOKEN')
  .option(
    '--env <names>',
    'variables of the environment that the command gets besides PATH, HOME, the language and libraries',
    list,
  )
  .option(...OUT)
  .option(...SUMMARY)
  .action(exitsWith(async options => (await import('../clients/examine.ts')).examine(options)))

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
  .option('--one-company', 'all requests are of one company, also those recorded without a credential')
  .option(...WHOLE)
  .addOption(failOn())
  .option(...OUT)
  .option(...SUMMARY)
  .action(
    exitsWith(async (recordings, options) =>
      (await import('../clients/audit.ts')).audit(recordings, options),
    ),
  )

export const watch = command(
  'watch',
  'pass the traffic of others on to a deployment, unchanged, and judge its answers as they come',
  `watch --upstream https://staging.example.com --port 8088
   watch --upstream https://staging.example.com --exec 'npm run e2e'
   watch --upstream https://staging.internal --fail-on should`,
  `
It sends, repeats and follows nothing by itself. It judges the deployment alone; audit judges clients, too, by the recording
(exchanges.ndjson) that watch leaves. With --exec it ends with the command, and exits with 1 if it found something or the
command failed. Without, Ctrl-C is its ordinary end.

Certificates are those of TSS_TLS_CA, TSS_TLS_CERT, TSS_TLS_KEY and TSS_TLS_PASSPHRASE, as for certify.
${EXIT_CODES.replace('130  interrupted, after cleaning up', '130  interrupted while the command of --exec was running')}`,
)
  .requiredOption('--upstream <address>', 'what stands before /api/v1 and /api/v2 at the deployment')
  .option('--port <n>', 'port for clients on this machine; 0 takes a free one', PORT, 8088)
  .option('--exec <command>', 'run this with TSS_PROXY_URL in its environment, and end with it')
  .option(...WHOLE)
  .addOption(failOn())
  .option(...OUT)
  .option(...SUMMARY)
  .action(exitsWith(async options => (await import('../clients/watch.ts')).watch(options)))
