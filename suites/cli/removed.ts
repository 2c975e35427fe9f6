import { wrongCall } from '../../fixtures/run/failure.ts'

const MACHINES = 'load --archive writes what k6 runs on several machines, and audit judges their logs'

/** Commands that are gone, and what to use instead. */
const COMMANDS: Readonly<Record<string, string>> = {
  prove: 'run npm run prove in a clone of the repository',
  completion: 'help lists the commands, and --help the options of one',
  'check-definition': 'use doctor --try, or doctor --book, which books each product once',
  compare:
    'ui and site say what broke and was fixed since the run before, and certify --baseline judges by one',
  merge: MACHINES,
}

/** Options that are gone of these commands, and what to use instead. */
const OPTIONS: readonly (readonly [commands: string, option: string, instead: string])[] = [
  ['certify report', 'also', 'every run writes junit.xml for test reports and exchanges.ndjson for programs'],
  ['replay cleanup ui', 'embedded', 'use --deployment embedded'],
  [
    'certify init doctor load replay cleanup ui',
    'env',
    'name the file in the variable TSS_ENV_FILE of the environment',
  ],
  ['init', 'name', 'write the name into the definition'],
  ['init', 'test-products', 'name them in TSS_TEST_PRODUCTS'],
  ['replay', 'out', 'a replay is written beside the run that it replays'],
  ['watch', 'ca', 'name the file in TSS_TLS_CA'],
  ['certify', 'repeat', 'run certify again, with another --seed'],
  ['certify replay', 'progress', 'ui shows how far a run is, and --json prints its end'],
  [
    'certify load cleanup',
    'cleanup-patience',
    'cleaning up takes at most 5 minutes, and 30 seconds after Ctrl-C; --max-duration bounds what comes before',
  ],
  ['examine', 'patience', 'choose with --situation; --list says how long each takes'],
  ['examine', 'client', 'name the client where you keep its reports, with --out'],
  ['examine', 'demo', 'examine your own client with --exec; --list shows the situations'],
  ['examine', 'har', 'audit reads the exchanges.ndjson of its folder'],
  ['examine', 'port', 'give the client as a command with --exec, or begin and end situations in ui'],
  ['examine', 'status-port', 'a script of your own is the command of --exec'],
  ['load', 'keep-raw', 'the record has figures of every request, and the dashboards of k6 stay'],
  ['load', 'merge', MACHINES],
  ['load', 'write-plan', MACHINES],
  ['load', 'profile[ =]soak', 'use --profile staging --scenario soak --set duration=14400'],
  ['load', 'judge', 'every answer is judged, which takes k6 a quarter more of the processor'],
  ['load', 'k6-out', 'the dashboards of k6 stay in the folder of the run'],
  ['attest', 'prove', 'whoever verifies can prove the kit in its repository, with npm run prove:all'],
  ['site', 'key', 'verify says of each attestation what it proves'],
]

/** Refuses calls of what is gone. @throws {Failure} that says what to use instead */
export function refuseRemoved([command = '', ...args]: readonly string[]): void {
  if (Object.hasOwn(COMMANDS, command)) throw wrongCall(`${command} is gone: ${COMMANDS[command]}.`)
  // A command line of --exec is one word with spaces, and has options of its own.
  const call = args.filter(word => !/\s/.test(word)).join(' ')
  for (const [commands, option, instead] of OPTIONS) {
    const [gone] = new RegExp(`(?<!\\S)--${option}\\b(?!-)`).exec(call) ?? []
    if (gone !== undefined && commands.split(' ').includes(command))
      throw wrongCall(`${gone} is gone: ${instead}.`)
  }
}
