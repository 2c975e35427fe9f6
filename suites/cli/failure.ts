/** What a command ends with; `130` is an interrupt. */
export const EXIT = { conforms: 0, violates: 1, wrongCall: 2, incomplete: 3, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

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
