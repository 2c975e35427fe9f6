import { wrongCall } from '../../fixtures/run/failure.ts'

const MACHINES = 'load --archive writes what k6 runs on several machines, and audit judges their logs'

/** Commands of a release that are gone, and what to use instead. */
const COMMANDS: Readonly<Record<string, string>> = {
  prove: 'run npm run prove in a clone of the repository',
}

/** Options that are gone of commands of a release, and what to use instead. */
const OPTIONS: readonly (readonly [commands: string, option: string, instead: string])[] = [
  ['certify', 'also', 'every run writes junit.xml for test reports and exchanges.ndjson for programs'],
  ['cleanup', 'embedded', 'use --deployment embedded'],
  ['certify load cleanup', 'env', 'name the file in the variable TSS_ENV_FILE of the environment'],
  ['certify', 'repeat', 'run certify again, with another --seed'],
  ['certify', 'progress', 'ui shows how far a run is, and --json prints its end'],
  [
    'certify load cleanup',
    'cleanup-patience',
    'cleaning up takes at most 5 minutes, and 30 seconds after Ctrl-C; --max-duration bounds what comes before',
  ],
  ['load', 'keep-raw', 'the record has figures of every request, and the dashboards of k6 stay'],
  ['load', 'merge', MACHINES],
  ['load', 'write-plan', MACHINES],
  ['load', 'profile[ =]soak', 'use --profile staging --scenario soak --set duration=14400'],
  ['load', 'judge', 'every answer is judged, which takes k6 a quarter more of the processor'],
  ['load', 'k6-out', 'the dashboards of k6 stay in the folder of the run'],
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
