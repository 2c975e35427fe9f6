import { sleep } from 'k6'
import exec from 'k6/execution'
import type { Product } from '../../fixtures/ground/control.ts'
import { act, bookingCall, bookingIdOf, intend, settle } from './lib/bookings.ts'
import { optionsFor, steadily } from './lib/executors.ts'
import { find, productsIn } from './lib/finding.ts'
import { type Iteration, nextIteration, readPlan, setting } from './lib/iteration.ts'
import { objectIn } from './lib/reading.ts'
import { type Answer, send, sendTogether } from './lib/send.ts'

// Does one key, or one reference, ever make two bookings?
const plan = readPlan()
const copies = setting(plan, 'copies')
const pace = steadily(setting(plan, 'rate'), setting(plan, 'keys'), 2)
const products = productsIn(plan)
if (products.length === 0)
  throw new Error('The plan has nothing that can be booked: add one of its products.')

/** The interval and duration of repeats while the first attempt runs, in milliseconds. */
const [REPEAT_EVERY, REPEAT_FOR] = [200, 5000]

export const options = optionsFor(
  { [plan.scenario]: pace },
  {
    batch: copies,
    batchPerHost: copies,
    // Go silently resends a request with a key if a reused connection dies.
    noConnectionReuse: true,
  },
)

/** The indexes of each product's own senders. */
const own = products.map(product =>
  [...plan.senders].flatMap((sender, at) => (sender.product === product ? [at] : [])),
)

/** Returns the next product. Each gets its share of the keys, and its own senders if the plan has them. */
function nextTurn(): { iteration: Iteration; product: Product } {
  const number = exec.scenario.iterationInTest
  const [which, turn] = [number % products.length, Math.floor(number / products.length)]
  const product = products[which]!
  const senders = own[which]!
  const sender = senders.length === 0 ? undefined : senders[turn % senders.length]
  return { iteration: { ...nextIteration(plan, pace, sender), round: turn, turn }, product }
}

/** Sends one key several times at once, again while it is in progress, and once more when it is finished. */
export default function () {
  const { iteration, product } = nextTurn()
  const bookable = find(iteration, product)
  if (bookable === undefined) return
  const call = bookingCall(iteration, bookable)
  const intent = intend(iteration, bookable, call)
  const answers = sendTogether(iteration, call, intent?.alone ? 1 : copies)
  const until = Date.now() + (intent?.alone ? 0 : REPEAT_FOR)
  while (!answers.some(decides) && Date.now() < until) {
    sleep(REPEAT_EVERY / 1000)
    answers.push(send(iteration, call))
  }
  const first = answers.find(({ succeeded }) => succeeded)
  if (first !== undefined && !intent?.alone) answers.push(send(iteration, call))
  const told = first ?? answers.find(({ error }) => error !== undefined) ?? answers.find(decides)
  const last = settle(iteration, intent, told ?? (intent?.alone ? answers[0] : undefined) ?? UNDECIDED, () =>
    send(iteration, call),
  )
  answers.push(last)
  if (plan.gate === undefined) return
  // A pending booking cannot be cancelled.
  const made = answers.filter(({ status }) => status !== 202).map(bookingIdOf)
  for (const id of new Set(made)) if (id !== undefined) act(iteration, product, 'cancel', id)
}

const UNDECIDED: Answer = {
  status: 0,
  succeeded: false,
  text: null,
  json: () => undefined,
  success: () => undefined,
  at: () => undefined,
  part: () => undefined,
  error: 'the key was still busy when it was given up',
}

const BUSY: readonly unknown[] = ['BOOKING_IN_PROGRESS', 'ORDER_CONFIRMATION_IN_PROGRESS']

/** Returns whether an answer is the final one for its key. */
function decides(answer: Answer): boolean {
  if (answer.succeeded) return true
  const { error, message } = objectIn(answer.json())
  return answer.status >= 400 && ![objectIn(error).code, error, message].some(word => BUSY.includes(word))
}
