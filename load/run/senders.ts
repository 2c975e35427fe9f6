import { type Casting, cast } from '../../fixtures/check/party.ts'
import { notExercised } from '../../fixtures/check/stop.ts'
import type { TenantWish } from '../../fixtures/deployments/control.ts'
import { type Deployment, loadRole, type Role } from '../../fixtures/deployments/definition.ts'
import type { Sender } from '../plan/plan.ts'

/** Somebody who may send in a stage. */
export interface Cast {
  sender: Sender
  token: string
  /** Made for this scenario: nobody else uses it, and its limits are the documented ones. */
  minted: boolean
}

/** What control calls a sender. */
export const tenantOf = ({ tenant, role }: Sender): string => tenant ?? role

/** Fills a role under a name that figures and findings will use. @throws Stop where nobody can fill it */
export async function castAs(
  deployment: Deployment,
  alias: string,
  role: Role,
  wish: TenantWish = {},
  variant?: string,
): Promise<Cast> {
  const { token, tenant, minted }: Casting = await cast(deployment, role, wish, variant)
  return { sender: { alias, role, ...(minted ? { tenant } : {}) }, token, minted }
}

/** Roles whose credentials may carry ordinary load. */
const CARRIERS: readonly Role[] = ['standard', 'otherCompany', 'expendable']

/** Those of them that a definition has credentials for. */
const carriersOf = ({ credentials }: Deployment): Role[] =>
  CARRIERS.filter(role => {
    const credential = credentials[role]
    return credential !== undefined && !Object.values(credential.modes ?? {}).includes('live')
  })

/** How many credentials of the definition may carry ordinary load. */
export const standingCount = (deployment: Deployment): number =>
  carriersOf(deployment).length + (deployment.load.tokens ?? []).length

/** Everybody of the definition who may carry ordinary load. @throws Stop when nobody may */
export async function standingPool(deployment: Deployment): Promise<Cast[]> {
  const carriers = await Promise.all(carriersOf(deployment).map(role => castAs(deployment, role, role)))
  const further = (deployment.load.tokens ?? []).map((token, index): Cast => {
    const role = loadRole(index)
    return { sender: { alias: role, role }, token, minted: false }
  })
  const pool = [...carriers, ...further]
  if (pool.length === 0) throw notExercised('needs a credential that is in test mode for every product')
  return pool
}
