import exec from 'k6/execution'
import http, { type RefinedResponse } from 'k6/http'
import type { Product } from '../../../fixtures/deployments/control.ts'
import { type Answer, type Call, prepared } from './call.ts'
import type { Turn } from './iteration.ts'

/** What the desk knows a booking by; absent where nothing has to be journalled. */
export type Slip = { id: string } | undefined

/**
 * Has a booking journalled before it leaves. Where the desk refuses, the whole run ends: nothing may be booked then.
 *
 * @throws whatever k6 ends an iteration with
 */
export function intend({ plan, who }: Turn, product: Product, call: Call): Slip {
  if (plan.desk === undefined) return undefined
  const { headers, body } = prepared(call)
  const answer = tell(plan.desk, '/intend', { who, product, path: call.path, headers, body })
  const { id, stop } = contentOf(answer)
  if (answer.status === 200 && typeof id === 'string') return { id }
  exec.test.abort(
    typeof stop === 'string'
      ? stop
      : `A booking was not sent, because it could not be journalled: the desk answered ${answer.status}.`,
  )
}

/** Tells the desk what came of a booking. */
export function settle({ plan }: Turn, slip: Slip, { status, text, error }: Answer): void {
  if (plan.desk === undefined || slip === undefined) return
  tell(plan.desk, '/settle', { ...slip, ...(error === undefined ? { status, body: text ?? '' } : { error }) })
}

function tell(desk: string, path: string, message: object): RefinedResponse<'text'> {
  return http.post(desk + path, JSON.stringify(message), {
    headers: { 'Content-Type': 'application/json' },
    responseType: 'text',
    // Not a request to the deployment: it is kept out of every figure by this.
    tags: { op: 'desk' },
  })
}

function contentOf({ body }: RefinedResponse<'text'>): { id?: unknown; stop?: unknown } {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
