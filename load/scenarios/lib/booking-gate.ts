import { sleep } from 'k6'
import exec from 'k6/execution'
import http, { type RefinedResponse } from 'k6/http'
import type { Call } from './call.ts'
import type { Bookable } from './finding.ts'
import type { Iteration } from './iteration.ts'
import { type Answer, prepared } from './send.ts'

/**
 * The booking gate's id of a booking; absent where nothing has to be journalled. `alone`: it may be sent only
 * once, as test mode is still to be proven.
 */
export type Intent = { id: string; alone: boolean } | undefined

/**
 * Has a booking journalled before it leaves. Where the booking gate refuses, the whole run ends: nothing may be booked
 * then.
 *
 * @throws whatever k6 ends an iteration with
 */
export function intend({ plan, who }: Iteration, { product, kind }: Bookable, call: Call): Intent {
  if (plan.gate === undefined) return undefined
  const { headers, body } = prepared(call)
  const answer = tell(plan.gate, '/intend', { who, product, kind, path: call.path, headers, body })
  const { id, alone, stop } = contentOf(answer)
  if (answer.status === 200 && typeof id === 'string') return { id, alone: alone === true }
  exec.test.abort(
    typeof stop === 'string'
      ? stop
      : `A booking was not sent, because it could not be journalled: the gate answered ${answer.status}.`,
  )
}

/**
 * Tells the booking gate what came of a booking. Where it says that the same is to be sent again, to prove test mode, that
 * is done. Returns the last answer.
 */
export function settle(
  { plan }: Pick<Iteration, 'plan'>,
  intent: Intent,
  answer: Answer,
  again: () => Answer,
): Answer {
  if (plan.gate === undefined || intent === undefined) return answer
  const { status, text, error } = answer
  const told = tell(plan.gate, '/settle', {
    id: intent.id,
    ...(error === undefined ? { status, body: text ?? '' } : { error }),
  })
  const { id, after } = told.status === 200 ? contentOf(told) : {}
  if (typeof id !== 'string' || typeof after !== 'number') return answer
  sleep(after / 1000)
  return settle({ plan }, { id, alone: true }, again(), again)
}

/** Whoever books while test mode is still to be proven waits for the first booking, and its repeats: milliseconds. */
const LONGEST_TURN = 900_000

function tell(gate: string, path: string, message: object): RefinedResponse<'text'> {
  return http.post(gate + path, JSON.stringify(message), {
    headers: { 'Content-Type': 'application/json' },
    responseType: 'text',
    timeout: LONGEST_TURN,
    // Not a request to the deployment: it is kept out of every figure by this.
    tags: { op: 'gate' },
  })
}

function contentOf({
  body,
}: RefinedResponse<'text'>): Partial<Record<'id' | 'alone' | 'stop' | 'after', unknown>> {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
