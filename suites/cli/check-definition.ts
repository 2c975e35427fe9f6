import { credentialTokens } from '../../fixtures/client/guard.ts'
import { createShared, openShared, type Shared } from '../../fixtures/client/shared.ts'
import type { Deployment } from '../../fixtures/deployments/definition.ts'
import { findDefinition, launchDeployment, loadDeployment } from '../../fixtures/deployments/load.ts'
import { print } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode, incomplete } from '../../fixtures/run/failure.ts'
import { adviceOn } from '../../fixtures/run/hotel-search.ts'
import { whyUnreachable } from '../../fixtures/run/preflight.ts'
import { tryDefinition } from '../../fixtures/run/trial.ts'
import type { AdaptersTried } from '../../fixtures/run/try-adapters.ts'
import { oneLine } from '../../reports/plain.ts'

/** Options of `tss check-definition`, as they were given. */
export interface CheckDefinitionOptions {
  deployment?: string
}

/**
 * Loads a definition, asks its deployment for one answer of each kind, and says what the adapters make of it. Books
 * nothing and writes nothing.
 *
 * @throws {DefinitionError} for a definition or an adapter that is wrong
 * @throws {Failure} where the deployment cannot be reached
 */
export async function checkDefinition({ deployment: wish }: CheckDefinitionOptions): Promise<ExitCode> {
  const definition = findDefinition(wish, process.cwd())
  const launched = await launchDeployment(definition)
  try {
    const deployment = await loadDeployment(definition, launched?.values)
    const objection = await whyUnreachable(deployment)
    if (objection !== undefined) throw incomplete(objection)
    print(
      `${tellTried(deployment, await tryDefinition({ deployment, shared: sharedFor(deployment), dir: null }))}\n`,
    )
    return EXIT.conforms
  } finally {
    await launched?.stop()
  }
}

const sharedFor = (deployment: Deployment): Shared =>
  openShared(
    createShared({
      credentials: credentialTokens(deployment).length,
      perMinute: deployment.traffic.perMinute,
    }),
  )

/** What to print. */
export function tellTried(
  { name, baseUrl, products }: Pick<Deployment, 'name' | 'baseUrl' | 'products'>,
  { tried, untried, search }: AdaptersTried,
): string {
  const width = Math.max(0, ...tried.map(({ adapter }) => adapter.length))
  return [
    `${oneLine(name)} (${baseUrl}) claims ${products.join(', ')}.`,
    ...tried.map(({ adapter, gave }) => `  ${oneLine(adapter.padEnd(width))}  ${oneLine(gave)}`),
    ...untried.map(sentence => `  ${oneLine(sentence)}`),
    ...(search === undefined || search.ended || search.refused !== undefined
      ? []
      : [oneLine(`Look at this: ${adviceOn(search)}.`)]),
    'No adapter threw or returned what the kit cannot use. Nothing was booked.',
  ].join('\n')
}
