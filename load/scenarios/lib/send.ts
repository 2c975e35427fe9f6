import http, { type BatchRequests, type Params } from 'k6/http'
import type { Buyer } from '../../../fixtures/client/sales.ts'
import { ENDPOINTS } from '../../../fixtures/service/endpoints.ts'
import { log, type Received, type Sent, textIn } from './answer-log.ts'
import type { Call } from './call.ts'
import { callOf } from './client.ts'
import { type Iteration, noteAnswer } from './iteration.ts'
import type { RequestTags } from './output.ts'
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
    params: { ...one.params, jar: noCookies() },
  }))
  const at = Date.now()
  const responses = http.batch(requests as unknown as BatchRequests) as unknown as Received[]
  return responses.map(response => answerTo(iteration, sent, at, response))
}

/** A call as it leaves: the same text whenever it is sent. */
export function prepared(call: Call): Sent {
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  const headers = {
    Accept: call.binary ? 'application/pdf, application/json' : 'application/json',
    'Accept-Encoding': 'gzip',
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    ...call.headers,
  }
  return { call, headers, body }
}

/** Calls that make or end bookings: what they answer is told to the journal of bookings. */
const OF_BOOKINGS = new Set<string>(
  ENDPOINTS.filter(({ does }) => does === 'books' || does === 'cancels').map(({ id }) => id),
)

/** Returns whether an answer is written down: of a journey that was not drawn, what failed, and what journals need. */
const isWritten = ({ judged, plan }: Iteration, op: string, status: number): boolean =>
  judged ||
  status === 0 ||
  status === 429 ||
  status >= 500 ||
  (plan.gate !== undefined && OF_BOOKINGS.has(op))

function paramsOf({ plan, who, token, judged }: Iteration, { call, headers }: Sent): Params {
  const { op, expects = NONE, binary } = call
  const tags: RequestTags = { op, api: op.startsWith('v1') ? 'v1' : 'v2', who }
  if (!judged) tags.light = 'yes'
  const { scale = 1 } = plan.settings
  return {
    headers: { ...headers, Authorization: `Bearer ${token}` },
    tags: tags as Params['tags'] & RequestTags,
    timeout: TIMEOUTS[op] * (plan.scenario === 'timeouts' ? scale * MARGIN : 1),
    redirects: 0,
    jar: noCookies(),
    responseType: binary ? 'binary' : 'text',
    responseCallback: callbackFor(expects),
  }
}

/** Partners keep no cookies, and a client of k6 speaks for several of them. */
const noCookies = () => new http.CookieJar()

const NONE: readonly number[] = []
type Callback = NonNullable<Params['responseCallback']>
const callbacks = new Map<string, Callback>()

function callbackFor(expects: readonly number[]): Callback {
  const statuses = expects.join()
  let callback = callbacks.get(statuses)
  if (callback === undefined) {
    callback = http.expectedStatuses({ min: 200, max: 299 }, ...expects)
    callbacks.set(statuses, callback)
  }
  return callback
}

function answerTo(iteration: Iteration, sent: Sent, at: number, response: Received): Answer {
  noteAnswer(iteration, sent.call.op)
  const written = isWritten(iteration, sent.call.op, response.status)
  return new Answered(response, written ? log(iteration, sent, at, response) : textIn(response))
}

/** Many are made, and few are asked everything: members of a class cost nothing until they are called. */
class Answered implements Answer {
  readonly status: number
  readonly succeeded: boolean
  readonly text: string | null
  readonly error?: string
  readonly #response: Received

  constructor(response: Received, text: string | null) {
    const { status } = response
    this.#response = response
    this.status = status
    this.succeeded = status >= 200 && status < 300
    this.text = text
    if (status === 0) this.error = `${response.error_code} ${response.error}`
  }

  json(): unknown {
    if (this.text === null) return undefined
    try {
      return JSON.parse(this.text)
    } catch {
      return undefined
    }
  }

  success(): unknown {
    return this.succeeded ? this.json() : undefined
  }

  at(path: string): unknown {
    if (this.text === null) return undefined
    try {
      return this.#response.json(path)
    } catch {
      return undefined
    }
  }
}
