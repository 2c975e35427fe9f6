import { resolveSender } from '../../fixtures/check/control/actor.ts'
import { type Deployment, loadRole, type Role } from '../../fixtures/deployments/definition/index.ts'
import type { Sender } from '../plan/plan.ts'
import type { PlannedSender } from '../plan/scenario-plan.ts'

/** A sender with its credential. */
export interface ReadySender extends Sender {
  token: string
}

/** Returns the name of a sender in control. */
export const tenantOf = ({ tenant, role }: Sender): string => tenant ?? role

/**
 * Finds or mints the senders of a stage, and reuses those of earlier stages.
 *
 * @param known by `id`; new ones are added
 * @throws Inconclusive if there are none
 */
export async function findSenders(
  deployment: Deployment,
  planned: readonly PlannedSender[],
  known: Map<string, ReadySender>,
  variant?: string,
): Promise<ReadySender[]> {
  for (const sender of planned.filter(({ id }) => !known.has(id)))
    known.set(sender.id, await findSender(deployment, sender, known, variant))
  return planned.map(({ id }) => known.get(id)!)
}

async function findSender(
  deployment: Deployment,
  { alias, role, colleagueOf, product }: PlannedSender,
  known: ReadonlyMap<string, ReadySender>,
  variant: string | undefined,
): Promise<ReadySender> {
  const token = (deployment.load.tokens ?? []).find((_, index) => loadRole(index) === role)
  if (token !== undefined) return { alias, role, token }
  const colleague = colleagueOf === undefined ? undefined : known.get(colleagueOf)!
  const wish = colleague === undefined ? {} : { companyOf: tenantOf(colleague) }
  const found = await resolveSender(deployment, role as Role, wish, variant)
  return {
    alias,
    role,
    ...(colleague !== undefined && { colleagueOf: colleague.alias }),
    ...(product !== undefined && { product }),
    ...(found.minted && { tenant: found.tenant }),
    token: found.token,
  }
}

/** Returns a sender without its credential. */
export const withoutToken = ({ token: _, ...sender }: ReadySender): Sender => sender
