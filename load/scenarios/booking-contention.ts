import { sleep } from 'k6'
import { kindsOf } from './lib/bookable.ts'
import { intend, settle } from './lib/booking-gate.ts'
import { bookingCall, bookingIdOf, cancel } from './lib/bookings.ts'
import { type Answer, send, sendTogether } from './lib/call.ts'
import { optionsFor, steadily } from './lib/executors.ts'
import { nextIteration } from './lib/iteration.ts'
import { find } from './lib/journeys.ts'
import { readPlan, setting } from './lib/plan.ts'
import { objectIn } from './lib/reading.ts'

// Does one key ever make two bookings?
const plan = readPlan('booking-contention')
const copies = setting(plan, 'copies')
const pace = steadily(setting(plan, 'rate'), setting(plan, 'keys'), 2)
const [kind] = kindsOf(plan)
if (kind === undefined) throw new Error('The plan has nothing that can be booked: add one of its products.')

/** While the first attempt runs a key is repeated this often, and this long, in milliseconds. */
const [REPEAT_EVERY, REPEAT_FOR] = [200, 5000]

export const options = optionsFor(
  { [plan.scenario]: pace },
  { http_req_failed: ['rate==0'], 'http_reqs{op:v2 book}': ['count>0'] },
  {
    batch: copies,
    batchPerHost: copies,
    // A request with a key that a used connection leaves unanswered is silently sent again.
    noConnectionReuse: true,
  },
)

/** One key: sent several times at once, again while it is busy, and once more when it is done. */
export default function () {
  const iteration = nextIteration(plan, pace)
  const bookable = find(iteration, kind!)
  if (bookable === undefined) return
  const call = bookingCall(iteration, bookable)
  const intent = intend(iteration, bookable.kind, call)
  const answers = sendTogether(iteration, call, intent?.alone ? 1 : copies)
  const until = Date.now() + (intent?.alone ? 0 : REPEAT_FOR)
  while (!answers.some(decides) && Date.now() < until) {
    sleep(REPEAT_EVERY / 1000)
    answers.push(send(iteration, call))
  }
  const first = answers.find(({ succeeded }) => succeeded)
  if (first !== undefined && !intent?.alone) answers.push(send(iteration, call))
  settle(
    iteration,
    intent,
    first ?? answers.find(({ error }) => error !== undefined) ?? answers.find(decides) ?? UNDECIDED,
  )
  if (plan.gate === undefined) return
  // What is pending cannot be cancelled.
  const made = answers.filter(({ status }) => status !== 202).map(bookingIdOf)
  for (const id of new Set(made)) if (id !== undefined) cancel(iteration, id)
}

const UNDECIDED: Answer = {
  status: 0,
  succeeded: false,
  text: null,
  json: () => undefined,
  error: 'the key was still busy when it was given up',
}

/** Returns whether an answer tells what became of the key. */
function decides(answer: Answer): boolean {
  if (answer.succeeded) return true
  const { code } = objectIn(objectIn(answer.json()).error)
  return answer.status >= 400 && code !== 'BOOKING_IN_PROGRESS'
}
