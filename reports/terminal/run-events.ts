import type { CollectedCheck, Progress } from '../../fixtures/run/collected.ts'
import { oneLine, shorten } from '../render/plain.ts'
import { checksOf, leftOf, lineOf, type ProgressOptions, realInterval } from './progress.ts'
import { createRest } from './remaining-time.ts'

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
const BETWEEN = 250

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
