import { notExercised } from '../../fixtures/check/stop.ts'
import type { ApiVersion } from '../../fixtures/client/exchange.ts'
import type { Product } from '../../fixtures/deployments/control.ts'
import type { Stagehand } from '../run/run-stages.ts'

/** Most requests that one journey sends, in one version. */
export const REQUESTS_PER_JOURNEY = 16

/** API versions that answer here at all. @throws Stop when none does */
export function versionsOf({ missing }: Stagehand): ApiVersion[] {
  const versions = (['v1', 'v2'] as const).filter(version => !missing.has(version))
  if (versions.length > 0) return versions
  throw missing.get('v1')
}

/** How much faster time may be made to pass: not at all where no clock can be moved. */
export const speedOf = ({ settings, deployment }: Stagehand): number =>
  deployment.control.advanceClock === undefined ? 1 : (settings.speed ?? 1)

/**
 * The rate that is asked for, or what may be sent here of it, in iterations a second.
 *
 * @param requests of each iteration
 */
export function affordableRate(hand: Stagehand, requests: number): number {
  const { rate = 1 } = hand.settings
  return lowered(hand, rate, requests)
}

/** A rate lowered, where need be, to what the definition and the senders allow. */
export function lowered(hand: Stagehand, rate: number, requests: number): number {
  const affordable = hand.affordable(hand.standing()) / requests
  if (rate <= affordable) return rate
  const fair = Math.max(Math.floor(affordable * 100) / 100, 0.01)
  hand.onNotice(
    `${hand.scenario}: ${rate} iterations a second were asked for, and ${fair} are what the credentials and load.maxRate of the definition allow.`,
  )
  return fair
}

/** Insists on products of which at least one can be sold. @throws Stop with the reason of the last one that cannot */
export function sellable({ deployment, missing }: Stagehand, products: readonly Product[]): Product[] {
  const claimed = products.filter(product => deployment.products.includes(product))
  const there = claimed.filter(product => !missing.has(product))
  if (there.length > 0) return there
  const [first] = claimed
  if (first === undefined)
    throw notExercised(`needs one of ${products.join(', ')}, and the definition claims none`)
  throw missing.get(first)
}
