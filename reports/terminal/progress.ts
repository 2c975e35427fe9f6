import type { Progress } from '../../fixtures/run/collected.ts'
import { timeInWords } from '../../fixtures/run/time.ts'
import { count, present } from '../render/plain.ts'
import { inColour, uncoloured } from './findings.ts'
import { createRest, type Paced } from './remaining-time.ts'

/** What a run has sent, and what it waits for. */
export interface Traffic {
  /** Requests in all. */
  sent: number
  /** By API version. */
  paced: readonly Paced[]
  perMinute: number
  /** The credential that has to wait longest for its rate limit, if any has to. */
  waiting?: { role: string; seconds: number }
}

export interface ProgressOptions {
  stream: { isTTY?: boolean; columns?: number; write(text: string): unknown }
  colour: boolean
  /** Returns what was sent so far; nothing before the run has begun. */
  traffic?: () => Traffic | undefined
  /** Epoch milliseconds. */
  now?: () => number
  /** Does something again and again, so many milliseconds apart. */
  every?: (milliseconds: number, work: () => void) => { stop(): void }
}

/** Milliseconds between two lines where nobody looks, and between two looks. */
const BETWEEN_LINES = 30_000
const BETWEEN_LOOKS = 1000
/** Milliseconds between two changes of the line where somebody does. */
const BETWEEN_CHANGES = 80

/** Goes by the real clock, and keeps no process alive. */
export function realInterval(milliseconds: number, work: () => void): { stop(): void } {
  const interval = setInterval(work, milliseconds).unref()
  return { stop: () => clearInterval(interval) }
}

/** Shows how a run comes along: one line that changes where a person looks, a line every half minute elsewhere. */
export function createProgress(options: ProgressOptions): {
  update(progress: Progress): void
  /** Takes the changing line away, so that what follows starts on a clean one. */
  clear(): void
  /** Does so for good. */
  end(): void
} {
  const { stream, colour, traffic = () => undefined, now = Date.now, every = realInterval } = options
  const paint = colour ? inColour : uncoloured
  const startedAt = now()
  const between = stream.isTTY ? BETWEEN_CHANGES : BETWEEN_LINES
  const rest = createRest()
  // A run of seconds needs no line of its own in a log.
  let writtenAt = stream.isTTY ? Number.NEGATIVE_INFINITY : startedAt
  let written = ''
  let last: Progress | undefined

  const write = (): void => {
    if (now() - writtenAt < between) return
    const elapsed = (now() - startedAt) / 1000
    const line = lineOf(last, traffic(), elapsed, rest)
    if (line === written) return
    writtenAt = now()
    written = line
    if (!stream.isTTY) {
      stream.write(`${line}\n`)
      return
    }
    const style = (last?.findings ?? 0) === 0 ? 'dim' : 'red'
    stream.write(`\r${paint(style, line.slice(0, (stream.columns ?? 80) - 1))}\u001b[K`)
  }
  const clear = (): void => {
    if (stream.isTTY && written !== '') stream.write('\r\u001b[K')
    written = ''
  }
  // Nothing may end for minutes: that the run goes on is told all the same.
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

/** Says how far a run is; without progress, it has not begun. */
export function lineOf(
  last: Progress | undefined,
  traffic: Traffic | undefined,
  elapsed: number,
  rest: ReturnType<typeof createRest>,
): string {
  const { paced = [], perMinute = Number.POSITIVE_INFINITY, waiting } = traffic ?? {}
  const left =
    last === undefined
      ? undefined
      : rest({ elapsed, done: last.done, checks: expectedOf(last), paced, perMinute })
  return present([
    last === undefined ? 'starting' : checksOf(last),
    traffic && count(traffic.sent, 'request'),
    last && (last.findings === 0 ? 'nothing found' : `${count(last.findings, 'clause')} broken`),
    timeInWords(Math.round(elapsed) * 1000),
    left === undefined ? undefined : `about ${timeInWords(Math.ceil(left) * 1000)} left`,
    waiting && `waiting for the rate limit of ${waiting.role}, ${Math.ceil(waiting.seconds)} s`,
  ]).join(', ')
}

const checksOf = (progress: Progress): string =>
  `${progress.done} of ${progress.filesLoaded < progress.files ? 'about ' : ''}${count(expectedOf(progress), 'check')}`

/** Returns how many checks there are, by those of the files that are loaded. */
export const expectedOf = ({ done, checks, files, filesLoaded }: Progress): number =>
  Math.max(done, filesLoaded === 0 ? 0 : Math.round((checks * files) / filesLoaded))
