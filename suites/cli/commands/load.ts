import { Option } from 'commander'
import { duration, list, settings, shareAboveNone } from '../arguments.ts'
import { command, deployment, EXIT_CODES, embedded, exitsWith, PACE } from './command.ts'

export const load = command(
  'load',
  'put load on a deployment with k6: rate limits, timeouts, contention',
  `load --scenario rate-limit-burst --profile ci
   load --profile ci
   load --deployment ./staging.ts --profile staging --scenario journey-mix --set rate=2,duration=120
   load --scenario soak --judge 0.1
   load --scenario booking-contention --variant keys-not-taken-at-once
   load --merge ./results --out reports/out/cluster`,
  `${PACE}
${EXIT_CODES}`,
)
  .addOption(deployment)
  .addOption(embedded)
  .option('--scenario <names>', 'one or several, with commas between them (default: all)', list)
  .option('--profile <name>', 'how much: smoke, ci, staging or soak', 'smoke')
  .option('--set <settings>', 'sizes that differ from those of the profile: rate=5,duration=60', settings)
  .option(
    '--judge <share>',
    'judge the answers of a share of the journeys, above 0 and up to 1, drawn by the seed; of the others, statuses are counted',
    shareAboveNone,
  )
  .option('--variant <id>', 'a deviant that the tenants of the embedded deployment are to have')
  .option('--out <dir>', 'folder in which the folder of the run is made', 'reports/out')
  .option(
    '--write-plan <dir>',
    'send no load: write what k6 processes on other machines need, without credentials',
  )
  .option(
    '--max-duration <time>',
    'end after 90s, 10m, 1h; what was found by then is written (default: 20 minutes, and twice the time that the scenarios plan)',
    duration,
  )
  .option(
    '--k6-out <outputs>',
    'send what k6 measures to outputs of its own, too, which its variables K6_… describe: experimental-prometheus-rw, opentelemetry, influxdb',
    list,
  )
  .addOption(
    new Option(
      '--merge <raw...>',
      'send no load: make one record of what several k6 processes measured, whose folders or samples files these are',
    ).conflicts(['deployment', 'scenario', 'set', 'judge', 'variant', 'writePlan', 'maxDuration', 'k6Out']),
  )
  .option('--json', 'print the summary of the record on stdout, and nothing else')
  .action(
    exitsWith(async options =>
      options.merge === undefined
        ? (await import('../load.ts')).load(options)
        : (await import('../merge.ts')).merge(options.merge, options),
    ),
  )
