import { b64decode, b64encode } from 'k6/encoding'
import exec from 'k6/execution'
import http, { type BatchRequests, type Params, type RefinedResponse, type ResponseType } from 'k6/http'
import type { Buyer } from '../../../fixtures/client/requests/sales.ts'
import { ENDPOINTS } from '../../../fixtures/ground/endpoints.ts'
import { ANSWER_MARK, BODY_MARK, type LoggedAnswer, type Operation } from '../../../fixtures/ground/logged.ts'
import { TIMEOUTS } from './executors.ts'
import { type Briefing, type Call, callOf, type Iteration, noteAnswer } from './iteration.ts'

declare const console: { log(line: string): void }

/** A request as sent, without the credential. */
interface Sent {
  call: Call
  headers: Record<string, string>
  body: string | null
}

type Received = RefinedResponse<ResponseType>

/** Logs a request and its answer to the console. */
function log(iteration: Iteration, sent: Sent, at: number, response: Received): void {
  const { text, base64 } = bodyOf(response)
  const { status, headers, timings, error, error_code } = response
  const { call } = sent
  const answered = status !== 0
  const heardAt = Date.now()
  // Text of one line is written as is, since encoding it as JSON is the slowest part.
  const follows = answered && text !== null && !text.includes('\n')
  const line: LoggedAnswer = {
    op: call.op,
    who: iteration.who,
    part: iteration.part,
    at,
    took: answered ? timings.duration : heardAt - at,
    heardAt,
    request: {
      method: call.method,
      url: iteration.plan.baseUrl + call.path,
      headers: sent.headers,
      body: sent.body,
    },
    ...(answered
      ? {
          response: {
            status,
            headers,
            ...(follows ? { length: text.length } : { body: text ?? base64 ?? null }),
            ...(base64 !== undefined && { binary: true as const }),
          },
        }
      : { error: { code: error_code, message: error } }),
  }
  console.log(ANSWER_MARK + JSON.stringify(line) + (follows ? BODY_MARK + text : ''))
}

/** Returns the body of an answer as text; `null` if it is empty or binary. */
const textOf = (response: Received): string | null => bodyOf(response).text

/** Returns the body of an answer. If bytes were requested, refusals are bytes too. */
function bodyOf({ body, headers }: Received): { text: string | null; base64?: string } {
  if (body === null || typeof body === 'string') return { text: body === '' ? null : body }
  if (body.byteLength === 0) return { text: null }
  const base64 = b64encode(body)
  const isText = /^\s*(text\/|application\/json)/i.test(headers['Content-Type'] ?? '')
  return isText ? { text: b64decode(base64, 'std', 's') } : { text: null, base64 }
}

/** A sender: its alias, and its place in the plan. */
interface Sender {
  plan: Briefing
  who: string
  at: number
}

/** The tokens of this client that change, by sender, with the time until which they are good. */
const held = new Map<string, { token: string; until: number }>()

/** Returns the token of a sender at this moment. If there is none, the whole run ends. @throws k6's abort */
function tokenOf({ plan, who, at }: Sender): string {
  if (plan.renewals?.of.includes(who) !== true) return plan.tokens[at]!
  const known = held.get(who)
  if (known !== undefined && Date.now() < known.until) return known.token
  const answer = http.post(
    `${plan.renewals.url}/token`,
    JSON.stringify({ who, ...(known?.until === 0 ? { refused: known.token } : {}) }),
    {
      headers: { 'Content-Type': 'application/json' },
      responseType: 'text',
      timeout: LONGEST,
      // This tag excludes requests to the gate from all figures.
      tags: { op: 'gate' },
    },
  )
  const told = answer.status === 200 ? JSON.parse(String(answer.body)) : undefined
  if (told === undefined)
    exec.test.abort(`There is no new token for ${who}: the gate answered ${answer.status}.`)
  held.set(who, told)
  return told.token
}

/** Notes that a token was refused, so that the next request asks for another one. */
function noteRefused({ plan, who }: Pick<Sender, 'plan' | 'who'>): void {
  const known = held.get(who)
  if (plan.renewals !== undefined && known !== undefined) known.until = 0
}

/** More milliseconds than a source of tokens may take. */
const LONGEST = 90_000

/** An answer of the deployment. */
export interface Answer {
  /** 0 if there was no answer. */
  status: number
  succeeded: boolean
  /** The decoded text; `null` if it is empty or binary. */
  text: string | null
  /** The parsed body; `undefined` if it is not JSON. */
  json(): unknown
  /** The parsed body of a success; `undefined` for any other answer. */
  success(): unknown
  /** Returns one value by its path (`booking.booking_id`). k6 extracts it without parsing the rest, which is slow. */
  at(path: string): unknown
  /** Returns the parsed value at a path. */
  part(path: string): unknown
  /** Why there was no answer. */
  error?: string
}

/** The timeout of the scenario `timeouts` is longer, so that late answers are still seen. */
const MARGIN = 1.25

/** Sends a call of an iteration. It never throws; the answer has the error. */
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

/** Sends the request of the kit's client. */
export const ask = (iteration: Iteration, what: (by: Buyer) => unknown): Answer =>
  send(iteration, callOf(iteration.plan.client, what))

/** Sends a number of identical calls at the same time. */
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

/** The properties that all requests of an operation share, made once since creating them per request is slow in k6. */
interface Manner {
  /** The headers without and with a body. */
  bare: Record<string, string>
  full: Record<string, string>
  responseType: 'binary' | 'text'
}

function mannerOf(does: (typeof ENDPOINTS)[number]['does']): Manner {
  const accepted = does === 'prints' ? 'application/pdf, application/json' : 'application/json'
  const bare = { Accept: accepted, 'Accept-Encoding': 'gzip' }
  return {
    bare,
    full: { ...bare, 'Content-Type': 'application/json' },
    responseType: does === 'prints' ? 'binary' : 'text',
  }
}

const MANNERS = {
  'v1 probe': mannerOf('reads'),
  'v2 probe': mannerOf('reads'),
  ...Object.fromEntries(ENDPOINTS.map(({ id, does }) => [id, mannerOf(does)])),
} as Readonly<Record<Operation, Manner>>

/** Returns a call as sent: the same text each time. */
export function prepared(call: Call): Sent {
  const body = call.body === undefined ? null : JSON.stringify(call.body)
  const { bare, full } = MANNERS[call.op]
  const usual = body === null ? bare : full
  return { call, headers: call.headers === undefined ? usual : { ...usual, ...call.headers }, body }
}

function paramsOf(iteration: Iteration, { call, headers }: Sent): Params {
  const { plan } = iteration
  const { op } = call
  const { scale = 1 } = plan.settings
  return {
    headers: { ...headers, ...plan.headers, Authorization: `Bearer ${tokenOf(iteration)}` },
    tags: { op },
    timeout: TIMEOUTS[op] * (plan.scenario === 'timeouts' ? scale * MARGIN : 1),
    jar,
    responseType: MANNERS[op].responseType,
  }
}

/** Partners keep no cookies, and one k6 client sends for several of them, so the jar is always empty. */
let jar = new http.CookieJar()

function answerTo(iteration: Iteration, sent: Sent, at: number, response: Received): Answer {
  if (response.headers['Set-Cookie'] !== undefined) jar = new http.CookieJar()
  noteAnswer(iteration, sent.call.op)
  const { status } = response
  if (status === 401) noteRefused(iteration)
  log(iteration, sent, at, response)
  return new Answered(response, status)
}

/** Many answers are created and few of their methods are called. Class members cost nothing until then. */
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
