import { notExercised } from '../../fixtures/check/stop.ts'
import type { StageEvidence } from '../judge/judge.ts'
import { A_MINUTE, type Stagehand, type StageOptions } from '../run/run-stages.ts'
import type { Cast } from '../run/senders.ts'
import type { Conductor } from './driver.ts'
import { speedOf, versionsOf } from './rates.ts'

/** A burst that takes longer says nothing of a limit a minute. */
const BURST_SECONDS = 30

const HALF_A_MINUTE = 30

/**
 * Every burst is sent with a credential of its own, where they can be made; elsewhere with one that has been silent for
 * a minute. Those who must be spared ask in the same minute.
 */
export const rateLimitBurst: Conductor = {
  async play(hand) {
    const { settings, mints } = hand
    const { burst = 0, overrunMinutes = 0, overrunPerMinute = 0 } = settings
    const versions = versionsOf(hand)
    const needed = (versions.length * burst) / BURST_SECONDS
    const affordable = hand.affordable(Number.POSITIVE_INFINITY)
    if (affordable < needed) {
      throw notExercised(
        `a burst is ${burst} requests of each version within ${BURST_SECONDS} seconds, and load.maxRate of the definition allows ${affordable} a second`,
      )
    }
    if (affordable < Number.POSITIVE_INFINITY) {
      hand.onNotice(
        `${hand.scenario}: bursts are of no more than ${affordable} requests a second, which is what load.maxRate of the definition allows.`,
      )
    }
    const stages = new Map<string, StageEvidence>()
    for (const version of versions) {
      const one = await quietSender(hand)
      stages.set(`alone-${version}`, await hand.run(`alone-${version}`, [one], noFaster(affordable)))
      const spared = [one, ...(await bystanders(hand, one))]
      if (spared.length === 1 && versions.length === 1) continue
      stages.set(`alone-${version}-others`, await hand.run(`alone-${version}-others`, spared))
    }
    const both = await quietSender(hand)
    stages.set('together', await hand.run('together', [both], noFaster(affordable / versions.length)))
    await hand.pass(A_MINUTE, [both], 'a 429 asks for a minute of patience')
    stages.set('recovery', await hand.run('recovery', [both]))
    const most = (affordable * 60) / (versions.length * overrunPerMinute)
    const speed = Math.min(speedOf(hand), most)
    if (overrunMinutes > 0) {
      const runner = await quietSender(hand)
      // A window that opens with the first request shows its edges only where that request was alone.
      stages.set('opening', await hand.run('opening', [runner], { settings: { asks: 1 } }))
      await hand.pass(HALF_A_MINUTE, [runner], 'the overrun begins in the middle of a minute')
      stages.set(
        'overrun',
        await hand.run('overrun', [runner], {
          speed,
          settings: { speed },
          intendedRate: (versions.length * overrunPerMinute * speed) / 60,
        }),
      )
    }
    return { stages, settings: { ...settings, speed }, minted: mints, timeScale: speed }
  },
}

/** Has bursts paced where requests a second are limited; elsewhere they are as fast as their clients. */
const noFaster = (perSecond: number): StageOptions =>
  perSecond < Number.POSITIVE_INFINITY ? { settings: { perSecond } } : {}

/** A sender with which nothing was sent for a minute. @throws Stop where none may be driven past its limit */
async function quietSender(hand: Stagehand): Promise<Cast> {
  const { deployment, mints } = hand
  if (mints) return hand.cast('burst', 'expendable')
  const role =
    deployment.credentials.expendable === undefined && deployment.exhaustStandard ? 'standard' : 'expendable'
  const sender = await hand.cast('burst', role)
  await hand.pass(A_MINUTE, [sender], 'a burst begins after a minute of silence')
  return sender
}

/** Those who must not suffer from somebody else's burst, as far as there are any. */
async function bystanders(hand: Stagehand, one: Cast): Promise<Cast[]> {
  const { deployment, mints } = hand
  const { tenant, role } = one.sender
  if (mints && tenant !== undefined) {
    return [
      await hand.cast('other', 'otherCompany'),
      await hand.cast('colleague', 'expendable', { companyOf: tenant }),
    ]
  }
  if (deployment.credentials.otherCompany !== undefined) return [await hand.cast('other', 'otherCompany')]
  return role === 'standard' ? [] : [await hand.cast('other', 'standard')]
}
