import { print } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { endUnknown } from '../../fixtures/run/hotel-search.ts'
import { type TriedDefinition, tryDefinitionAt } from '../../fixtures/run/trial.ts'
import { hasOwn } from '../../fixtures/run/try-adapters.ts'
import { oneLine } from '../../reports/plain.ts'

/** Options of `travel-sales check-definition`, as they were given. */
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
  print(`${tellTried(await tryDefinitionAt(wish))}\n`)
  return EXIT.conforms
}

/** Returns what to print. */
function tellTried({ deployment, tried, untried, search }: TriedDefinition): string {
  const { name, baseUrl, products } = deployment
  const endless = endUnknown(search, hasOwn(deployment, 'hotels', 'finished'))
  const width = Math.max(0, ...tried.map(({ adapter }) => adapter.length))
  return [
    `${oneLine(name)} (${baseUrl}) claims ${products.join(', ')}.`,
    ...tried.map(({ adapter, gave }) => `  ${oneLine(adapter.padEnd(width))}  ${oneLine(gave)}`),
    ...untried.map(sentence => `  ${oneLine(sentence)}`),
    ...(endless === undefined ? [] : [oneLine(`Look at this: ${endless}.`)]),
    'No adapter threw or returned what the kit cannot use. Nothing was booked.',
  ].join('\n')
}
