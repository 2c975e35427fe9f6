import completion from '@bomb.sh/tab/commander'
import { Command, Option } from 'commander'
import { print, watched } from '../../fixtures/output/console.ts'
import { PROFILES } from '../../fixtures/record.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { kit } from '../../fixtures/run/kit.ts'
import { FORMATS } from '../../reports/format-names.ts'
import { duration, list, oneOrMoreOf, settings, share, wholeNumber } from './arguments.ts'

/** Seeds fit the 32 bits that every generator takes. */
const LARGEST_SEED = 2 ** 31 - 1
const PORT = wholeNumber(0, 65_535)

const EXIT_CODES = `
Exit codes:
  0    conforms
  1    violates, blocked, or incomplete: less was looked at than the definition makes reachable
  2    the call or the definition is wrong; nothing was sent
  3    the run could not be completed; what was found is written
  130  interrupted, after cleaning up`

/** What the command that was called ended with. */
export let exitCode: ExitCode = EXIT.conforms

/** Commands are imported when they are called: the others cost nothing. */
function command(name: string, summary: string, examples: string): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .addHelpText('after', `\nExamples:\n${examples.trim().replaceAll(/^ */gm, '  ')}`)
}

const only = new Option(
  '--only <what>',
  'a clause, an area (v2-bookings), a prefix (V2-IDEM-*), or several with and, or, not',
)
const deployment = new Option(
  '--deployment <definition>',
  'embedded, env, or the path of a definition (default: env if TSS_BASE_URL is set, else embedded)',
)

const also = new Option(
  '--also <formats>',
  `further reports to write, with commas between them: ${FORMATS.join(', ')}`,
).argParser(oneOrMoreOf(FORMATS))

const certify = command(
  'certify',
  'judge a deployment clause by clause, and write a record and reports',
  `travel-sales certify
   travel-sales certify --deployment ./staging.ts
   travel-sales certify --deployment ./staging.ts --only 'v2-bookings and not V2-IDEM-*'
   travel-sales certify --seed 1734 --max-duration 10m --require-coverage 0.95
   travel-sales certify --baseline reports/out/20270901T101500-1734 --waivers waivers.yaml
   travel-sales certify --failed reports/out/20270901T101500-1734
   travel-sales certify --repeat 3 --only v2-bookings
   travel-sales certify --also sarif,ctrf
   travel-sales certify --json | jq .verdict`,
)
  .addOption(deployment)
  .addOption(only)
  .option('--seed <n>', 'repeat the run that printed this seed', wholeNumber(0, LARGEST_SEED))
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option(
    '--max-duration <time>',
    'end after 90s, 10m, 1h; what was found by then is written (default: 20 minutes, and the time that the rate limit needs for 10,000 requests)',
    duration,
  )
  .option('--max-requests <n>', 'send at most that many requests; the rest is not exercised', wholeNumber(1))
  .addOption(
    new Option(
      '--profile <name>',
      'what has to be exercised to be called conforming (default: what fits the definition)',
    ).choices(PROFILES),
  )
  .option('--require-coverage <share>', 'turn red below this share of exercised clauses, 0 to 1', share)
  .option('--baseline <record>', 'turn red only for what an earlier run does not have: its record or folder')
  .option(
    '--waivers <file>',
    'findings that somebody answers for: YAML with clause, reason, owner and expires',
  )
  .option('--failed <run>', 'run only what was red in an earlier run')
  .option('--repeat <n>', 'run several times, and tell what is broken only now and then', wholeNumber(1, 100))
  .addOption(also)
  .option('--json', 'print the summary of the record on stdout, and nothing else')
  .addHelpText('after', EXIT_CODES)
  .action(async options => {
    exitCode = await (await import('./certify.ts')).certify(options)
  })

const initCommand = command(
  'init',
  'write a definition of a deployment from one real answer of each kind, and a .env; nothing is booked',
  `travel-sales init
   travel-sales init --base-url https://staging.example.com --file staging.ts
   travel-sales init --base-url https://staging.example.com --products v2-transfers,v2-hotels
   travel-sales init --ci github > .github/workflows/travel-sales.yml`,
)
  .option(
    '--base-url <address>',
    'what stands before /api/v1 and /api/v2 (default: TSS_BASE_URL; asked in a terminal)',
  )
  .option('--name <name>', 'what reports call the deployment (default: the name of its host)')
  .option('--file <path>', 'the definition to write: .ts, .mts, .js or .mjs', 'deployment.ts')
  .option('--products <names>', 'look for these alone, with commas between them (default: all)', list)
  .option(
    '--test-products <names>',
    'products that every credential is surely in test mode for: v1 tickets do not tell',
    list,
  )
  .addOption(
    new Option(
      '--ci <kind>',
      'print a file for CI in place of all that: a workflow, a job, or an image',
    ).choices(['github', 'gitlab', 'container']),
  )
  .addHelpText(
    'after',
    `
The credential is never an argument: it is read from TSS_TOKEN (and TSS_TOKEN_OTHER …), or asked for.

Exit codes:
  0    the definition was written
  2    the call is wrong, or a file exists; nothing was sent
  3    the deployment could not be read; nothing was written
  130  interrupted; nothing was written`,
  )
  .action(async options => {
    exitCode = await (await import('./init.ts')).init(options)
  })

const doctor = command(
  'doctor',
  'say what can be reached, what each credential may do, and what is missing; nothing is booked',
  `travel-sales doctor
   travel-sales doctor --deployment ./staging.ts
   travel-sales doctor --deployment ./staging.ts --json | jq .profile`,
)
  .addOption(deployment)
  .option('--json', 'print JSON on stdout, and nothing else')
  .addHelpText(
    'after',
    `
Exit codes:
  0    a run can start
  2    the call or the definition is wrong; nothing was sent
  3    the deployment cannot be reached, or refuses a credential`,
  )
  .action(async options => {
    exitCode = await (await import('./doctor.ts')).doctor(options)
  })

const checkDefinition = command(
  'check-definition',
  'try the adapters of a definition on one real answer each; nothing is booked',
  `travel-sales check-definition --deployment ./staging.ts
   travel-sales check-definition --deployment env`,
)
  .addOption(deployment)
  .action(async options => {
    exitCode = await (await import('./check-definition.ts')).checkDefinition(options)
  })

const serve = command(
  'serve',
  'run the embedded deployment as a sandbox, until Ctrl-C',
  `travel-sales serve
   travel-sales serve --port 8080 --control-port 8081`,
)
  .option('--port <n>', 'port of the API; 0 takes a free one', PORT, 8080)
  .option('--control-port <n>', 'port of its controls, loopback only; 0 takes a free one', PORT, 8081)
  .action(async options => {
    exitCode = await (await import('./serve.ts')).serve(options)
  })

const prove = command(
  'prove',
  'break the embedded deployment one rule at a time, and see each fault found',
  `travel-sales prove
   travel-sales prove --only V2-IDEM-REPLAY-STATUS
   travel-sales prove --only v2-vouchers --json
   travel-sales prove --clients`,
)
  .option('--clients', 'break the rules of clients instead, and see each found by the examiner')
  .addOption(only)
  .option('--seed <n>', 'repeat the run that printed this seed', wholeNumber(0, LARGEST_SEED))
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option('--json', 'print the matrix as JSON on stdout, and nothing else')
  .action(async options => {
    exitCode = options.clients
      ? await (await import('./prove-clients.ts')).proveClients(options)
      : await (await import('./prove.ts')).prove(options)
  })

const load = command(
  'load',
  'put load on a deployment with k6: rate limits, timeouts, contention',
  `travel-sales load --scenario rate-limit-burst --profile ci
   travel-sales load --profile ci
   travel-sales load --deployment ./staging.ts --profile staging --scenario journey-mix --set rate=2,duration=120
   travel-sales load --scenario booking-contention --variant keys-not-taken-at-once`,
)
  .addOption(deployment)
  .option('--scenario <names>', 'one or several, with commas between them (default: all)', list)
  .option('--profile <name>', 'how much: smoke, ci, staging or soak', 'smoke')
  .option('--set <settings>', 'sizes that differ from those of the profile: rate=5,duration=60', settings)
  .option('--variant <id>', 'a deviant that the tenants of the embedded deployment are to have')
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option(
    '--write-plan <dir>',
    'send no load: write what k6 processes on other machines need, without credentials',
  )
  .option('--keep-raw', 'leave what k6 measured in the folder of the run, as travel-sales merge reads it')
  .option('--json', 'print the summary of the record on stdout, and nothing else')
  .addHelpText('after', EXIT_CODES)
  .action(async options => {
    exitCode = await (await import('./load.ts')).load(options)
  })

const merge = command(
  'merge',
  'make one record of what several k6 processes measured',
  `travel-sales merge reports/out/20270901T101500-1734
   travel-sales merge ./results --out reports/out/cluster`,
)
  .argument('<raw...>', 'folders or samples files that k6 processes left, with their plans')
  .option('--out <dir>', 'folder in which the folder of the record is made', 'reports/out')
  .option('--json', 'print the summary of the record on stdout, and nothing else')
  .addHelpText('after', EXIT_CODES)
  .action(async (inputs, options) => {
    exitCode = await (await import('./merge.ts')).merge(inputs, options)
  })

const examine = command(
  'examine',
  'judge a client: watch it use the embedded deployment, in situations that it has to know',
  `travel-sales examine --demo
   travel-sales examine --demo polls-every-100-ms
   travel-sales examine --list
   travel-sales examine --products v2-transfers --exec ./flow.sh
   travel-sales examine --situation pending-then-confirmed,answer-lost --exec ./flow.sh
   travel-sales examine --port 8090 --status-port 8091 --patience 5`,
)
  .option('--demo [deviant]', 'examine the client of this kit, or one of its deviants, at 200 times the pace')
  .option('--list', 'list the situations, with what a correct client does in each')
  .option('--situation <names>', 'only these, with commas between them', list)
  .option('--products <names>', 'products that the client uses (default: all of v2)', list)
  .option('--exec <command>', 'the client: run once in each situation, with TSS_BASE_URL and TSS_TOKEN')
  .option('--patience <minutes>', 'leave out situations that take longer', wholeNumber(1), 10)
  .option('--client <name>', 'what the client is called in the report', 'client')
  .option('--har', 'write what was sent as traffic.har, too')
  .option('--port <n>', 'port for the client; 0 takes a free one', PORT, 0)
  .option('--status-port <n>', 'port of the status page and its JSON; 0 takes a free one', PORT, 0)
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option('--json', 'print the summary of the record on stdout, and nothing else')
  .addHelpText('after', EXIT_CODES)
  .action(async options => {
    exitCode = await (await import('./examine.ts')).examine(options)
  })

const audit = command(
  'audit',
  'judge recorded traffic: HAR files, exchanges.ndjson of a run, or folders of them; nothing is sent',
  `travel-sales audit sample.har
   travel-sales audit reports/out/20270901T101500-1734/exchanges.ndjson
   travel-sales audit ./recordings --products v2-hotels --json`,
)
  .argument('<recordings...>', 'files or folders')
  .option('--products <names>', 'products that the client uses (default: those that it calls)', list)
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option('--json', 'print the summary of the record on stdout, and nothing else')
  .addHelpText('after', EXIT_CODES)
  .action(async (recordings, options) => {
    exitCode = await (await import('./audit.ts')).audit(recordings, options)
  })

const clauses = command(
  'clauses',
  'list the clauses of the document, with their checks and deviants',
  `travel-sales clauses
   travel-sales clauses --uncovered
   travel-sales clauses --only v2-bookings --json`,
)
  .addOption(only)
  .option('--uncovered', 'only those that no check decides')
  .option('--json', 'print JSON on stdout, and nothing else')
  .action(async options => {
    exitCode = await (await import('./clauses.ts')).clauses(options)
  })

const openapi = command(
  'openapi',
  'print the service as an OpenAPI 3.1 document',
  `travel-sales openapi > travel-sales-service.yaml
   travel-sales openapi --version v2 --json | jq .paths`,
)
  .addOption(new Option('--version <version>', 'only that API version').choices(['v1', 'v2']))
  .option('--json', 'print JSON in place of YAML')
  .action(async options => {
    exitCode = (await import('./openapi.ts')).openapi(options)
  })

const explain = command(
  'explain',
  'say what a clause asks, how it is checked, and what a run found',
  `travel-sales explain V2-IDEM-REPLAY-STATUS
   travel-sales explain 'V2-IDEM-*'
   travel-sales explain V2-IDEM-REPLAY-STATUS --run reports/out/20270901T101500-1734`,
)
  .argument('<clause>', 'a clause, an area, a prefix (V2-IDEM-*), or several with and, or, not')
  .option('--run <dir>', 'folder of a run (default: the newest one under reports/out)')
  .action(async (clause, options) => {
    exitCode = await (await import('./explain.ts')).explain(clause, options)
  })

const replay = command(
  'replay',
  'run the check of a finding again, with offers, keys and bookings of its own',
  `travel-sales replay V2-IDEM-REPLAY-STATUS
   travel-sales replay V2-IDEM-REPLAY-STATUS#2 --run reports/out/20270901T101500-1734
   travel-sales replay 'V2-IDEM-*'`,
)
  .argument(
    '<finding>',
    'a clause that was seen broken (#2: its second finding); of an area or a prefix (V2-IDEM-*), all that were',
  )
  .option('--run <dir>', 'folder of the run that found it (default: the newest one under reports/out)')
  .addOption(deployment)
  .option('--out <dir>', 'folder in which the folder of the replay is made', 'reports/out')
  .addHelpText(
    'after',
    `
Exit codes:
  0    it does not show again
  1    it shows again
  2    the call or the definition is wrong; nothing was sent
  3    it could not be tried again
  130  interrupted, after cleaning up`,
  )
  .action(async (finding, options) => {
    exitCode = await (await import('./replay.ts')).replay(finding, options)
  })

const reportCommand = command(
  'report',
  'write the reports of a run again, from its record',
  `travel-sales report
   travel-sales report reports/out/20270901T101500-1734 --open
   travel-sales report --also sarif,har,badge`,
)
  .argument('[run]', 'folder of the run (default: the newest one under reports/out)')
  .addOption(also)
  .option('--open', 'open report.html in the browser')
  .action(async (run, options) => {
    exitCode = await (await import('./report.ts')).report(run, options)
  })

const compareCommand = command(
  'compare',
  'say what a run found that an earlier one did not, and the other way round',
  `travel-sales compare reports/out/20270901T101500-1734
   travel-sales compare reports/out/20270901T101500-1734 reports/out/20270902T101500-1734 --json`,
)
  .argument('<earlier>', 'folder of the earlier run')
  .argument('[later]', 'folder of the later run (default: the newest one under reports/out)')
  .option('--json', 'print JSON on stdout, and nothing else')
  .addHelpText(
    'after',
    `
Exit codes:
  0    no requirement is newly broken or no longer exercised
  1    one is
  2    the call is wrong`,
  )
  .action(async (earlier, later, options) => {
    exitCode = await (await import('./compare.ts')).compareRuns(earlier, later, options)
  })

const attestCommand = command(
  'attest',
  'sign what a run found, for others to verify',
  `travel-sales attest --new-key attest-key.pem
   travel-sales attest --key attest-key.pem
   travel-sales attest reports/out/20270901T101500-1734 --key attest-key.pem --prove prove.json`,
)
  .argument('[run]', 'folder of the run (default: the newest one under reports/out)')
  .option('--key <file>', 'Ed25519 private key, PEM')
  .option('--new-key <file>', 'make a pair of keys, and sign nothing')
  .option('--prove <file>', 'prove.json of this version of the kit, to be named in the statement')
  .option('--to <file>', 'file to write (default: attestation.json in the folder of the run)')
  .addHelpText(
    'after',
    `
Exit codes:
  0    it is signed
  1    the run says nothing that is worth a signature: it violates, is incomplete, or judged a part
  2    the call is wrong
  3    it could not be written`,
  )
  .action(async (run, options) => {
    exitCode = await (await import('./attest.ts')).attest(run, options)
  })

const verifyCommand = command(
  'verify',
  'check an attestation offline, and say what it proves',
  `travel-sales verify attestation.json --key attest-key.pub.pem
   travel-sales verify attestation.json --key attest-key.pub.pem --run reports/out/20270901T101500-1734`,
)
  .argument('<file>', 'the attestation')
  .requiredOption('--key <file>', 'Ed25519 public key, PEM, of whoever is said to have signed')
  .option('--run <folder>', 'folder of the run: its record and evidence are held against it')
  .option('--json', 'print JSON on stdout, and nothing else')
  .addHelpText(
    'after',
    `
Exit codes:
  0    verified
  1    not verified: another key, changed, evidence missing, or not known
  2    the call is wrong`,
  )
  .action(async (file, options) => {
    exitCode = await (await import('./verify.ts')).verify(file, options)
  })

const cleanup = command(
  'cleanup',
  'cancel what a killed run left booked',
  `travel-sales cleanup reports/out/20270901T101500-1734
   travel-sales cleanup reports/out/20270901T101500-1734 --deployment ./staging.ts`,
)
  .argument('<run>', 'folder of the run')
  .addOption(deployment)
  .action(async (run, options) => {
    exitCode = await (await import('./cleanup.ts')).cleanup(run, options)
  })

/** Every command, with its options and its help. */
export const program = new Command('travel-sales')
  .description('Conformance kit for travel sales services.')
  .version(kit.version)
  .showSuggestionAfterError()
  // Options after a command are the command's own: openapi has a --version.
  .enablePositionalOptions()
for (const each of [
  certify,
  initCommand,
  doctor,
  checkDefinition,
  load,
  merge,
  serve,
  prove,
  examine,
  audit,
  clauses,
  explain,
  openapi,
  replay,
  reportCommand,
  compareCommand,
  attestCommand,
  verifyCommand,
  cleanup,
])
  program.addCommand(each)
// It adds `completion`, which prints a script, and `complete`, which that script calls; both read the commands above.
completion(program, { completionCommandName: 'completion' })
program.commands
  .find(each => each.name() === 'completion')!
  .summary('print a script that completes commands and options in bash, zsh, fish or PowerShell')
  .addHelpText(
    'after',
    `
Examples:
  travel-sales completion bash >> ~/.bashrc
  travel-sales completion zsh > ~/.zfunc/_travel-sales
  travel-sales completion fish > ~/.config/fish/completions/travel-sales.fish`,
  )
for (const each of [program, ...program.commands]) {
  each.exitOverride().helpCommand(false)
  each.configureOutput({ writeOut: print, writeErr: text => void watched.write(text) })
}
