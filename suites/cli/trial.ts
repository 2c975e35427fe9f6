import { openLine } from '../../fixtures/client/line.ts'
import { createPartner } from '../../fixtures/client/partner.ts'
import type { Shared } from '../../fixtures/client/shared.ts'
import type { Deployment } from '../../fixtures/deployments/definition.ts'
import { adviceOn } from '../../fixtures/run/hotel-search.ts'
import { type AdaptersTried, tryAdapters, worthTrying } from '../../fixtures/run/try-adapters.ts'

/** Number that no worker of a run has, nor its clean-up. */
const TRIAL_WORKER = 26 * 26 + 1

/** What a trial needs. */
export interface TrialOptions {
  deployment: Deployment
  shared: Shared
  /** Folder of the run; `null` writes nothing. */
  dir: string | null
  signal?: AbortSignal
}

/**
 * Tries the adapters of a definition on one real answer each, as its standard credential. Books nothing.
 *
 * @throws {DefinitionError} for an adapter that is wrong
 */
export async function tryDefinition({
  deployment,
  shared,
  dir,
  signal,
}: TrialOptions): Promise<AdaptersTried> {
  const token = deployment.credentials.standard?.token ?? (await deployment.control.mint?.({}))?.token ?? ''
  const line = openLine({
    deployment,
    shared,
    worker: TRIAL_WORKER,
    dir,
    ...(signal && { stopping: signal }),
  })
  try {
    const { v2 } = createPartner({
      client: line.client,
      token,
      sender: { role: 'standard' },
      check: 'trial of the definition',
      signal,
    })
    return await tryAdapters(deployment, { v2, ...(signal && { signal }) })
  } finally {
    await line.close()
  }
}

/**
 * Returns what workers have to know before checks begin: why no hotel search can be followed, where that is so.
 *
 * @throws {DefinitionError} for an adapter that is wrong: nothing was booked
 */
export async function learnBefore(options: TrialOptions): Promise<{ searchEndUnknown?: string }> {
  const { deployment } = options
  const products = worthTrying(deployment)
  if (deployment.disposable || products.length === 0) return {}
  const { search } = await tryDefinition({ ...options, deployment: { ...deployment, products } })
  return search === undefined || search.ended || search.refused !== undefined
    ? {}
    : { searchEndUnknown: adviceOn(search) }
}
