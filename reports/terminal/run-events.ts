import type { CollectedCheck, Progress } from '../../fixtures/run/collected.ts'
import { oneLine, shorten } from '../render/plain.ts'
import { type AreaProgress, areasOf } from './area-progress.ts'
import { checksOf, leftOf, lineOf, type ProgressOptions, realInterval, type Waiting } from './progress.ts'
import { createRest } from './remaining-time.ts'

/** How far a run is. */
export interface RunProgress {
  /** The numbers of finished checks, of all checks as far as known, of broken clauses, and of requests. */
  done: number
  checks: number
  broken: number
  requests: number
  /** The line in the terminal, with what the run waits for. */
  text: string
  /** Seconds since the start, and the estimated seconds that are left; absent while that is not known. */
  seconds: number
  left?: number
  /** The requests of the last minute. */
  lastMinute: number
  /** The requests a minute that a credential may send, and those of the busiest one, by API version; empty without a limit. */
  perMinute?: number
  limits: { version: string; lastMinute: number }[]
  /** What is waited for. */
  waits: Waiting[]
  areas: AreaProgress[]
}

/** The events of a run for the program that started it, one JSON object per line. */
export type RunEvent =
  | { event: 'started'; run: string; deployment: string; baseUrl: string }
  | ({ event: 'progress' } & RunProgress)
  | { event: 'finding'; clause: string; check: string; message: string }
  | { event: 'notice'; text: string }

const MINUTE = 60_000
/** The maximum number of waits told at once. */
const MOST_WAITS = 20

/** The interval between two progress events in milliseconds. */
const BETWEEN = 250

/** The maximum numbers of findings sent during a run, in total and per clause; the record has all. */
const MOST_FINDINGS = 500
const MOST_OF_A_CLAUSE = 3

const LONGEST = 2_000

/** Sends the progress of a run as events: requests, findings and waits, at most four times a second. */
export function createRunEvents({
  tell,
  traffic = () => undefined,
  now = Date.now,
  every = realInterval,
}: Pick<ProgressOptions, 'traffic' | 'now' | 'every'> & { tell(event: RunEvent): void }): {
  update(progress: Progress): void
  /** Sends the findings of a check. */
  check(check: CollectedCheck): void
  end(): void
} {
  const startedAt = now()
  const rest = createRest()
  const told = new Map<string, number>()
  let findings = 0
  let last: Progress | undefined
  let written = ''

  const sentAt: { at: number; sent: number }[] = [{ at: startedAt, sent: 0 }]
  /** Returns the requests since a minute ago. */
  const lastMinute = (sent: number): number => {
    sentAt.push({ at: now(), sent })
    while (sentAt.length > 1 && sentAt[1]!.at <= now() - MINUTE) sentAt.shift()
    return sent - sentAt[0]!.sent
  }

  const look = (): void => {
    const seconds = (now() - startedAt) / 1000
    const sent = traffic()
    const left = leftOf(last, sent, seconds, rest)
    const text = lineOf(last, sent, seconds, left)
    if (text === written) return
    written = text
    tell({
      event: 'progress',
      done: last?.done ?? 0,
      checks: last === undefined ? 0 : checksOf(last, sent),
      broken: last?.findings ?? 0,
      requests: sent?.sent ?? 0,
      text,
      seconds: Math.round(seconds),
      ...(left === undefined ? {} : { left: Math.ceil(left) }),
      lastMinute: lastMinute(sent?.sent ?? 0),
      ...(sent === undefined || sent.paced.length === 0 ? {} : { perMinute: sent.perMinute }),
      limits: (sent?.paced ?? []).map(({ lastMinute }, at) => ({ version: `v${at + 1}`, lastMinute })),
      waits: (sent?.waits ?? [])
        .slice(0, MOST_WAITS)
        .map(({ what, seconds }) => ({ what, seconds: Math.ceil(seconds) })),
      areas: areasOf(last?.suites ?? []),
    })
  }
  const timer = every(BETWEEN, look)

  return {
    update(progress) {
      last = progress
    },
    check({ id, report }) {
      for (const { clause, message } of report?.findings ?? []) {
        const count = told.get(clause) ?? 0
        if (count === MOST_OF_A_CLAUSE || findings === MOST_FINDINGS) continue
        told.set(clause, count + 1)
        findings++
        tell({ event: 'finding', clause, check: id, message: shorten(oneLine(message), LONGEST) })
      }
    },
    end() {
      timer.stop()
      look()
    },
  }
}
