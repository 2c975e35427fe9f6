import http, { type BatchRequests, type Params } from 'k6/http'
import type { Buyer } from '../../../fixtures/client/sales.ts'
import { ENDPOINTS } from '../../../fixtures/service/endpoints.ts'
import { log, type Received, type Sent, textOf } from './answer-log.ts'
import type { Call } from './call.ts'
import { callOf } from './client.ts'
import { type Iteration, noteAnswer } from './iteration.ts'
import type { Operation } from './output.ts'
import { TIMEOUTS } from './timeouts.ts'

/** The answer of the attacked deployment. */
export interface Answer {
  /** 0 without an answer. */
  status: number
  succeeded: boolean
  /** Decoded; `null` for none, or for bytes. */
  text: string | null
  /** `undefined` where the body is no JSON. */
  json(): unknown
  /** The same of a success; `undefined` for any other answer. */
  success(): unknown
  /** One value of it, by a path of names (`booking.booking_id`): k6 finds it without reading the rest, which is dear. */
  at(path: string): unknown
  /** The value at such a path, read by itself. */
  part(path: string): unknown
  /** The reason why there was no answer. */
  error?: string
}

/** The scenario that asks for times gives them some room, so that what is too late is still seen. */
const MARGIN = 1.25

/** Sends a call of an iteration. Never throws: what came instead of an answer is in it. */
export function send(iteration: Iteration, call: Call): Answer {
  const sent = prepared(call)
  const at = Date.now()
  const response = http.request(
    call.method,
    iteration.plan.baseUrl + call.path,
    sent.body,
    paramsOf(iteration, sent),
  )
  return answerTo(iteration, sent, at, response)
}

/** Sends what the kit's client would send. */
export const ask = (iteration: Iteration, what: (by: Buyer) => unknown): Answer =>
  send(iteration, callOf(iteration.plan.client, what))

/** Sends so many identical calls at the same time. */
export function sendTogether(iteration: Iteration, call: Call, copies: number): Answer[] {
  const sent = prepared(call)
  const one = {
    method: call.method,
    url: iteration.plan.baseUrl + call.path,
    body: sent.body,
    params: paramsOf(iteration, sent),
  }
  const requests = Array.from({ length: copies }, () => ({
    ...one,
    params: { ...one.params, jar: new http.CookieJar() },
  }))
  const at = Date.now()
  const responses = http.batch(requests as unknown as BatchRequests) as unknown as Received[]
  return responses.map(response => answerTo(iteration, sent, at, response))
}

/** Statuses that a market, or the state of a booking, may answer a request with that is right. */
const REFUSALS = { v1: [400, 409, 410, 502], v2: [409] }

const fineBeside = (statuses: readonly number[]) => http.expectedStatuses({ min: 200, max: 299 }, ...statuses)

/** What every request of an operation has alike: made once, as k6 pays dearly for all that is made with each. */
interface Manner {
  /** Without a body, and with one. */
  bare: Record<string, string>
  full: Record<string, string>
  responseType: 'binary' | 'text'
  responseCallback: ReturnType<typeof fineBeside>
  /** It makes or ends a booking: what it answers is told to the journal of bookings. */
  ofBooking: boolean
}

function mannerOf(version: 'v1' | 'v2', does: (typeof ENDPOINTS)[number]['does']): Manner {
  const accepted = does === 'prints' ? 'application/pdf, application/json' : 'application/json'
  const bare = { Accept: accepted, 'Accept-Encoding': 'gzip' }
  return {
    bare,
    full: { ...bare, 'Content-Type': 'application/json' },
    responseType: does === 'prints' ? 'binary' : 'text',
    responseCallback: fineBeside(does === 'lists' || does === 'reads' ? [] : REFUSALS[version]),
    ofBooking: does === 'books' || does === 'cancels',
  }
}

const MANNERS = {
  'v1 probe': mannerOf('v1', 'reads'),
  'v2 probe': mannerOf('v2', 'reads'),
  ...Object.fromEntries(ENDPOINTS.map(({ id, version, does }) => [id, mannerOf(version, does)])),
} as Readonly<Record<Operation, Manner>>

/** A call as it leaves: the same text whenever it is sent. */
export function prepared(call: Call): Sent {
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  const { bare, full } = MANNERS[call.op]
  const usual = body === null ? bare : full
  return { call, headers: call.headers === undefined ? usual : { ...usual, ...call.headers }, body }
}

/** Returns whether an answer is written down: of a journey that was not drawn, what failed, and what journals need. */
const isWritten = ({ judged, plan }: Iteration, op: Operation, status: number): boolean =>
  judged ||
  status === 0 ||
  status === 429 ||
  status >= 500 ||
  (plan.gate !== undefined && MANNERS[op].ofBooking)

function paramsOf({ plan, token }: Iteration, { call, headers }: Sent): Params {
  const { op, expects } = call
  const { responseType, responseCallback } = MANNERS[op]
  const { scale = 1 } = plan.settings
  return {
    headers: { ...headers, Authorization: `Bearer ${token}` },
    tags: { op },
    timeout: TIMEOUTS[op] * (plan.scenario === 'timeouts' ? scale * MARGIN : 1),
    jar,
    responseType,
    responseCallback: expects === undefined ? responseCallback : fineBeside(expects),
  }
}

/** Partners keep no cookies, and a client of k6 speaks for several of them: whatever is sent, it is empty. */
let jar = new http.CookieJar()

function answerTo(iteration: Iteration, sent: Sent, at: number, response: Received): Answer {
  if (response.headers['Set-Cookie'] !== undefined) jar = new http.CookieJar()
  noteAnswer(iteration, sent.call.op)
  const { status } = response
  if (isWritten(iteration, sent.call.op, status)) log(iteration, sent, at, response)
  return new Answered(response, status)
}

/** Many are made, and few are asked everything: members of a class cost nothing until they are called. */
class Answered implements Answer {
  readonly status: number
  readonly succeeded: boolean
  readonly error?: string
  readonly #response: Received

  constructor(response: Received, status: number) {
    this.#response = response
    this.status = status
    this.succeeded = status >= 200 && status < 300
    if (status === 0) this.error = `${response.error_code} ${response.error}`
  }

  get text(): string | null {
    return textOf(this.#response)
  }

  json(): unknown {
    try {
      return JSON.parse(this.text ?? '')
    } catch {
      return undefined
    }
  }

  success(): unknown {
    return this.succeeded ? this.json() : undefined
  }

  at(path: string): unknown {
    try {
      return this.#response.json(path)
    } catch {
      return undefined
    }
  }

  part(path: string): unknown {
    const text = this.at(`${path}|@tostr`)
    return typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined
  }
}
