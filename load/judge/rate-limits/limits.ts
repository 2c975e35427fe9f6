import type { Circumstances, Sender } from '../../plan/plan.ts'
import type { StageEvidence } from '../../read/evidence.ts'

/** Requests a minute that the document gives a credential in each version. */
export const LIMIT = 500

/** Seconds of the window that the document speaks of. */
export const MINUTE = 60

export type Version = 'v1' | 'v2'
export const VERSIONS = ['v1', 'v2'] as const

export const otherThan = (version: Version): Version => (version === 'v1' ? 'v2' : 'v1')

/** Returns the sender of an alias of a stage. */
export const senderOf = ({ plan }: StageEvidence, alias: string): Sender | undefined =>
  plan.senders.find(sender => sender.alias === alias)

/** Returns what tells senders of different stages apart: their alias may be the same. */
export const identityOf = ({ tenant, role }: Sender): string => tenant ?? role

/** Returns whether nobody but the run can have used up anything of a sender's limit. */
export const isOwn = (sender: Sender | undefined, { minted }: Circumstances): boolean =>
  minted || sender?.role === 'expendable'
