import { MINIMUM_K6 } from './release.ts'

/** Ends the search for k6 with one sentence: what was tried, what was wrong, what to do. */
export class NoK6 extends Error {
  /** `call`: what the caller set cannot be right; `machine`: nothing that was tried gave a k6. */
  readonly fault: 'call' | 'machine'

  constructor(fault: 'call' | 'machine', message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'NoK6'
    this.fault = fault
  }
}

/** The remedy by hand, as the end of a sentence. */
export const BY_HAND = `install k6 ${MINIMUM_K6} or newer and set K6_BIN to it`
