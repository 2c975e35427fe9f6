import type { StageEvidence } from '../judge/judge.ts'
import type { Stagehand } from '../run/run-stages.ts'
import type { Conductor } from './driver.ts'
import type { Settings } from './plan.ts'
import { affordableRate, lowered, REQUESTS_PER_JOURNEY, sellable } from './rates.ts'

const EVERYTHING = ['v2-transfers', 'v2-tickets', 'v2-hotels'] as const

/** A search rarely takes longer. */
const SEARCH_SECONDS = 30

/** Polls of a search, with its start, at the interval that is set. */
const requestsPerSearch = ({ settings: { pollEvery = 1000 }, deployment }: Stagehand): number =>
  deployment.disposable ? 10 : 1 + (SEARCH_SECONDS * 1000) / pollEvery

async function oneStage(
  hand: Stagehand,
  settings: Settings,
  requestsPerSecond: number,
  intendedRate: number | undefined,
): Promise<{ stages: Map<string, StageEvidence>; settings: Settings; minted: boolean }> {
  const casts = await hand.pool(requestsPerSecond)
  const evidence = await hand.run(hand.scenario, casts, {
    settings,
    ...(intendedRate === undefined ? {} : { intendedRate }),
  })
  return {
    stages: new Map([[hand.scenario, evidence]]),
    settings: { ...hand.settings, ...settings },
    minted: hand.mints,
  }
}

/** Searches for hotels, each polled to its end. */
export const searchPolling: Conductor = {
  async play(hand) {
    sellable(hand, ['v2-hotels'])
    const requests = requestsPerSearch(hand)
    const rate = affordableRate(hand, requests)
    return oneStage(hand, { rate }, rate * requests, rate)
  },
}

/** Many keys, each sent several times at once. */
export const bookingContention: Conductor = {
  async play(hand) {
    const [kind] = sellable(hand, EVERYTHING)
    const { copies = 1, keys = 1 } = hand.settings
    // An offer for each key, the copies, and a few that ask again; hotels are looked for where nothing else is sold.
    const requests = copies + 6 + (kind === 'v2-hotels' ? requestsPerSearch(hand) : 0)
    const rate = affordableRate(hand, requests)
    return oneStage(hand, { rate, keys }, rate * requests, rate)
  },
}

/** A day of partners, at one rate. */
export const journeyMix: Conductor = {
  async play(hand) {
    sellable(hand, EVERYTHING)
    const rate = affordableRate(hand, REQUESTS_PER_JOURNEY)
    return oneStage(hand, { rate }, rate * REQUESTS_PER_JOURNEY, rate)
  },
}

/** The same, for long. */
export const soak: Conductor = journeyMix

/** A sudden rush. */
export const spike: Conductor = {
  async play(hand) {
    sellable(hand, EVERYTHING)
    const { rate: asked = 1, spike: factor = 1 } = hand.settings
    const rate = lowered(hand, asked * factor, REQUESTS_PER_JOURNEY) / factor
    return oneStage(hand, { rate }, rate * factor * REQUESTS_PER_JOURNEY, undefined)
  },
}

/** More and more, until something gives. */
export const breakpoint: Conductor = {
  async play(hand) {
    sellable(hand, EVERYTHING)
    const { from: first = 1, to: asked = 1 } = hand.settings
    const to = lowered(hand, asked, REQUESTS_PER_JOURNEY)
    // A load that is to rise must not begin with more than what is allowed.
    const from = to < asked ? (first * to) / asked : first
    return oneStage(hand, { from, to }, to * REQUESTS_PER_JOURNEY, undefined)
  },
}
