import { Option } from 'commander'
import { PROFILES } from '../../../fixtures/ground/record.ts'
import { duration, share, wholeNumber } from '../arguments.ts'
import {
  command,
  deployment,
  EXIT_CODES,
  embedded,
  exitsWith,
  OUT,
  only,
  PACE,
  SEED,
  SUMMARY,
} from './command.ts'

export const certify = command(
  'certify',
  'judge a deployment clause by clause, and write a record and reports',
  `certify
   certify --deployment ./staging.ts
   certify --deployment ./staging.ts --only 'v2-bookings and not V2-IDEM-*'
   certify --seed 1734 --max-duration 10m --require-coverage 0.95
   certify --baseline reports/out/20270901T101500-1734 --waivers waivers.yaml
   certify --failed reports/out/20270901T101500-1734
   certify --json | jq .verdict`,
  `${PACE}
${EXIT_CODES}`,
)
  .addOption(deployment)
  .addOption(embedded)
  .addOption(only)
  .option('--seed <n>', 'repeat the run that printed this seed', SEED)
  .option(...OUT)
  .option(
    '--max-duration <time>',
    'end after 90s, 10m, 1h; what was found by then is written (default: 20 minutes, and the time that the rate limit needs for 10,000 requests)',
    duration,
  )
  .option(
    '--max-requests <n>',
    'send at most that many requests, the most valuable checks first; the rest is not exercised',
    wholeNumber(1),
  )
  .option(
    '--thorough',
    'run every check, under every combination of its conditions, not only what decides each clause; for a release',
  )
  .addOption(
    new Option(
      '--profile <name>',
      'what must be exercised for the verdict conforms (default: what fits the definition)',
    ).choices(PROFILES),
  )
  .option(
    '--require-coverage <share>',
    'turn red below this share of clauses and kinds exercised, 0 to 1',
    share,
  )
  .option(
    '--baseline <record>',
    'turn red only for findings that an earlier run, given by its name, folder or record, does not have',
  )
  .option(
    '--waivers <file>',
    'findings that are accepted until a date: YAML with clause, reason, owner and expires',
  )
  .option(
    '--failed <run>',
    'run only what was red in an earlier run, given by its name, its folder or its record',
  )
  .option(...SUMMARY)
  .action(exitsWith(async options => (await import('../deployments/certify.ts')).certify(options)))

export const replay = command(
  'replay',
  'run the check of a finding again, with offers, keys and bookings of its own',
  `replay V2-IDEM-REPLAY-STATUS
   replay V2-IDEM-REPLAY-STATUS#2 --run reports/out/20270901T101500-1734
   replay 'V2-IDEM-*'`,
  `
Exit codes:
  0    it does not show again
  1    it shows again, or a booking may still stand
  2    the call or the definition is wrong; nothing was sent
  3    it could not be tried again, or came of requests sent at once and was not seen in 5 tries
  130  interrupted, after cleaning up`,
)
  .argument(
    '<finding>',
    'a clause with a finding (#2: its second one); of an area or a prefix (V2-IDEM-*), all with findings',
  )
  .option(
    '--run <dir>',
    'name or folder of the run that found it (default: the newest one under reports/out)',
  )
  .addOption(deployment)
  .action(
    exitsWith(async (finding, options) =>
      (await import('../deployments/replay.ts')).replay(finding, options),
    ),
  )

export const cleanup = command(
  'cleanup',
  'cancel what a killed run left booked',
  `cleanup reports/out/20270901T101500-1734
   cleanup reports/out/20270901T101500-1734 --deployment ./staging.ts
   cleanup reports/out/20270901T101500-1734 --acknowledge a12 --because 'cancelled in the back office'`,
)
  .argument('<run>', 'name or folder of the run')
  .addOption(deployment)
  .option(
    '--acknowledge <entries...>',
    'send nothing, and write into the folder that somebody has looked at these entries of the journal, which may still be booked; "lines" for the lines of the journal that cannot be used, "all" for everything',
  )
  .option('--because <text>', 'what was found out about them')
  .action(
    exitsWith(async (run, options) => (await import('../deployments/cleanup.ts')).cleanup(run, options)),
  )
