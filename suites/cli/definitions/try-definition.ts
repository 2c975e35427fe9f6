import { OPERATOR } from '../../../fixtures/client/money/index.ts'
import { unverified } from '../../../fixtures/deployments/loading/index.ts'
import { optionsOfCall } from '../../../fixtures/output/command-line.ts'
import { print, say } from '../../../fixtures/output/console.ts'
import { EXIT, type ExitCode, incomplete, mayBeBooked } from '../../../fixtures/run/failure.ts'
import type { FirstBooking } from '../../../fixtures/run/preflight/first-bookings.ts'
import {
  bookDefinitionAt,
  type TriedDefinition,
  tryDefinitionAt,
} from '../../../fixtures/run/preflight/trial.ts'
import { oneLine } from '../../../reports/render/plain.ts'

/**
 * Loads a definition, asks its deployment for one answer of each kind, and prints what the adapters return for it. Books
 * nothing and writes nothing, unless it is to `book`: then it books each product once, and cancels it.
 *
 * @returns 1 if an adapter could not be tried, or a product not be booked
 * @throws {DefinitionError} if the definition or an adapter is wrong
 * @throws {Failure} if the deployment cannot be reached
 */
export async function tryDefinition({
  deployment: wish,
  book = false,
}: {
  deployment?: string
  book?: boolean
}): Promise<ExitCode> {
  if (!book) {
    const tried = await tryDefinitionAt(wish, say)
    print(`${tellTried(tried)}\n`)
    return tried.untried.length === 0 ? EXIT.conforms : EXIT.violates
  }
  const { result, halted, leftovers, folder } = await bookDefinitionAt(wish, {
    out: 'reports/out',
    onNotice: say,
  })
  const standing = mayBeBooked({ leftovers, run: folder.run, called: optionsOfCall() })
  const stands = ({ product, bookingId }: FirstBooking) =>
    leftovers.some(left => left.product === product && left.bookingId === String(bookingId))
  if (result !== undefined)
    print(
      `${[tellTried(result, true), ...result.first.map(one => tellBooked(one, stands(one)))].join('\n')}\n`,
    )
  if (standing !== undefined) say(standing)
  if (halted?.reason === 'interrupted') return EXIT.interrupted
  if (halted !== undefined || result === undefined) throw incomplete(`${halted?.sentence}.`)
  const isWhole = result.untried.length === 0 && result.first.every(({ why }) => why === undefined)
  return isWhole && standing === undefined ? EXIT.conforms : EXIT.violates
}

function tellTried({ deployment, tried, untried, unread }: TriedDefinition, books = false): string {
  const { name, baseUrl, products } = deployment
  const width = Math.max(0, ...[...tried, ...unread].map(({ adapter }) => adapter.length))
  const unlessBooked = books ? 'tried by the booking below' : 'not tried: only a booking would show it'
  const nothing = books ? '' : ' Nothing was booked.'
  return [
    `${oneLine(name)} (${baseUrl}) claims ${products.join(', ')}.`,
    ...tried.map(({ adapter, gave }) => `  ${oneLine(adapter).padEnd(width)}  ${oneLine(gave)}`),
    ...unread.map(
      ({ adapter, writes }) =>
        `  ${oneLine(adapter).padEnd(width)}  ${unlessBooked}${writes === '' ? '' : ` (${oneLine(writes)})`}`,
    ),
    ...untried.map(sentence => `  Look at this: ${oneLine(sentence).replace(/\.+$/, '')}.`),
    untried.length === 0
      ? `Every adapter that was tried returned something that the kit can use.${unread.length === 0 || books ? '' : ` ${unread.length} were not tried (--book tries them).`}${nothing}`
      : `Not every adapter could be tried: a run would be blocked or incomplete.${nothing}`,
    ...unverified(),
  ].join('\n')
}

function tellBooked({ product, kind, why, bookingId }: FirstBooking, stands: boolean): string {
  const result =
    why === undefined
      ? `booked as ${bookingId}, ${stands ? 'and not cancelled' : 'cancelled'}`
      : `not booked: ${oneLine(why)}`
  return `  ${product}${OPERATOR[kind] ?? ''}: ${result}`
}
