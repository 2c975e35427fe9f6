import { bookingOf } from '../../fixtures/contracts/reading.ts'
import type { LoadExchange, StageEvidence } from '../read/evidence.ts'
import { broken, type Decision, kept } from './decision.ts'

const CLAUSE = 'V2-BOOK-READ-SAME'

/** A booking that was made, and an answer to somebody who read it afterwards. */
interface Read {
  created: LoadExchange
  answer: LoadExchange
  id: unknown
}

/**
 * Whether what was booked is read as it was made, and not as somebody else's. Loads, sources and limits may refuse a
 * read, but never say that a booking is not there.
 *
 * @returns `undefined` where nothing was read
 */
export function remembered(stages: Iterable<StageEvidence>): Decision | undefined {
  const reads = [...stages].flatMap(stage => readsOf(stage.exchanges))
  if (reads.length === 0) return undefined
  const wrong = reads.flatMap(read => {
    const fault = faultOf(read)
    return fault === undefined ? [] : [{ ...read, fault }]
  })
  const [first] = wrong
  if (first === undefined) return kept(CLAUSE)
  return broken(CLAUSE, {
    tried: `Reading ${reads.length} bookings right after they were made`,
    expected: 'each as its creation showed it',
    observed: `${first.fault}${wrong.length === 1 ? '' : `; ${wrong.length} of them are wrong`}`,
    exchanges: [first.created, first.answer],
  })
}

function readsOf(exchanges: readonly LoadExchange[]): Read[] {
  const made = new Map<string, { created: LoadExchange; id: unknown }>()
  for (const exchange of exchanges) {
    const { booking_id: id, status } = bookingOf(exchange) ?? {}
    if (exchange.op !== 'v2 book' || exchange.response.status !== 201) continue
    if (status === 'confirmed') made.set(nameOf(exchange, id), { created: exchange, id })
  }
  return exchanges.flatMap(answer => {
    const { status, json } = answer.response
    if (answer.op !== 'v2 booking' || json === undefined || (status !== 200 && status !== 404)) return []
    const asked = decodeURIComponent(answer.request.path.split(/[/?]/)[4] ?? '')
    const creation = made.get(nameOf(answer, asked))
    return creation === undefined ? [] : [{ ...creation, answer }]
  })
}

/** Ids of different companies have nothing to do with each other. */
const nameOf = ({ sender }: LoadExchange, id: unknown): string =>
  JSON.stringify([sender.role, sender.tenant, String(id)])

function faultOf({ created, answer, id }: Read): string | undefined {
  if (answer.response.status === 404) return `404 for booking ${id}`
  const [was, is] = [bookingOf(created), bookingOf(answer)]
  if (is?.booking_id === undefined) return undefined
  if (String(is.booking_id) !== String(id)) return `booking ${is.booking_id} for booking ${id}`
  if (is.status !== 'confirmed') return undefined
  const field = ['currency', 'total'].find(name => is[name] !== was?.[name])
  return field === undefined
    ? undefined
    : `${field} ${JSON.stringify(is[field])} of booking ${id} that was made with ${JSON.stringify(was?.[field])}`
}
