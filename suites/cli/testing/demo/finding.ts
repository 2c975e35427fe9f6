import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { CLAUSES, clauseIds } from '../../../../fixtures/clauses/index.ts'
import { findDefinition } from '../../../../fixtures/deployments/loading/load.ts'
import { DEFAULT_OUT } from '../../../../fixtures/run/run-folder.ts'
import { select } from '../../../../fixtures/run/selection.ts'
import { publish } from '../../../../reports/folder/write.ts'
import { recordOf } from '../../../../reports/judge/run-record.ts'
import { runWatched } from '../../watched-run.ts'

// Makes a run with a finding, whose picture is in README:
//   npm run demo:finding

/** The folder of the run, which is emptied first. */
const OUT = `${DEFAULT_OUT}/demo-finding`

/** The day of the demonstration on which only repeats are answered with 201. */
const DAY = '11'

process.env.DEMO_DAY = DAY
rmSync(OUT, { recursive: true, force: true })
const only = select('V2-IDEM-REPLAY-STATUS', CLAUSES)
const finished = await runWatched({
  deployment: findDefinition(join(import.meta.dirname, 'deployment.ts'), process.cwd()),
  seed: 7,
  out: OUT,
  only,
})
const selected = new Set(clauseIds.filter(id => only.matches([id])))
await publish(recordOf(finished, { only: only.text, selected, profile: 'full' }), finished.folder.path, {
  quiet: true,
})
// Vitest sets 1, because checks found something. That is what this run is for.
process.exitCode = 0
