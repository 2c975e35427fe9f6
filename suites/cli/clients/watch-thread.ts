import { setImmediate as turn } from 'node:timers/promises'
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Passed } from '../../../fixtures/watch/forwarding.ts'
import { THREAD_LIMITS } from '../../../fixtures/watch/thread-limits.ts'
import type { Ended, FromThread, ThreadOptions, ToThread } from './watch-messages.ts'

interface JudgeOptions extends ThreadOptions {
  /** Receives the first finding of each clause. */
  onFinding(finding: Extract<FromThread, { finding: unknown }>['finding']): void
  /** Receives why something could not be written, as a sentence. */
  onUnwritten(sentence: string): void
}

/** Judges and records in a thread of its own, so that what passes does not wait for it. */
export interface JudgeThread {
  take(passed: Passed): void
  /** Judges what is complete. @param earliest when the earliest request under way arrived */
  tick(earliest: number | undefined): void
  /** Resolves when fewer exchanges wait to be judged; `undefined` if there are few. */
  room(): Promise<void> | undefined
  /** Judges everything. @returns the record, without secrets */
  end(halted?: string): Promise<Ended>
  /** Rejects if the thread ends by a fault of the kit. */
  broken: Promise<never>
}

const marker = 'judge of watched traffic'

/** The most exchanges that wait to be judged before clients do. */
const MOST_WAITING = 5_000
/** The most bytes of bodies that wait; of further exchanges, the bodies are not judged. */
const MOST_BYTES = 128 * 2 ** 20

/** What is parsed of an answer stays until its turn of the thread ends: each that is larger has one of its own. In bytes. */
const LARGE = 2 ** 16

/** The most exchanges that are taken before those before them are written. */
const MOST_UNWRITTEN = 1_000

/** Starts the thread, and waits until it can judge. */
export async function startJudge({ onFinding, onUnwritten, ...options }: JudgeOptions): Promise<JudgeThread> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: marker, options },
    resourceLimits: THREAD_LIMITS,
  })
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<Ended>()
  const broken = Promise.withResolvers<never>()
  // It may break when nobody waits for it yet.
  broken.promise.catch(() => {})
  const sizes: number[] = []
  let bytes = 0
  let batch: Passed[] = []
  let release: { promise: Promise<void>; resolve(): void } | undefined
  worker.on('error', error => {
    for (const one of [ready, ended, broken]) one.reject(error)
  })
  worker.on('message', (told: FromThread) => {
    if ('ready' in told) ready.resolve()
    else if ('finding' in told) onFinding(told.finding)
    else if ('unwritten' in told) onUnwritten(told.unwritten)
    else if ('record' in told) ended.resolve(told)
    else {
      for (const size of sizes.splice(0, told.done)) bytes -= size
      if (sizes.length < MOST_WAITING / 2) {
        release?.resolve()
        release = undefined
      }
    }
  })
  const tell = (message: ToThread) => worker.postMessage(message)
  const flush = () => {
    if (batch.length === 0) return
    const passed = batch
    batch = []
    tell({ passed })
  }
  ended.promise.catch(() => {})
  await ready.promise
  return {
    broken: broken.promise,
    take(passed) {
      const size = sizeOf(passed)
      const isTooMuch = bytes + size > MOST_BYTES
      sizes.push(isTooMuch ? 0 : size)
      bytes += isTooMuch ? 0 : size
      if (batch.push(isTooMuch ? withoutBodies(passed) : passed) === 1) setImmediate(flush)
    },
    tick(earliest) {
      flush()
      tell({ tick: earliest })
    },
    room() {
      if (sizes.length < MOST_WAITING) return release?.promise
      release ??= Promise.withResolvers<void>()
      return release.promise
    },
    async end(halted) {
      flush()
      tell({ end: true, ...(halted !== undefined && { halted }) })
      const done = await ended.promise
      await worker.terminate()
      return done
    },
  }
}

const sizeOf = ({ body, response }: Passed): number => (body?.length ?? 0) + (response?.body?.length ?? 0)

const withoutBodies = (passed: Passed): Passed => ({
  ...passed,
  body: passed.body === null ? null : undefined,
  ...(passed.response && { response: { ...passed.response, body: undefined } }),
})

/** The judge in its thread. Its modules are loaded there only. */
async function run(options: ThreadOptions, port: MessagePort): Promise<void> {
  const { judgeIn } = await import('./watch-judge.ts')
  const tell = (message: FromThread) => port.postMessage(message)
  const judge = judgeIn(options, tell)
  let sinceFlush = 0
  const work = async (told: ToThread): Promise<void> => {
    if ('passed' in told) {
      for (const one of told.passed) {
        judge.take(one)
        if (sizeOf(one) > LARGE) await turn()
      }
      sinceFlush += told.passed.length
      // On a slow disk, what is recorded would pile up.
      if (sinceFlush >= MOST_UNWRITTEN) {
        sinceFlush = 0
        await judge.flush()
      }
      tell({ done: told.passed.length })
    } else if ('tick' in told) await judge.tick(told.tick)
    else await judge.end(told.halted)
  }
  let working = Promise.resolve()
  port.on('message', (told: ToThread) => {
    working = working.then(() => work(told))
    // A fault of the kit ends the thread, and is told to whoever started it.
    working.catch(error =>
      setImmediate(() => {
        throw error
      }),
    )
  })
  tell({ ready: true })
}

if (!isMainThread && parentPort !== null && workerData?.role === marker)
  await run(workerData.options, parentPort)
