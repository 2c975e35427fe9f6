import { DOCUMENTED_LIMIT, limitToldBy } from '../../../fixtures/service/rate-limit.ts'
import type { Circumstances, Sender } from '../../plan/plan.ts'
import type { StageEvidence } from '../../read/evidence.ts'

/** Returns the requests per minute of a credential in each version: the documented ones, unless the definition states others. */
export const limitOf = ({ settings }: Pick<Circumstances, 'settings'>): number =>
  settings.limit ?? DOCUMENTED_LIMIT

/** Returns whether something states the limit: the definition, or an answer that names the documented one. */
export const isStated = (
  { settings }: Pick<Circumstances, 'settings'>,
  version: Version,
  stages: readonly (StageEvidence | undefined)[],
): boolean =>
  settings.limit !== undefined ||
  stages.some(stage =>
    stage?.exchanges.some(one => one.version === version && limitToldBy(one) === DOCUMENTED_LIMIT),
  )

/** The seconds of the documented window. */
export const MINUTE = 60

export type Version = 'v1' | 'v2'
export const VERSIONS = ['v1', 'v2'] as const

export const otherThan = (version: Version): Version => (version === 'v1' ? 'v2' : 'v1')

/** Returns the sender with an alias in a stage. */
export const senderOf = ({ plan }: StageEvidence, alias: string): Sender | undefined =>
  plan.senders.find(sender => sender.alias === alias)

/** Returns the identity of a sender across stages, since aliases repeat. */
export const identityOf = ({ tenant, role }: Sender): string => tenant ?? role

/** Returns whether only this run can have used a sender's limit. */
export const isOwn = (sender: Sender | undefined, { minted }: Circumstances): boolean =>
  minted || sender?.role === 'expendable'
