import { b64decode, b64encode } from 'k6/encoding'
import type { RefinedResponse, ResponseType } from 'k6/http'
import type { Call } from './client.ts'
import type { Iteration } from './iteration.ts'
import { ANSWER_MARK, BODY_MARK, type LoggedAnswer } from './output.ts'

declare const console: { log(line: string): void }

/** A request as sent, without the credential. */
export interface Sent {
  call: Call
  headers: Record<string, string>
  body: string | null
}

export type Received = RefinedResponse<ResponseType>

/** Logs a request and its answer to the console. */
export function log(iteration: Iteration, sent: Sent, at: number, response: Received): void {
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
    request: { method: call.method, path: call.path, headers: sent.headers, body: sent.body },
    ...(answered
      ? {
          response: {
            status,
            headers,
            ...(follows ? {} : { body: text ?? base64 ?? null }),
            ...(base64 !== undefined && { binary: true as const }),
          },
        }
      : { error: { code: error_code, message: error } }),
  }
  console.log(ANSWER_MARK + JSON.stringify(line) + (follows ? BODY_MARK + text : ''))
}

/** Returns the body of an answer as text; `null` if it is empty or binary. */
export const textOf = (response: Received): string | null => bodyOf(response).text

/** Returns the body of an answer. If bytes were requested, refusals are bytes too. */
function bodyOf({ body, headers }: Received): { text: string | null; base64?: string } {
  if (body === null || typeof body === 'string') return { text: body === '' ? null : body }
  if (body.byteLength === 0) return { text: null }
  const base64 = b64encode(body)
  const isText = /^\s*(text\/|application\/json)/i.test(headers['Content-Type'] ?? '')
  return isText ? { text: b64decode(base64, 'std', 's') } : { text: null, base64 }
}
