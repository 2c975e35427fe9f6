import { createReadStream } from 'node:fs'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { versionOf } from '../../fixtures/client/call.ts'
import { readText } from '../../fixtures/client/transport/index.ts'
import type { Counters } from '../../fixtures/ground/control.ts'
import type { Exchange, ReceivedResponse } from '../../fixtures/ground/exchange.ts'
import { ANSWER_MARK, type LoggedAnswer, type Operation } from '../../fixtures/ground/logged.ts'
import { headersOf, isEndpoint, loggedBytes, loggedIn } from '../../fixtures/ground/read-logged.ts'
import type { Plan } from '../plan/plan.ts'
import type { Vitals } from '../run/run-stages.ts'
import { type Copy, copyOf } from './copies.ts'

const MB = 2 ** 20
const LINE_FEED = 10

/** Answers have at most 8 MB, which are longer as JSON or base64. */
const LONGEST_LINE = 32 * MB

/**
 * Calls back with every line of a file as bytes without the line feed, and its number from 1. The bytes are valid only
 * until the callback returns. Only a line feed ends a line; the rest after the last one is left out, since a k6 that was
 * stopped may have cut it off.
 *
 * @throws Error if the file cannot be read, or has a line that is too long
 */
export async function readLines(path: string, onLine: (line: Buffer, number: number) => void): Promise<void> {
  let lines = 0
  let pending: Buffer[] = []
  let length = 0
  const add = (part: Buffer): void => {
    length += part.length
    if (length > LONGEST_LINE)
      throw new Error(`Line ${lines + 1} of ${path} is longer than ${LONGEST_LINE / MB} MB.`)
    pending.push(part)
  }
  for await (const chunk of createReadStream(path, { highWaterMark: MB }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, to))
      const line = pending.length === 1 ? pending[0]! : Buffer.concat(pending)
      pending = []
      length = 0
      lines++
      onLine(line, lines)
      from = to + 1
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
}

/** One request of a stage, in short. */
export interface RequestRow {
  /** The id of its exchange. */
  id: string
  op: Operation
  /** The alias of the sender. */
  who: string
  /** The k6 scenario within the stage. */
  part: string
  /** The time of sending, in epoch milliseconds. */
  at: number
  /** Milliseconds from the first byte sent to the last byte received, or until there was no answer. */
  took: number
  /** 0 if there was no answer. */
  status: number
  /** k6's error code, or 0; 1050 is a timeout. */
  errorCode: number
  /** Of a booking request with a key or reference: what it says of it. */
  copy?: Copy
}

/** A value of a custom metric. */
export interface Measure {
  at: number
  value: number
  tags: Readonly<Record<string, string>>
}

/** The number of finished iterations, and of those that an open model could not start in time. */
export interface Iterations {
  completed: number
  dropped: number
}

/** Adds the iterations of stages or processes. */
export const sumOf = (all: readonly { iterations: Iterations }[]): Iterations => ({
  completed: all.reduce((sum, { iterations }) => sum + iterations.completed, 0),
  dropped: all.reduce((sum, { iterations }) => sum + iterations.dropped, 0),
})

/** A request that was logged in full. */
export interface LoadExchange extends Exchange, Pick<RequestRow, 'op' | 'part' | 'who'> {}

/** A request that was logged in full and had no answer. */
export interface LoadFailure extends Omit<LoadExchange, 'response'> {
  error: { code: number; message: string }
}

/** Returns a request in short. */
export function rowOf(sent: LoadExchange | LoadFailure): RequestRow {
  const { id, op, who, part, startedAt, milliseconds } = sent
  const copy = copyOf(sent)
  const outcome =
    'response' in sent
      ? { status: sent.response.status, errorCode: 0 }
      : { status: 0, errorCode: sent.error.code }
  const at = Date.parse(startedAt)
  return { id, op, who, part, at, took: milliseconds, ...outcome, ...(copy && { copy }) }
}

/** The data of one stage of a scenario. */
export interface StageEvidence {
  plan: Plan
  /** In epoch milliseconds. */
  startedAt: number
  finishedAt: number
  /** All requests in the order of sending. */
  requests: readonly RequestRow[]
  /** Custom metrics by name, including `DROPPED`. */
  measures: ReadonlyMap<string, readonly Measure[]>
  iterations: Iterations
  /** The intended iterations per second of an open model; absent for others, and if the rate changes. */
  intendedRate?: number
  /** By alias: the deployment's own counters during the stage. */
  counted?: ReadonlyMap<string, Counters>
  vitals: readonly Vitals[]
}

/** What load knows of a clause beside its answers, each of which is judged by itself and with those before it. */
export interface Claim {
  clause: ClauseId
  /** Absent if it was kept. `exchanges`: their ids in the order of sending. The last one shows the fault. */
  found?: { message: string; expected: string; observed: string; exchanges: string[] }
}

/** What the answer log itself does not contain. */
interface LogContext extends Pick<Plan, 'baseUrl' | 'senders'> {
  /** The check that its exchanges belong to. */
  check: string
  /** Returns an id for an exchange or failure that is unique in the run. */
  nextId: () => string
}

/** k6's error code for a timeout. */
export const TIMED_OUT = 1050

/** Returns how many requests each sender has in an answer log, by its alias and the version. */
export async function countsIn(
  path: string,
  circumstances: LogContext,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  await readAnswerLog(path, { ...circumstances, nextId: () => '' }, ({ who, op }) => {
    const name = `${who} ${op.slice(0, 2)}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  return counts
}

const MARK = Buffer.from(ANSWER_MARK)

/**
 * Reads what scenarios wrote to k6's console (`--console-output path --log-format raw`), in order. k6 joins header
 * values of one name, decompresses bodies and replaces invalid UTF-8, so `rawBody` equals `body` and only bytes
 * marked as binary can be invalid. `Content-Encoding` and `Content-Length` are those of the wire. `Authorization`
 * is not included.
 *
 * @throws Error if the file cannot be read, or an answer in it is not to a sender of the plan
 */
export async function readAnswerLog(
  path: string,
  circumstances: LogContext,
  onAnswer: (answer: LoadExchange | LoadFailure) => void,
): Promise<void> {
  const answerOf = createAnswering(circumstances)
  await readLines(path, (bytes, number) => {
    if (!isAnswer(bytes)) return
    const logged = loggedIn(bytes.toString())
    const answer = logged === undefined ? undefined : answerOf(logged)
    if (answer === undefined)
      throw new Error(`Line ${number} of ${path} is not an answer to a sender of its plan.`)
    onAnswer(answer)
  })
}

const isAnswer = (bytes: Buffer): boolean => bytes.subarray(0, MARK.length).equals(MARK)

type Answering = (logged: Partial<LoggedAnswer>) => LoadExchange | LoadFailure | undefined

function createAnswering({ baseUrl, senders, check, nextId }: LogContext): Answering {
  const base = baseUrl.replace(/\/$/, '')
  const known = new Map(
    senders.map(({ alias, role, tenant }) => [alias, { role, ...(tenant !== undefined && { tenant }) }]),
  )

  return ({ op, who, part = '', at, took, heardAt, request, response, error }) => {
    const sender = known.get(who ?? '')
    if (op === undefined || who === undefined || sender === undefined) return undefined
    if (at === undefined || took === undefined || request === undefined) return undefined
    const { method, url, headers, body } = request
    const path = url.slice(base.length)
    if (response === undefined && error === undefined) return undefined
    const sent = {
      id: nextId(),
      check,
      sender,
      version: versionOf(path),
      // A deployment may have it at another path.
      ...(isEndpoint(op) && { endpoint: op }),
      request: {
        method,
        url,
        path,
        headers: headersOf(headers),
        body: body === null ? null : Buffer.from(body),
      },
      startedAt: new Date(at).toISOString(),
      milliseconds: took,
      ...(heardAt !== undefined && { heardAt }),
      op,
      part,
      who,
    }
    return response === undefined ? { ...sent, error: error! } : { ...sent, response: receivedFrom(response) }
  }
}

function receivedFrom(response: NonNullable<LoggedAnswer['response']>): ReceivedResponse {
  const { status, headers } = response
  const list = headersOf(headers)
  const bytes = loggedBytes(response)
  return { status, headers: list, rawBody: bytes, ...readText(bytes, list) }
}
