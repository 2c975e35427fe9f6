import type { Leftover } from '../../fixtures/record.ts'

/** What a command ends with; `130` is an interrupt. */
export const EXIT = { conforms: 0, violates: 1, wrongCall: 2, incomplete: 3, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Why a run that found nothing does not end with 0: bookings that may stand, and should not; `undefined` for none. */
export function mayBeBooked(leftovers: readonly Leftover[]): string | undefined {
  const count = leftovers.filter(({ refused }) => !refused).length
  if (count === 0) return undefined
  return `${count} ${count === 1 ? 'booking' : 'bookings'} may still stand (see the list above): cancel by hand, or with tss cleanup.`
}

/** Ends a command with one sentence for whoever called it, and no stack trace. */
export class Failure extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
    this.exitCode = exitCode
  }
}

/** The call was wrong; nothing was sent. */
export const wrongCall = (message: string, options?: ErrorOptions): Failure =>
  new Failure(EXIT.wrongCall, message, options)

/** The run could not be started, or not be completed. */
export const incomplete = (message: string, options?: ErrorOptions): Failure =>
  new Failure(EXIT.incomplete, message, options)
