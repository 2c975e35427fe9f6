import { MINIMUM_K6, type Release } from './release.ts'

/** A k6 that was seen to start and is new enough. */
export interface K6 {
  /** Absolute. */
  path: string
  /** Without the `v`. */
  version: string
  /** The place where it was found, or the way in which it was got. */
  source: 'K6_BIN' | 'PATH' | 'cache' | 'download' | 'go'
}

/** The settings of the search for k6. */
export interface Search {
  env: NodeJS.ProcessEnv
  release: Release
  signal: AbortSignal
  /** Told what is going on, a line at a time. */
  onProgress: (line: string) => void
  /** The attempts so far and their problems, each as a part of a sentence. */
  tried: string[]
}

/** The settings of getting a k6 that is not there yet, by any means. */
export interface Fetching extends Search {
  /** A folder for this alone, removed afterwards. */
  workshop: string
}

/** A program that was made, not yet in its place. */
export interface Made {
  path: string
  /** As the release names it: `v2.3.0`. */
  release: string
}

/** A problem with an attempt, as a part of a sentence. */
export interface Problem {
  problem: string
}

/** Returns what the system or a library says of a fault. Several addresses that all failed have a code and no words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? (message || 'no reason given')
}

/** Returns what a program said, for a sentence of ours. */
export const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

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
