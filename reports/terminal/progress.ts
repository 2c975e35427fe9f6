import type { Ahead } from '../../fixtures/client/pace/index.ts'
import type { CollectedCheck, Progress } from '../../fixtures/run/collected.ts'
import { timeInWords } from '../../fixtures/run/time.ts'
import { count, oneLine, present, shorten } from '../render/plain.ts'
import { inColour, uncoloured } from './summary.ts'

/** How far a run is. */
interface RunProgress {
  /** The numbers of finished checks, and of all checks as far as known. */
  done: number
  checks: number
  /** The line in the terminal, with what the run waits for. */
  text: string
}

/** The events of a run for the program that started it, one JSON object per line. */
export type RunEvent =
  | { event: 'started'; run: string; deployment: string; baseUrl: string }
  | ({ event: 'progress' } & RunProgress)
  | { event: 'finding'; clause: string; check: string; message: string }
  | { event: 'notice'; text: string }

/** The interval between two progress events in milliseconds. */
const BETWEEN_EVENTS = 250

/** The maximum numbers of findings sent during a run, in total and per clause; the record has all. */
const MOST_FINDINGS = 500
const MOST_OF_A_CLAUSE = 3

const LONGEST = 2_000

/** Sends the progress of a run as events, at most four times a second. */
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

  const look = (): void => {
    const seconds = (now() - startedAt) / 1000
    const sent = traffic()
    const text = lineOf(last, sent, seconds, leftOf(last, sent, seconds, rest))
    if (text === written) return
    written = text
    tell({
      event: 'progress',
      done: last?.done ?? 0,
      checks: last === undefined ? 0 : checksOf(last, sent),
      text,
    })
  }
  const timer = every(BETWEEN_EVENTS, look)

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

/** The requests that one rate limit has let through. */
interface Paced {
  /** The requests of the last minute of the busiest credential, and its share of those of all. */
  lastMinute: number
  share: number
  /** Returns the seconds until that credential may have sent that many more. */
  until(more: number): number
}

/** The progress of a run at a moment. */
interface Moment {
  /** Seconds since its start. */
  elapsed: number
  /** The number of requests. */
  sent: number
  ahead: Ahead
  /** The state of the limits of v1 and v2; empty without pacing. */
  paced: readonly Paced[]
  /** The requests a minute that a credential may send. */
  perMinute: number
  /** Whether anything but a rate limit is waited for. */
  isWaiting: boolean
}

/** The seconds before which nothing is estimated, and those below which only waits count. */
const SOONEST = 5
const SOON = 5
/** The share of the limit above which a credential will soon wait. */
const NEAR_ITS_LIMIT = 0.8
/** The factor by which the estimate may grow from one time to the next. */
const GROWTH = 1.2
/** Seconds for which an estimate is only counted down. */
const BETWEEN = 1

/**
 * Returns a function that estimates the remaining seconds of a run: with a rate limit, by when the requests that are ahead may be
 * sent; otherwise by the time that those so far took.
 *
 * @returns `undefined` while it cannot be known, and where a run only waits
 */
function createRest(): (moment: Moment) => number | undefined {
  let limited = false
  let told: number | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  /** When nothing had been sent yet: before, suites were loaded. */
  let begun = 0
  return ({ elapsed, sent, ahead, paced, perMinute, isWaiting }) => {
    if (sent === 0) begun = elapsed
    limited ||= paced.some(({ lastMinute }) => lastMinute >= NEAR_ITS_LIMIT * perMinute)
    if (ahead.checks === 0 || sent === 0 || elapsed < SOONEST) return undefined
    if (elapsed - toldAt < BETWEEN) return told
    const owed = [ahead.v1, ahead.v2]
    const left = limited
      ? Math.max(...paced.map(({ share, until }, at) => until(Math.ceil(share * owed[at]!))))
      : ((elapsed - begun) * (ahead.v1 + ahead.v2)) / sent
    toldAt = elapsed
    told =
      isWaiting && left < SOON
        ? undefined
        : Math.max(1, told === undefined ? left : Math.min(left, told * GROWTH))
    return told
  }
}

/** What a run has sent, and what it waits for. */
export interface Traffic {
  /** The number of requests. */
  sent: number
  /** What is planned beyond that; absent before it is known, and where all checks run. */
  ahead?: Ahead | undefined
  /** Whether the run was stopped, and only ends what it began. */
  isEnding?: boolean
  /** By API version. */
  paced: readonly Paced[]
  perMinute: number
  /** What is waited for: the rate limit first, then what checks wait for, in the order in which they began. */
  waits: readonly Waiting[]
}

/** What a run waits for, as a noun phrase, and for how many more seconds at most. */
interface Waiting {
  what: string
  seconds: number
}

interface ProgressOptions {
  /** `rewrites`: whether a line can be written again, as on most terminals. */
  stream: { rewrites?: boolean; columns?: number; write(text: string): unknown }
  colour: boolean
  /** Returns the traffic so far; undefined before the run begins. */
  traffic?: () => Traffic | undefined
  /** Returns the time in epoch milliseconds. */
  now?: () => number
  /** Calls a function repeatedly at an interval in milliseconds. */
  every?: (milliseconds: number, work: () => void) => { stop(): void }
}

/** The intervals between two lines in a log, and between two checks of the state, in milliseconds. */
const BETWEEN_LINES = 30_000
const BETWEEN_LOOKS = 1000
/** The minimum interval between two changes of the line on a terminal, in milliseconds. */
const BETWEEN_CHANGES = 80

/** Repeats work in real time, without keeping the process alive. */
function realInterval(milliseconds: number, work: () => void): { stop(): void } {
  const interval = setInterval(work, milliseconds).unref()
  return { stop: () => clearInterval(interval) }
}

/** Shows the progress of a run: one changing line on a terminal, a line every 30 seconds elsewhere. */
export function createProgress(options: ProgressOptions): {
  update(progress: Progress): void
  /** Removes the changing line, so that other output starts on a clean one. */
  clear(): void
  /** Removes it for good. */
  end(): void
} {
  const { stream, colour, traffic = () => undefined, now = Date.now, every = realInterval } = options
  const paint = colour ? inColour : uncoloured
  const startedAt = now()
  const between = stream.rewrites ? BETWEEN_CHANGES : BETWEEN_LINES
  const rest = createRest()
  // A run of seconds needs no line in a log.
  let writtenAt = stream.rewrites ? Number.NEGATIVE_INFINITY : startedAt
  let written = ''
  let last: Progress | undefined

  const write = (): void => {
    if (now() - writtenAt < between) return
    const elapsed = (now() - startedAt) / 1000
    const sent = traffic()
    const line = lineOf(last, sent, elapsed, leftOf(last, sent, elapsed, rest))
    if (line === written) return
    writtenAt = now()
    written = line
    if (!stream.rewrites) {
      stream.write(`${line}\n`)
      return
    }
    const style = (last?.findings ?? 0) === 0 ? 'dim' : 'red'
    stream.write(`\r${paint(style, line.slice(0, (stream.columns ?? 80) - 1))}\u001b[K`)
  }
  const clear = (): void => {
    if (stream.rewrites && written !== '') stream.write('\r\u001b[K')
    written = ''
  }
  // No check may end for minutes, but the progress is still shown.
  const timer = every(BETWEEN_LOOKS, write)

  return {
    update(progress) {
      last = progress
      write()
    },
    clear,
    end() {
      timer.stop()
      clear()
    },
  }
}

/** Returns the estimated seconds that a run still takes; `undefined` while that is not known. */
function leftOf(
  last: Progress | undefined,
  traffic: Traffic | undefined,
  elapsed: number,
  rest: ReturnType<typeof createRest>,
): number | undefined {
  if (last === undefined) return undefined
  const { sent = 0, ahead, paced = [], perMinute = Number.POSITIVE_INFINITY, waits = [] } = traffic ?? {}
  if (traffic?.isEnding) return undefined
  const isWaiting = waits.length > 0
  if (ahead !== undefined) return rest({ elapsed, sent, ahead, paced, perMinute, isWaiting })
  // Checks that nobody plans, as those of variants, count alike.
  const checks = checksOf(last, traffic) - last.done
  return rest({
    elapsed,
    sent: last.done,
    ahead: { checks, v1: checks, v2: 0 },
    paced: [],
    perMinute,
    isWaiting,
  })
}

/** Returns the progress line; without progress, the run has not begun. */
function lineOf(
  last: Progress | undefined,
  traffic: Traffic | undefined,
  elapsed: number,
  left: number | undefined,
): string {
  return present([
    last === undefined || (last.done === 0 && traffic?.ahead === undefined)
      ? 'starting'
      : `${last.done} of ${count(checksOf(last, traffic), 'check')}`,
    traffic && count(traffic.sent, 'request'),
    last && (last.findings === 0 ? 'nothing found' : `${count(last.findings, 'clause')} broken`),
    timeInWords(Math.round(elapsed) * 1000),
    traffic?.isEnding ? 'ending and cleaning up' : undefined,
    left === undefined ? undefined : `about ${timeInWords(Math.ceil(left) * 1000)} left`,
    waitText(traffic?.waits ?? []),
  ]).join(', ')
}

/** Returns what is waited for first, and how much else; `undefined` if nothing is. */
function waitText(waits: readonly Waiting[]): string | undefined {
  const [first, ...others] = waits
  if (first === undefined) return undefined
  const more = new Set(others.map(({ what }) => what).filter(what => what !== first.what)).size
  // The last look takes as long as its answer.
  const longest = first.seconds < 1 ? '' : `, at most ${minutesAndSeconds(first.seconds)}`
  return `waiting for ${first.what}${longest}${more === 0 ? '' : `, and for ${count(more, 'more thing')}`}`
}

/** Returns a duration of some minutes as text: `40 s`, `1 min 40 s`. */
export function minutesAndSeconds(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  return [`${Math.floor(whole / 60)} min`, ...(whole % 60 === 0 ? [] : [`${whole % 60} s`])].join(' ')
}

/** Returns the number of checks, as planned, or of those loaded so far. */
const checksOf = ({ done, checks }: Progress, traffic: Traffic | undefined): number =>
  traffic?.ahead === undefined ? Math.max(done, checks) : done + traffic.ahead.checks
