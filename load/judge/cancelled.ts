import { bookingOf } from '../../fixtures/contracts/reading.ts'
import type { LoadExchange, StageEvidence } from '../read/evidence.ts'
import { broken, type Decision, kept } from './decision.ts'

const CLAUSE = 'V2-CANCEL-READ'

/** A cancellation that was done, and an answer to whoever read the booking afterwards. */
interface Read {
  cancelled: LoadExchange
  answer: LoadExchange
}

/**
 * Whether what was cancelled is read as cancelled.
 *
 * @returns `undefined` where nothing was read after its cancellation
 */
export function cancelled(stages: Iterable<StageEvidence>): Decision | undefined {
  const reads = [...stages].flatMap(stage => readsOf(stage.exchanges))
  if (reads.length === 0) return undefined
  const wrong = reads.filter(({ answer }) => bookingOf(answer)?.status !== 'cancelled')
  const [first] = wrong
  if (first === undefined) return kept(CLAUSE)
  return broken(CLAUSE, {
    tried: `Reading ${reads.length} bookings right after they were cancelled`,
    expected: 'each to be cancelled',
    observed: `${JSON.stringify(bookingOf(first.answer)?.status)}${wrong.length === 1 ? '' : `; ${wrong.length} of them are wrong`}`,
    exchanges: [first.cancelled, first.answer],
  })
}

function readsOf(exchanges: readonly LoadExchange[]): Read[] {
  const done = new Map<string, LoadExchange>()
  for (const exchange of exchanges) if (isDone(exchange)) done.set(nameOf(exchange), exchange)
  return exchanges.flatMap(answer => {
    const before = answer.op === 'v2 booking' ? done.get(nameOf(answer)) : undefined
    const readable = answer.response.status === 200 && bookingOf(answer)?.status !== undefined
    if (before === undefined || !readable) return []
    const endedAt = Date.parse(before.startedAt) + before.milliseconds
    return Date.parse(answer.startedAt) >= endedAt ? [{ cancelled: before, answer }] : []
  })
}

/** An answer that says that all is cancelled; one that names another state says so itself. */
function isDone(exchange: LoadExchange): boolean {
  const { op, response } = exchange
  return op === 'v2 cancel' && response.status === 200 && bookingOf(exchange)?.status === 'cancelled'
}

/** Ids of different companies have nothing to do with each other. */
const nameOf = ({ sender, request }: LoadExchange): string =>
  JSON.stringify([sender.role, sender.tenant, decodeURIComponent(request.path.split(/[/?]/)[4] ?? '')])
