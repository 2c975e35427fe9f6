import { duration, list, settings } from '../arguments.ts'
import { command, deployment, EXIT_CODES, embedded, exitsWith, OUT, PACE, SUMMARY } from './command.ts'

export const load = command(
  'load',
  'put load on a deployment with k6: rate limits, timeouts, contention',
  `load --scenario rate-limit-burst --profile ci
   load --profile ci
   load --deployment ./staging.ts --profile staging --scenario journey-mix --set rate=2,duration=120
   load --scenario search-polling --archive load.tar`,
  `${PACE}
${EXIT_CODES}`,
)
  .addOption(deployment)
  .addOption(embedded)
  .option('--scenario <names>', 'one or several, with commas between them (default: all)', list)
  .option('--profile <name>', 'how much: smoke, ci or staging', 'smoke')
  .option('--set <settings>', 'sizes that differ from those of the profile: rate=5,duration=60', settings)
  .option('--variant <id>', 'a deviant that the tenants of the embedded deployment are to have')
  .option('--archive <file>', 'write the scenario for k6 on several machines, instead of running it')
  .option(...OUT)
  .option(
    '--max-duration <time>',
    'end after 90s, 10m, 1h; what was found by then is written (default: 20 minutes, and twice the time that the scenarios plan)',
    duration,
  )
  .option(...SUMMARY)
  .action(exitsWith(async options => (await import('../load/load.ts')).load(options)))
