import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Stop } from '../fixtures/check/stop.ts'
import type { ApiVersion } from '../fixtures/client/exchange.ts'
import type { Line } from '../fixtures/client/line.ts'
import type { Product } from '../fixtures/deployments/control.ts'
import type { Deployment } from '../fixtures/deployments/definition.ts'
import type { Answered } from './judge/judge.ts'
import type { Played } from './plan/driver.ts'
import type { PlannedShapes, ProfileName, ScenarioName, Settings } from './plan/plan.ts'
import { CONDUCTORS } from './plan/scenario-plan.ts'
import { createAudience } from './read/collector.ts'
import {
  conclude,
  concludeEarly,
  EVERY_ANSWER,
  fileOf,
  idOf,
  type Performance,
} from './record/scenario-result.ts'
import type { Desk } from './run/booking-gate.ts'
import { RAW } from './run/k6-process.ts'
import { createStagehand, Interrupted } from './run/run-stages.ts'

/** What one scenario is performed with. */
export interface Performing {
  deployment: Deployment
  scenario: ScenarioName
  profile: ProfileName
  settings: Settings
  shapes: PlannedShapes
  missing: ReadonlyMap<Product | ApiVersion, Stop>
  /** Of the embedded deployment, to see it found. */
  variant: string | undefined
  /** Path of the executable. */
  k6: string
  /** Folder of the run. */
  dir: string
  /** Whether k6's samples are left in the folder. */
  keepRaw: boolean
  line: Line
  /** Absent where nothing has to be journalled. */
  desk: Desk | undefined
  /** Random part of keys and references: no two runs may share it. */
  nonce: string
  signal: AbortSignal
  onNotice(sentence: string): void
}

/** Performs one scenario and judges it. What cannot be put on is told as a check that was stopped. */
export async function perform(performing: Performing): Promise<Performance> {
  const { scenario, profile, line, deployment, keepRaw } = performing
  const startedAt = new Date()
  const bill = () => ({ scenario, profile, startedAt, milliseconds: Date.now() - startedAt.getTime() })
  const audience = createAudience({
    check: idOf(fileOf(scenario), EVERY_ANSWER),
    recorder: line.recorder,
    ledger: deployment.disposable ? undefined : line.ledger,
  })
  const hand = createStagehand({
    ...performing,
    dir: join(performing.dir, 'raw', scenario),
    onCast: ({ sender, token }) => audience.knows(sender.alias, token),
    async onStage(evidence, spool) {
      const attended = await audience.attend(evidence, [spool])
      clearAway(dirname(spool), keepRaw)
      return attended
    },
  })

  let played: Played
  try {
    played = await CONDUCTORS[scenario].play(hand)
  } catch (error) {
    return concludeEarly(bill(), whyStopped(error), audience)
  }
  const { stages, settings, minted, timeScale = 1 } = played
  return conclude(bill(), stages, { settings, minted, timeScale }, audience)
}

/**
 * Leaves of a stage what whoever gets the folder of a run may see: k6's dashboard and what it had to complain of, and
 * its samples where they are wanted. Answers as they came stay nowhere.
 */
function clearAway(dir: string, keepRaw: boolean): void {
  const drop = (name: string) => rmSync(join(dir, name), { force: true })
  drop(RAW.spool)
  drop(RAW.authorities)
  if (!keepRaw) for (const name of [RAW.plan, RAW.samples]) drop(name)
  if (statSync(join(dir, RAW.log)).size === 0) drop(RAW.log)
  for (const folder of [dir, dirname(dir), dirname(dirname(dir))]) {
    if (readdirSync(folder).length > 0) return
    rmdirSync(folder)
  }
}

/** Why a scenario came to no end. What is neither an arrangement that failed nor an interrupt is the kit's own fault. */
function whyStopped(error: unknown): NonNullable<Answered['stopped']> {
  if (error instanceof Stop) {
    const { verdict, message: reason } = error
    return { verdict: verdict === 'not applicable' ? 'not exercised' : verdict, reason }
  }
  if (error instanceof Interrupted) return { verdict: 'not exercised', reason: error.message }
  // Whatever it is, other scenarios have found something, or still may.
  return { verdict: 'error', reason: error instanceof Error ? error.message : String(error) }
}
