import { notExercised } from '../../fixtures/check/stop.ts'
import { ANSWER_TIMES } from '../../fixtures/checkers/timing.ts'
import { tenantOf } from '../casting.ts'
import type { Conductor } from './conductor.ts'
import { affordableRate, sellable } from './means.ts'

/** Every call once, with those that prepare others. */
const REQUESTS_PER_ROUND = 20

/** Asks every call for the time it takes; where control can delay answers, as late as it is told to. */
export const timeouts: Conductor = {
  async play(hand) {
    sellable(hand, ['v2-transfers', 'v2-tickets', 'v2-hotels'])
    const { scale = 1, delay = 0 } = hand.settings
    const { control } = hand.deployment
    if ((scale !== 1 || delay > 0) && control.delay === undefined) {
      throw notExercised('needs control that delays answers, for a scale other than 1 and a delay above 0')
    }
    const rate = affordableRate(hand, REQUESTS_PER_ROUND)
    const casts = await hand.pool(rate * REQUESTS_PER_ROUND)
    if (delay > 0) {
      for (const { sender } of casts) {
        for (const [call, { seconds }] of ANSWER_TIMES) {
          const milliseconds = Math.round(1000 * seconds * scale * delay)
          await control.delay?.(tenantOf(sender), call, milliseconds)
        }
      }
    }
    const evidence = await hand.run('timeouts', casts, { settings: { rate }, intendedRate: rate })
    return {
      stages: new Map([['timeouts', evidence]]),
      settings: { ...hand.settings, rate },
      minted: hand.mints,
    }
  },
}
