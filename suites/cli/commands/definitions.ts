import { Option } from 'commander'
import { list } from '../arguments.ts'
import { command, deployment, embedded, exitsWith, PORT } from './command.ts'

export const init = command(
  'init',
  'write a definition of a deployment from one real answer of each kind, and a .env; nothing is booked',
  `init
   init --base-url https://staging.example.com --file staging.ts
   init --base-url https://staging.example.com --products v2-transfers,v2-hotels
   init --ci github > .github/workflows/travel-sales.yml`,
  `
The credential is never an argument: it is read from TSS_TOKEN (and TSS_TOKEN_OTHER …), or asked for.

Exit codes:
  0    the definition was written
  2    the call is wrong, or a file exists; nothing was sent
  3    the deployment could not be read; nothing was written
  130  interrupted; nothing was written`,
)
  .option(
    '--base-url <address>',
    'what stands before /api/v1 and /api/v2 (default: TSS_BASE_URL; asked in a terminal)',
  )
  .option('--file <path>', 'the definition to write: .ts or .mts', 'deployment.ts')
  .option('--products <names>', 'look for these alone, with commas between them (default: all)', list)
  .addOption(
    new Option(
      '--ci <kind>',
      'print a file for CI in place of all that: a workflow, a job, or an image',
    ).choices(['github', 'gitlab', 'container']),
  )
  .action(exitsWith(async options => (await import('../definitions/init.ts')).init(options)))

export const doctor = command(
  'doctor',
  'predict a run: what it can reach, what each credential may do, what is missing; nothing is booked without --book',
  `doctor
   doctor --deployment ./staging.ts
   doctor --deployment ./staging.ts --try
   doctor --deployment ./staging.ts --book
   doctor --deployment ./staging.ts --json | jq .profile`,
  `
Exit codes:
  0    a run can start: read-only calls found no obstacle; with --try, every adapter was tried
  1    a run would be blocked or incomplete, a product cannot be booked, or a booking may still stand
  2    the call, the definition or an adapter is wrong
  3    the deployment cannot be reached, or refuses a credential`,
)
  .addOption(deployment)
  .addOption(embedded)
  .option('--try', 'say what each adapter of the definition makes of one real answer')
  .option(
    '--book',
    'the same, and book each product once, as a run first does, and cancel it; journal in reports/out',
  )
  .addOption(new Option('--json', 'print JSON on stdout, and nothing else').conflicts(['try', 'book']))
  .action(
    exitsWith(async options =>
      options.try || options.book
        ? (await import('../definitions/try-definition.ts')).tryDefinition(options)
        : (await import('../definitions/doctor.ts')).doctor(options),
    ),
  )

export const serve = command(
  'serve',
  'run the embedded deployment as a sandbox, until Ctrl-C',
  `serve
   serve --port 8080 --control-port 8081`,
)
  .option('--port <n>', 'port of the API; 0 takes a free one', PORT, 8080)
  .option('--control-port <n>', 'port of its controls, loopback only; 0 takes a free one', PORT, 8081)
  .action(exitsWith(async options => (await import('../definitions/serve.ts')).serve(options)))
