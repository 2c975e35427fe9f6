import { unverified } from '../../fixtures/deployments/tested.ts'
import { print, say } from '../../fixtures/output/console.ts'
import { EXIT, type ExitCode } from '../../fixtures/run/failure.ts'
import { type TriedDefinition, tryDefinitionAt } from '../../fixtures/run/trial.ts'
import { oneLine } from '../../reports/render/plain.ts'

/**
 * Loads a definition, asks its deployment for one answer of each kind, and prints what the adapters return for it. Books
 * nothing and writes nothing.
 *
 * @returns 1 if an adapter could not be tried
 * @throws {DefinitionError} if the definition or an adapter is wrong
 * @throws {Failure} if the deployment cannot be reached
 */
export async function checkDefinition({ deployment: wish }: { deployment?: string }): Promise<ExitCode> {
  const tried = await tryDefinitionAt(wish, say)
  print(`${tellTried(tried)}\n`)
  return tried.untried.length === 0 ? EXIT.conforms : EXIT.violates
}

function tellTried({ deployment, tried, untried, unread }: TriedDefinition): string {
  const { name, baseUrl, products } = deployment
  const width = Math.max(0, ...[...tried, ...unread].map(({ adapter }) => adapter.length))
  return [
    `${oneLine(name)} (${baseUrl}) claims ${products.join(', ')}.`,
    ...tried.map(({ adapter, gave }) => `  ${oneLine(adapter).padEnd(width)}  ${oneLine(gave)}`),
    ...unread.map(
      ({ adapter, writes }) =>
        `  ${oneLine(adapter).padEnd(width)}  not tried: only a booking would show it${writes === '' ? '' : ` (${oneLine(writes)})`}`,
    ),
    ...untried.map(sentence => `  Look at this: ${oneLine(sentence).replace(/\.+$/, '')}.`),
    untried.length === 0
      ? `Every adapter that was tried returned something that the kit can use.${unread.length === 0 ? '' : ` ${unread.length} were not tried.`} Nothing was booked.`
      : 'Not every adapter could be tried: a run would be blocked or incomplete. Nothing was booked.',
    ...unverified(),
  ].join('\n')
}
