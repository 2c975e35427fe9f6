import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Sender } from '../plan.ts'
import type { Circumstances, StageEvidence } from './judge.ts'

/** Requests a minute that the document gives a credential in each version. */
export const LIMIT = 500

/** Seconds of the window that the document speaks of. */
export const MINUTE = 60

export type Version = 'v1' | 'v2'
export const VERSIONS = ['v1', 'v2'] as const

export const otherThan = (version: Version): Version => (version === 'v1' ? 'v2' : 'v1')

/** What is promised of limits, by version. */
export const LIMITS = {
  v1: {
    serves: 'LIMIT-V1-SERVES-500',
    refuses: 'LIMIT-V1-REFUSES-MORE',
    status: 'LIMIT-V1-429-STATUS',
    sparesOther: 'LIMIT-V1-SPARES-V2',
    perCredential: 'LIMIT-V1-PER-CREDENTIAL',
    companyCredentials: 'LIMIT-V1-COMPANY-CREDENTIALS',
    recovers: 'LIMIT-V1-RECOVERS',
  },
  v2: {
    serves: 'LIMIT-V2-SERVES-500',
    refuses: 'LIMIT-V2-REFUSES-MORE',
    status: 'LIMIT-V2-429-STATUS',
    sparesOther: 'LIMIT-V2-SPARES-V1',
    perCredential: 'LIMIT-V2-PER-CREDENTIAL',
    companyCredentials: 'LIMIT-V2-COMPANY-CREDENTIALS',
    recovers: 'LIMIT-V2-RECOVERS',
  },
} as const satisfies Record<Version, Record<string, ClauseId>>

/** Who sends under an alias of a stage. */
export const senderOf = ({ plan }: StageEvidence, alias: string): Sender | undefined =>
  plan.senders.find(sender => sender.alias === alias)

/** What tells senders of different stages apart: their alias may be the same. */
export const identityOf = ({ tenant, role }: Sender): string => tenant ?? role

/** Whether nobody but the run can have used up anything of a sender's limit. */
export const isOwn = (sender: Sender | undefined, { minted }: Circumstances): boolean =>
  minted || sender?.role === 'expendable'
