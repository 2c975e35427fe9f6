import { wrongCall } from '../../fixtures/run/failure.ts'

/** Calls of what is gone, by their words, and what to use instead. */
const REMOVED: readonly (readonly [call: RegExp, what: string, instead: string])[] = [
  [/^prove\b/, 'prove', 'run npm run prove in a clone of the repository'],
  [/^completion\b/, 'completion', 'help lists the commands, and --help the options of one'],
  [
    /^(certify|report) .*--also\b/,
    '--also',
    'every run writes junit.xml for test reports and exchanges.ndjson for programs',
  ],
  [
    /^check-definition\b/,
    'check-definition',
    'use doctor --try, or doctor --book, which makes test bookings',
  ],
  [
    /^compare\b/,
    'compare',
    'ui and site say what broke and was fixed since the run before, and certify --baseline judges by one',
  ],
  [/^merge\b/, 'merge', 'a core of one machine sends the documented pace of 240 credentials'],
  [/^(replay|cleanup|ui) .*--embedded\b/, '--embedded', 'use --deployment embedded'],
  [
    /^(certify|init|doctor|load|replay|cleanup|ui) .*--env\b/,
    '--env',
    'name the file in the variable TSS_ENV_FILE of the environment',
  ],
  [/^init .*--name\b/, '--name', 'write the name into the definition'],
  [/^init .*--test-products\b/, '--test-products', 'name them in TSS_TEST_PRODUCTS'],
  [/^replay .*--out\b/, '--out', 'a replay is written beside the run that it replays'],
  [/^examine .*--patience\b/, '--patience', 'choose with --situation; --list says how long each takes'],
  [/^examine .*--client\b/, '--client', 'name the client where you keep its reports, with --out'],
  [/^watch .*--ca\b/, '--ca', 'name the file in TSS_TLS_CA'],
  [/^certify .*--repeat\b/, '--repeat', 'run certify again, with another --seed'],
  [/^(certify|replay) .*--progress\b/, '--progress', 'ui shows how far a run is, and --json prints its end'],
  [
    /^(certify|load|cleanup) .*--cleanup-patience\b/,
    '--cleanup-patience',
    'cleaning up takes at most 5 minutes, and 30 seconds after Ctrl-C; --max-duration bounds what comes before',
  ],
  [/^examine .*--demo\b/, '--demo', 'examine your own client with --exec; --list shows the situations'],
  [/^examine .*--har\b/, '--har', 'audit reads the exchanges.ndjson of its folder'],
  [/^examine .*--status-port\b/, '--status-port', 'the status takes a free port, and is printed'],
  [
    /^load .*--keep-raw\b/,
    '--keep-raw',
    'the record has figures of every request, and the dashboards of k6 stay',
  ],
  [
    /^load .*--(merge|write-plan)\b/,
    'load over several machines',
    'a core of one machine sends the documented pace of 240 credentials',
  ],
  [
    /^load .*--profile[ =]soak\b/,
    'the profile soak',
    'use --profile staging --scenario soak --set duration=14400',
  ],
  [/^load .*--judge\b/, '--judge', 'every answer is judged, which takes k6 a quarter more of the processor'],
  [/^load .*--k6-out\b/, '--k6-out', 'the dashboards of k6 stay in the folder of the run'],
  [
    /^attest .*--prove\b/,
    '--prove',
    'whoever verifies can prove the kit in its repository, with npm run prove:all',
  ],
  [/^site .*--key\b/, '--key', 'verify says of each attestation what it proves'],
]

/** Refuses calls of what is gone. @throws {Failure} that says what to use instead */
export function refuseRemoved(args: readonly string[]): void {
  // A command line of --exec is one word with spaces, and has options of its own.
  const call = args.filter(word => !/\s/.test(word)).join(' ')
  for (const [pattern, what, instead] of REMOVED)
    if (pattern.test(call)) throw wrongCall(`${what} is gone: ${instead}.`)
}
