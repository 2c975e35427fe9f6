import { ENDPOINTS, READ_TIMEOUT, timeoutOf } from '../../../fixtures/ground/endpoints.ts'
import type { Operation } from './output.ts'

/** The timeout of each call in milliseconds: at least the documented client timeout (part 8). */
export const TIMEOUTS: Readonly<Record<Operation, number>> = {
  'v1 probe': READ_TIMEOUT,
  'v2 probe': READ_TIMEOUT,
  ...(Object.fromEntries(ENDPOINTS.map(({ id }) => [id, timeoutOf(id)])) as Record<
    (typeof ENDPOINTS)[number]['id'],
    number
  >),
}

/** The longest timeout. */
export const LONGEST = Math.max(...Object.values(TIMEOUTS))
