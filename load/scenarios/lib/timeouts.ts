import { ENDPOINTS, READ_TIMEOUT, timeoutOf } from '../../../fixtures/service/endpoints.ts'
import type { Operation } from './output.ts'

/** Milliseconds that each call is waited for: at least what the document asks of clients (part 8). */
export const TIMEOUTS: Readonly<Record<Operation, number>> = {
  'v1 probe': READ_TIMEOUT,
  'v2 probe': READ_TIMEOUT,
  ...(Object.fromEntries(ENDPOINTS.map(({ id }) => [id, timeoutOf(id)])) as Record<
    (typeof ENDPOINTS)[number]['id'],
    number
  >),
}

/** The longest of them. */
export const LONGEST = Math.max(...Object.values(TIMEOUTS))
