import { wrongCall } from '../../fixtures/run/failure.ts'

const MACHINES = 'load --archive writes what k6 runs on several machines, and audit judges their logs'

/** Commands of 0.1.0 that are gone, and what to use instead. */
const COMMANDS: Readonly<Record<string, string>> = {
  prove: 'run npm run prove in a clone of the repository',
  merge: MACHINES,
}

/** Options of 0.1.0 that are gone of a command, and what to use instead. */
const OPTIONS: readonly (readonly [command: string, option: string, instead: string])[] = [
  ['replay', 'out', 'a replay is written beside the run that it replays'],
  ['load', 'keep-raw', 'the record has figures of every request, and the dashboards of k6 stay'],
  ['load', 'write-plan', MACHINES],
  ['load', 'profile[ =]soak', 'use --profile staging --scenario soak --set duration=14400'],
]

/** Refuses calls of what is gone. @throws {Failure} that says what to use instead */
export function refuseRemoved([command = '', ...args]: readonly string[]): void {
  if (Object.hasOwn(COMMANDS, command)) throw wrongCall(`${command} is gone: ${COMMANDS[command]}.`)
  for (const [of, option, instead] of OPTIONS) {
    const [gone] = new RegExp(`(?<!\\S)--${option}\\b(?!-)`).exec(args.join(' ')) ?? []
    if (gone !== undefined && of === command) throw wrongCall(`${gone} is gone: ${instead}.`)
  }
}
