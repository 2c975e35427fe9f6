import fc from 'fast-check'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { at, bookingOf, type JsonObject } from '../../fixtures/contracts/reading.ts'
import {
  cancelling,
  type Ending,
  type Expected,
  fetchingVoucher,
  type Life,
  repeating,
  unborn,
} from '../../fixtures/models/booking-life.ts'
import { type Bench, describe, EVERY_KIND, test } from '../../fixtures/test.ts'

/** The booking that a walk is about, as the deployment knows it. */
interface Walk {
  key: string
  body: JsonObject
  bookingId?: number
  created?: Exchange
}

type Step = fc.AsyncCommand<Life, Walk>

const SETTLES_AFTER = 60

/** The steps of a walk: each knows when it makes sense, what must be answered, and what the model learns of it. */
function stepsOf(bench: Bench): [first: Step, ...rest: Step[]] {
  const { v2, given, control, expect } = bench

  const hold = (answer: Exchange, expected: Expected, clause: Parameters<typeof expect>[1]) => {
    if (expected.code !== undefined) expect(answer, clause).toFailWith(expected.code)
    else expect(answer, clause).toHaveStatus(...expected.status)
    if (expected.shows !== undefined && at(bookingOf(answer), 'status') !== undefined) {
      expect(answer, clause).toShowBooking('status', expected.shows)
    }
  }

  const step = (
    name: string,
    check: (life: Readonly<Life>) => boolean,
    run: (life: Life, walk: Walk) => Promise<void>,
  ): Step => ({ toString: () => name, check, run })

  const book = (how: 'booked' | Ending) =>
    step(
      how === 'booked' ? 'book' : `book, unknown until ${how}`,
      ({ state }) => state === 'none' || state === 'failed',
      async (life, walk) => {
        if (how !== 'booked') {
          const outcome = { kind: 'unknown', settles: how, afterSeconds: SETTLES_AFTER } as const
          await control.setOutcome(await given.party(), 'book', outcome)
        }
        const answer = await v2.book({ key: walk.key, body: walk.body })
        if (how === 'booked') given.notPending(answer)
        const [status, state] = how === 'booked' ? ([201, 'confirmed'] as const) : ([202, 'pending'] as const)
        hold(
          answer,
          { status: [status], shows: state },
          how === 'booked' ? 'V2-BOOK-CREATED-STATUS' : 'V2-PENDING-STATUS',
        )
        walk.created = answer
        walk.bookingId = bookingOf(answer)?.booking_id as number
        life.state = state
        if (how !== 'booked') life.ending = how
      },
    )

  const exists = ({ state }: Readonly<Life>) => state !== 'none'

  const read = step('read', exists, async (life, { bookingId }) => {
    expect(await v2.booking(bookingId!), 'V2-BOOK-READ-SAME').toShowBooking('status', life.state)
  })

  const repeat = step(
    'repeat',
    ({ state }) => state !== 'none' && state !== 'failed',
    async (life, { key, body, created }) => {
      const answer = await v2.book({ key, body })
      const [status, same] =
        life.state === 'pending'
          ? (['V2-IDEM-PENDING-STATUS', 'V2-IDEM-PENDING-SAME-BOOKING'] as const)
          : (['V2-IDEM-REPLAY-STATUS', 'V2-IDEM-REPLAY-SAME-BOOKING'] as const)
      // What a replay shows of a booking that was cancelled since is open.
      const { shows: _, ...open } = repeating(life)
      hold(answer, life.state === 'cancelled' ? open : repeating(life), status)
      expect(answer, same).toBeTheBookingOf(created!)
    },
  )

  const cancel = step('cancel', exists, async (life, { bookingId }) => {
    const answer = await v2.cancel(bookingId!)
    const clause = {
      confirmed: 'V2-CANCEL-ACCEPTED',
      cancelled: 'V2-CANCEL-AGAIN-STATUS',
      pending: 'V2-PENDING-CANCEL',
      failed: 'V2-FAILED-CANCEL',
      none: 'V2-CANCEL-ACCEPTED',
    } as const
    hold(answer, cancelling(life), clause[life.state])
    if (life.state === 'confirmed') life.state = 'cancelled'
  })

  const voucher = step('voucher', exists, async (life, { bookingId }) => {
    const shown = at(bookingOf(await v2.booking(bookingId!)), 'voucher.status')
    const answer = await v2.voucher(bookingId!)
    const expected = fetchingVoucher(life, shown)
    // A voucher may be published between the two calls.
    if (expected === undefined || (life.state === 'confirmed' && shown === 'pending')) return
    const clause = {
      pending: 'V2-PENDING-VOUCHER',
      cancelled: 'V2-VOUCHER-CANCELLED',
      confirmed: shown === 'none' ? 'V2-VOUCHER-NONE' : 'V2-VOUCHER-READY',
      failed: 'V2-VOUCHER-READY',
      none: 'V2-VOUCHER-READY',
    } as const
    hold(answer, expected, clause[life.state])
  })

  const settle = step(
    'settle',
    ({ state }) => state === 'pending',
    async (life, { bookingId }) => {
      await control.advanceClock(await given.party(), SETTLES_AFTER + 5)
      life.state = life.ending!
      const clause =
        life.ending === 'confirmed' ? 'V2-PENDING-SETTLES-CONFIRMED' : 'V2-PENDING-SETTLES-FAILED'
      expect(await v2.booking(bookingId!), clause).toShowBooking('status', life.state)
    },
  )

  const reachable: [Step, ...Step[]] = [book('booked'), read, repeat, cancel, voucher]
  const steered = control.offers('setOutcome') && control.offers('advanceClock')
  return steered ? [...reachable, book('confirmed'), book('failed'), settle] : reachable
}

describe('the life of a booking', () => {
  test('every walk through it is answered as its state demands', {
    tags: ['V2-BOOK-CREATED-STATUS'],
    kinds: EVERY_KIND,
    also: [
      'V2-BOOK-READ-SAME',
      'V2-IDEM-REPLAY-STATUS',
      'V2-IDEM-REPLAY-SAME-BOOKING',
      'V2-CANCEL-ACCEPTED',
      'V2-CANCEL-AGAIN-STATUS',
      'V2-PENDING-STATUS',
      'V2-PENDING-CANCEL',
      'V2-PENDING-VOUCHER',
      'V2-PENDING-SETTLES-CONFIRMED',
      'V2-PENDING-SETTLES-FAILED',
      'V2-IDEM-PENDING-STATUS',
      'V2-IDEM-PENDING-SAME-BOOKING',
      'V2-FAILED-CANCEL',
      'V2-VOUCHER-CANCELLED',
      'V2-VOUCHER-NONE',
      'V2-VOUCHER-READY',
    ],
  }, async bench => {
    const { given, holds } = bench
    const party = await given.party()
    const steps = stepsOf(bench)
    await holds(
      fc.commands(
        steps.map(step => fc.constant(step)),
        { maxCommands: 12 },
      ),
      async walk => {
        const offer = await given.offer({ party })
        const real = { key: given.idempotencyKey(), body: given.bookingBody([offer]) }
        const life = unborn()
        await fc.asyncModelRun(() => ({ model: life, real }), walk)
        // A walk that never got as far as a booking says nothing; this is the least that it says.
        if (life.state === 'none') await steps[0].run(life, real)
      },
      { runs: 20, live: 2 },
    )
  })
})
