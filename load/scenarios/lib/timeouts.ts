import { TIMEOUT } from '../../../fixtures/client/timeouts.ts'
import type { Operation } from './output.ts'

/** Milliseconds that each call is waited for: at least what the document asks of clients (part 8). */
export const TIMEOUTS: Record<Operation, number> = {
  'v1 probe': TIMEOUT.read,
  'v2 probe': TIMEOUT.read,
  'v1 destinations': TIMEOUT.read,
  'v2 transfer catalog': TIMEOUT.read,
  'v2 transfer availability': TIMEOUT.v2Availability,
  'v2 ticket catalog': TIMEOUT.read,
  'v2 ticket brands': TIMEOUT.read,
  'v2 ticket availability': TIMEOUT.v2Availability,
  'v2 hotel destinations': TIMEOUT.read,
  'v2 hotel search': TIMEOUT.v2HotelSearchStart,
  'v2 hotel poll': TIMEOUT.v2HotelSearchPoll,
  'v2 offer check': TIMEOUT.v2OfferCheck,
  'v2 book': TIMEOUT.v2Book,
  'v2 booking': TIMEOUT.read,
  'v2 cancel': TIMEOUT.v2Cancel,
  'v2 voucher': TIMEOUT.v2Voucher,
}

/** The longest of them. */
export const LONGEST = Math.max(...Object.values(TIMEOUTS))
