import type { Circumstances, Sender } from '../../plan/plan.ts'
import type { StageEvidence } from '../../read/evidence.ts'

/** The documented requests per minute of a credential in each version. */
export const LIMIT = 500

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
