import { renameSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CLAUSES, clauseIds } from '../../../../fixtures/clauses/index.ts'
import { findDefinition } from '../../../../fixtures/deployments/loading/load.ts'
import { print } from '../../../../fixtures/output/console.ts'
import { DEFAULT_OUT } from '../../../../fixtures/run/run-folder.ts'
import { select } from '../../../../fixtures/run/selection.ts'
import { publish } from '../../../../reports/folder/write.ts'
import { recordOf } from '../../../../reports/judge/run-record.ts'
import { runWatched } from '../../watched-run.ts'
import { DAYS } from './variants.ts'

// Makes the history of a deployment that is certified once a day while deviants are switched on and off:
//   npm run demo:history

/** The folder of this history, which is emptied first. */
const OUT = `${DEFAULT_OUT}/demo`

/** A few clauses of many areas, so that a day takes only seconds. */
const ONLY =
  'AUTH-SCHEME-* or V2-OFFER-CHECK-ALTERNATIVES-TRANSFER or V2-IDEM-REPLAY-STATUS or V2-CANCEL-DEADLINE or V1-HOTEL-SEARCH-TO-DATE-AFTER or FORMAT-V2-DATE-REFUSED-FROM or CACHE-V2-TICKET-CATALOG or V1-PARK-A-PRODUCT-ID'

const SEED = 7
const DAY = 86_400_000

const definition = findDefinition(join(import.meta.dirname, 'deployment.ts'), process.cwd())
const only = select(ONLY, CLAUSES)
const selected = new Set(clauseIds.filter(id => only.matches([id])))
rmSync(OUT, { recursive: true, force: true })

for (let day = 1; day <= DAYS; day++) {
  process.env.DEMO_DAY = String(day)
  const finished = await runWatched({ deployment: definition, seed: SEED + day, out: OUT, only })
  // A month in two minutes: the runs are dated one day apart.
  const earlier = (date: Date): Date => new Date(date.getTime() - (DAYS - day) * DAY)
  const [startedAt, finishedAt] = [earlier(finished.startedAt), earlier(finished.finishedAt)]
  const run = `${startedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}-${SEED + day}`
  const path = join(dirname(finished.folder.path), run)
  renameSync(finished.folder.path, path)
  const record = recordOf(
    { ...finished, startedAt, finishedAt, folder: { ...finished.folder, run, path } },
    { only: only.text, selected, profile: 'full' },
  )
  await publish(record, path, { quiet: true })
  print(`${startedAt.toISOString().slice(0, 10)}  ${record.verdict}  ${relative(process.cwd(), path)}\n`)
}

print(`Look at them: npx travel-sales ui --runs ${OUT} --deployment suites/cli/testing/demo/deployment.ts\n`)
