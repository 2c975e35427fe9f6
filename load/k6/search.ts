import { MINIMUM_K6, type Release } from './release.ts'

/** A k6 that starts and is new enough. */
export interface K6 {
  /** An absolute path. */
  path: string
  /** Without the `v`. */
  version: string
  /** Where it was found, or how it was fetched. */
  source: 'K6_BIN' | 'PATH' | 'cache' | 'download' | 'go'
}

/** The parameters of the search for k6. */
export interface Search {
  env: NodeJS.ProcessEnv
  release: Release
  signal: AbortSignal
  /** Receives progress, one line at a time. */
  onProgress: (line: string) => void
  /** The problems of all attempts so far, as parts of sentences. */
  tried: string[]
}

/** The parameters of fetching k6. */
export interface Fetching extends Search {
  /** A temporary folder for this purpose. */
  workshop: string
}

/** A fetched program that is not in its place yet. */
export interface Made {
  path: string
  /** The version in the form of the release: `v2.3.0`. */
  release: string
}

/** A problem with an attempt, as a part of a sentence. */
export interface Problem {
  problem: string
}

/** Returns the words or the code of a system error. If several addresses failed, there is only a code. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? (message || 'no reason given')
}

/** Returns the output of a program in one line. */
export const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** Ends the search for k6 with one sentence: what was tried, what failed, and what to do. */
export class NoK6 extends Error {
  /** `call`: a setting of the caller is wrong; `machine`: no attempt succeeded. */
  readonly fault: 'call' | 'machine'

  constructor(fault: 'call' | 'machine', message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'NoK6'
    this.fault = fault
  }
}

/** The remedy by hand, as the end of a sentence. */
export const BY_HAND = `install k6 ${MINIMUM_K6} or newer and set K6_BIN to it`
