import { notExercised } from '../../fixtures/check/stop.ts'
import { A_MINUTE } from '../run/run-stages.ts'
import type { Conductor } from './driver.ts'
import { speedOf, versionsOf } from './rates.ts'

/**
 * Partners that keep to the documented pace, one in each version, so that a count that versions share by mistake is not
 * taken for a low limit; a definition with a single credential sends it in both.
 */
export const rateLimitSustained: Conductor = {
  async play(hand) {
    const { settings, mints, deployment } = hand
    const { perMinute = 0 } = settings
    const versions = versionsOf(hand)
    const speed = speedOf(hand)
    const rate = (versions.length * perMinute * speed) / 60
    const affordable = hand.affordable(Number.POSITIVE_INFINITY)
    if (rate > affordable) {
      throw notExercised(
        `${perMinute} requests a minute of ${versions.join(' and ')} are ${rate} a second, and load.maxRate of the definition allows ${affordable}`,
      )
    }
    if (!mints && perMinute > deployment.traffic.perMinute) {
      throw notExercised(
        `${perMinute} requests a minute are more than the ${deployment.traffic.perMinute} that traffic.perMinute of the definition allows`,
      )
    }
    const senders = await Promise.all(
      versions.map((version, index) => {
        const other = index > 0 && !mints && deployment.credentials.otherCompany !== undefined
        return hand.cast(`partner ${version}`, other ? 'otherCompany' : 'standard')
      }),
    )
    if (!mints) await hand.pass(A_MINUTE, senders, 'nothing that was sent before must count')
    const sustained = await hand.run('sustained', senders, {
      speed,
      settings: { speed },
      intendedRate: rate,
    })
    return {
      stages: new Map([['sustained', sustained]]),
      settings: { ...settings, speed },
      minted: mints,
      timeScale: speed,
    }
  },
}
