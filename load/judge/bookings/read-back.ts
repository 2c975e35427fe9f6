import type { ClauseId } from '../../../fixtures/clauses/index.ts'
import { bookingOf, textOf } from '../../../fixtures/contracts/reading.ts'
import { idIn } from '../../../fixtures/service/ids.ts'
import type { LoadExchange, StageEvidence } from '../../read/evidence.ts'
import { answered, broken, type Decision, kept } from '../decision.ts'
import type { Answered } from '../judge.ts'

/** A booking that was made or cancelled, and an answer to somebody who read it afterwards. */
interface Read {
  before: LoadExchange
  answer: LoadExchange
  id: string
}

/** Answers whatever was read back; nothing where nothing was. */
export const readBack = (stages: Iterable<StageEvidence>): Answered[] => {
  const all = [...stages]
  return QUESTIONS.flatMap(question => {
    const decision = decide(all, question)
    return decision === undefined ? [] : [answered(question.title, [decision])]
  })
}

interface Question {
  title: string
  clause: Decision['clause']
  tried: string
  expected: string
  /** Returns whether an exchange did what is read afterwards, by the status of the booking in its answer. */
  isDone(exchange: LoadExchange, status: unknown): boolean
  /** Returns whether an answer to a read says anything of it. */
  shows(answer: LoadExchange, before: LoadExchange): boolean
  /** Returns what is wrong with an answer; `undefined` for nothing. */
  faultOf(read: Read): string | undefined
}

/**
 * Whether what was booked is read as it was made, and not as somebody else's. Loads, sources and limits may refuse a
 * read, but never say that a booking is not there.
 */
const MADE: Question = {
  title: 'what was booked is read as it was made',
  clause: 'V2-BOOK-READ-SAME',
  tried: 'were made',
  expected: 'each as its creation showed it',
  isDone: ({ op, response }, status) => op === 'v2 book' && response.status === 201 && status === 'confirmed',
  shows: ({ response }) => response.status === 404 || response.status === 200,
  faultOf: faultOfMade,
}

const CANCELLED: Question = {
  title: 'what was cancelled is read as cancelled',
  clause: 'V2-CANCEL-READ',
  tried: 'were cancelled',
  expected: 'each to be cancelled',
  // An answer that names another state says so itself.
  isDone: ({ op, response }, status) =>
    op === 'v2 cancel' && response.status === 200 && status === 'cancelled',
  shows: (answer, before) =>
    answer.response.status === 200 &&
    bookingOf(answer)?.status !== undefined &&
    Date.parse(answer.startedAt) >= Date.parse(before.startedAt) + before.milliseconds,
  faultOf: ({ answer }) => {
    const status = bookingOf(answer)?.status
    return status === 'cancelled' ? undefined : JSON.stringify(status)
  },
}

const QUESTIONS = [MADE, CANCELLED] as const

/** The clauses that reading back decides. */
export const READ_BACK_CLAUSES: readonly ClauseId[] = QUESTIONS.map(({ clause }) => clause)

function decide(
  stages: Iterable<StageEvidence>,
  { clause, tried, expected, isDone, shows, faultOf }: Question,
): Decision | undefined {
  const reads = [...stages].flatMap(({ exchanges }): Read[] => {
    const done = new Map<string, LoadExchange>()
    for (const exchange of exchanges) {
      const { status, booking_id: id } = bookingOf(exchange) ?? {}
      if (isDone(exchange, status)) done.set(nameOf(exchange, idInPath(exchange) || textOf(id)), exchange)
    }
    return exchanges.flatMap(answer => {
      if (answer.op !== 'v2 booking' || answer.response.json === undefined) return []
      const id = idInPath(answer)
      const before = done.get(nameOf(answer, id))
      return before !== undefined && shows(answer, before) ? [{ before, answer, id }] : []
    })
  })
  if (reads.length === 0) return undefined
  const wrong = reads.flatMap(read => {
    const fault = faultOf(read)
    return fault === undefined ? [] : [{ ...read, fault }]
  })
  const [first] = wrong
  if (first === undefined) return kept(clause)
  return broken(clause, {
    tried: `Reading ${reads.length} bookings right after they ${tried}`,
    expected,
    observed: `${first.fault}${wrong.length === 1 ? '' : `; ${wrong.length} of them are wrong`}`,
    exchanges: [first.before, first.answer],
  })
}

/** Returns the id of a booking in a path; empty where there is none. */
const idInPath = ({ request }: LoadExchange): string => idIn(request.path.split(/[/?]/)[4] ?? '')

/** Ids of different companies have nothing to do with each other. */
const nameOf = ({ sender }: LoadExchange, id: string): string =>
  JSON.stringify([sender.role, sender.tenant, id])

function faultOfMade({ before, answer, id }: Read): string | undefined {
  if (answer.response.status === 404) return `404 for booking ${id}`
  const [was, is] = [bookingOf(before), bookingOf(answer)]
  if (is?.booking_id === undefined) return undefined
  const shown = textOf(is.booking_id)
  if (shown !== id) return `booking ${shown} for booking ${id}`
  if (is.status !== 'confirmed') return undefined
  const field = ['currency', 'total'].find(name => is[name] !== was?.[name])
  return field === undefined
    ? undefined
    : `${field} ${JSON.stringify(is[field])} of booking ${id} that was made with ${JSON.stringify(was?.[field])}`
}
