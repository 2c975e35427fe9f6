import fc from 'fast-check'
import {
  cancelling,
  type Ending,
  type Expected,
  fetchingVoucher,
  type Life,
  type LifeState,
  noBooking,
  TRANSITIONS,
} from '../../fixtures/arbitraries/index.ts'
import { GONE, isAway, isPending, refusesCancellation } from '../../fixtures/check/buying/index.ts'
import { assumeMoved } from '../../fixtures/check/control/index.ts'
import type { Offer } from '../../fixtures/check/products/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, bookingOf, errorCode, type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  createStepMaker,
  describe,
  EVERY_KIND,
  type Exchange,
  type ProductCheck,
  test,
  toursOf,
  type WalkStep,
  walksOf,
} from '../../fixtures/test.ts'

/** The booking that a walk is about, as the deployment knows it. */
interface Walk {
  /** A company of its own where companies are made, since a walk may move its clock by months. */
  actor: Actor
  key: string
  offers: readonly Offer[]
  body: JsonObject
  bookingId?: number
  created?: Exchange
  /** The offers that its last booking took: a market may have refused some. */
  rounds?: number
  /** Whether the booking says in advance that it cannot be cancelled. */
  keeps?: boolean
}

type Step = WalkStep<Life, Walk>
type Voucher = Life['voucher']

const SETTLES_AFTER = 60

/** The document gives no status to a first cancellation. */
const SUCCESSES = [200, 201, 202, 204]

const CANCELLING = {
  confirmed: 'V2-CANCEL-ACCEPTED',
  cancelled: 'V2-CANCEL-AGAIN-STATUS',
  pending: 'V2-PENDING-CANCEL',
  failed: 'V2-FAILED-CANCEL',
} as const satisfies Partial<Record<LifeState, ClauseId>>

const VOUCHERS = {
  ready: 'V2-VOUCHER-READY',
  pending: 'V2-VOUCHER-PENDING',
  none: 'V2-VOUCHER-NONE',
} as const satisfies Record<Voucher, ClauseId>

/** The steps of a walk: each knows when it makes sense, what must be answered, and what the model learns of it. */
function stepsOf(context: ProductCheck): [first: Step, ...rest: Step[]] {
  const { act, arrange, control, expect, now, visited } = context

  const hold = (
    answer: Exchange,
    {
      code,
      codes = code === undefined ? [] : [code],
      status,
      shows,
      visits,
    }: Expected & { codes?: readonly string[] },
    clause: ClauseId,
  ) => {
    if (codes.length > 0) expect(answer, clause).toFailWith(...codes)
    else expect(answer, clause).toHaveStatus(...status)
    if (shows !== undefined && at(bookingOf(answer), 'status') !== undefined) {
      expect(answer, clause).toShowBooking('status', shows)
    }
    visited(visits)
  }

  const { step } = createStepMaker<Life, Walk>()
  const unbooked = ({ state }: Readonly<Life>) => state === 'none' || state === 'failed'
  const exists = ({ state }: Readonly<Life>) => state !== 'none'

  /** The offer of the walk; where the market has moved on, one that has not. */
  const fresh = (actor: Actor, offer: Offer) => async (round: number) =>
    round === 1 ? offer : arrange.offer({ actor })

  /** Books what the walk is about. A refusal frees its key; a booking that failed is repeated as it was. */
  const booking = async ({ state }: Life, walk: Walk) => {
    const { answer, rounds } = await act.book({
      by: walk.actor,
      key: walk.key,
      async body(_, round) {
        if (round > 1 && state === 'none') Object.assign(walk, await wanted(context, walk.actor))
        return walk.body
      },
      judged: false,
    })
    walk.rounds = rounds
    return answer
  }

  const book = (voucher?: Voucher) =>
    step(voucher === undefined ? 'book' : `book, voucher ${voucher}`, unbooked, async (life, walk) => {
      const { actor } = walk
      if (voucher !== undefined) {
        await control.setOutcome(actor, 'book', { kind: 'success', voucher })
      }
      const again = life.state === 'failed'
      const answer = assume.notPending(await booking(life, walk))
      const visits = again ? 'failed, booked again: confirmed' : 'booked: confirmed'
      const clause = again ? 'V2-FAILED-REBOOK-SAME-KEY' : 'V2-BOOK-CREATED-STATUS'
      hold(answer, { status: [201], shows: 'confirmed', visits }, clause)
      walk.created = answer
      walk.bookingId = bookingOf(answer)?.booking_id as number
      walk.keeps = refusesCancellation(bookingOf(answer) ?? {})
      life.state = 'confirmed'
      // In which state an ordinary voucher starts is the deployment's choice,
      // and one that control was asked for is there only if the answer shows it.
      life.voucher = at(bookingOf(answer), 'voucher.status') as Voucher
    })

  const bookUnknown = (ending: Ending) =>
    step(`book, unknown until ${ending}`, unbooked, async (life, walk) => {
      const { actor } = walk
      const outcome = { kind: 'unknown', settles: ending, afterSeconds: SETTLES_AFTER } as const
      await control.setOutcome(actor, 'book', outcome)
      const answer = await booking(life, walk)
      // Whether a refusal used up what was arranged is open.
      assume(walk.rounds === 1 || isPending(answer), 'a booking of unknown result')
      hold(answer, { status: [202], shows: 'pending', visits: 'booked: pending' }, 'V2-PENDING-STATUS')
      walk.created = answer
      walk.bookingId = bookingOf(answer)?.booking_id as number
      Object.assign(life, { state: 'pending', ending })
    })

  /** Ends the walk where it was the market that left the booking pending: it settles at any time then. */
  const assumePending = async ({ state }: Readonly<Life>, { actor, bookingId, rounds }: Walk) => {
    if (state !== 'pending' || rounds === 1) return
    const { status } = bookingOf(await actor.v2.booking(bookingId!)) ?? {}
    assume(status === 'pending', 'a booking of unknown result that settles as arranged')
  }

  const read = step('read', exists, async (life, walk) => {
    const { state } = life
    const answer = await walk.actor.v2.booking(walk.bookingId!)
    await assumePending(life, walk)
    if (state === 'partial') expect(answer, 'V2-BOOK-READ-SAME').toHaveStatus(200)
    else expect(answer, 'V2-BOOK-READ-SAME').toShowBooking('status', state)
  })

  const repeat = step(
    'repeat',
    ({ state }) => state !== 'none' && state !== 'failed',
    async (life, walk) => {
      const { state } = life
      const { actor, key, body, created } = walk
      const answer = await actor.v2.book({ key, body })
      await assumePending(life, walk)
      const pending = state === 'pending'
      expect(answer, pending ? 'V2-IDEM-PENDING-STATUS' : 'V2-IDEM-REPLAY-STATUS').toHaveStatus(
        pending ? 202 : 200,
      )
      const same = pending ? 'V2-IDEM-PENDING-SAME-BOOKING' : 'V2-IDEM-REPLAY-SAME-BOOKING'
      expect(answer, same).toBeTheBookingOf(created)
    },
  )

  const cancel = step('cancel', exists, async (life, walk) => {
    const { actor, bookingId } = walk
    const expected = cancelling(life)
    if (expected === undefined || life.state === 'none' || life.state === 'partial') return
    const accepted = expected.status.includes(200)
    const answer = accepted ? await act.cancel({ bookingId }, actor) : await actor.v2.cancel(bookingId)
    await assumePending(life, walk)
    // Only a repeat is said to answer 200.
    const status = life.state === 'confirmed' && accepted ? SUCCESSES : expected.status
    hold(answer, { ...expected, status }, life.late ? 'V2-CANCEL-DEADLINE' : CANCELLING[life.state])
    if (expected.shows === 'cancelled') life.state = 'cancelled'
  })

  const cancellable = ({ state, late }: Readonly<Life>) => state === 'confirmed' && !late

  const cancelInVain = step('cancel, turned down', cancellable, async (_, { actor, bookingId, keeps }) => {
    if (keeps) return
    await control.setOutcome(actor, 'cancel', { kind: 'refused' })
    const answer = assume.supplierAsked(await actor.v2.cancel(bookingId))
    const expected = { status: [409], code: 'CANCELLATION_REJECTED' }
    hold(answer, { ...expected, visits: 'confirmed, cancelled: rejected' }, 'V2-CANCEL-REJECTED')
  })

  const cancelInPart = step('cancel, in part', cancellable, async (life, { actor, bookingId, keeps }) => {
    if (keeps) return
    await control.setOutcome(actor, 'cancel', { kind: 'partial' })
    const answer = await actor.v2.cancel(bookingId)
    // A supplier may refuse at any time instead: then nothing has changed.
    if (isAway(answer) || errorCode(answer) === 'CANCELLATION_REJECTED') {
      if (bookingOf(await actor.v2.booking(bookingId))?.status === 'confirmed') return
    }
    const expected = { status: [409], code: 'CANCELLATION_PARTIAL' }
    hold(answer, { ...expected, visits: 'confirmed, cancelled: partial' }, 'V2-CANCEL-PARTIAL')
    life.state = 'partial'
  })

  const voucher = step('voucher', exists, async (life, walk) => {
    const { actor, bookingId } = walk
    // It may be published at any time, by whoever publishes vouchers: also while it is asked for.
    const look = async () => {
      const shown = at(bookingOf(await actor.v2.booking(bookingId)), 'voucher.status')
      if (life.voucher === 'pending' && shown === 'ready') life.voucher = 'ready'
    }
    await look()
    if (fetchingVoucher(life) === undefined) return
    const answer = await actor.v2.voucher(bookingId)
    if (life.voucher === 'pending' && answer.response.status < 300) await look()
    await assumePending(life, walk)
    const expected = fetchingVoucher(life)!
    if (life.state === 'pending') hold(answer, expected, 'V2-PENDING-VOUCHER')
    else if (life.state === 'cancelled') hold(answer, expected, 'V2-VOUCHER-CANCELLED')
    else hold(answer, expected, VOUCHERS[life.voucher])
  })

  const publish = step(
    'publish',
    ({ state, voucher: status }) => state === 'confirmed' && status === 'pending',
    async (life, { actor, bookingId }) => {
      await control.publishVouchers(actor)
      const answer = await actor.v2.booking(bookingId)
      expect(answer, 'V2-VOUCHER-PUBLISHED').toShowBooking('voucher.status', 'ready')
      visited('voucher pending, published: ready')
      life.voucher = 'ready'
    },
  )

  const settle = step(
    'settle',
    ({ state }) => state === 'pending',
    async (life, { actor, bookingId }) => {
      await control.advanceClock(actor, SETTLES_AFTER + 5)
      const state = life.ending!
      const answer = await actor.v2.booking(bookingId)
      const clause = state === 'confirmed' ? 'V2-PENDING-SETTLES-CONFIRMED' : 'V2-PENDING-SETTLES-FAILED'
      // A market may have left another booking pending than the one that was arranged.
      const otherwise = state === 'confirmed' ? 'failed' : 'confirmed'
      assume(bookingOf(answer)?.status !== otherwise, 'a booking of unknown result that settles as arranged')
      expect(answer, clause).toShowBooking('status', state)
      visited(`pending settles: ${state}`)
      life.state = state
      if (state === 'confirmed') life.voucher = at(bookingOf(answer), 'voucher.status') as Voucher
    },
  )

  const waitTooLong = step('wait too long', cancellable, async (life, { actor, bookingId }) => {
    const deadline = at(bookingOf(await actor.v2.booking(bookingId)), 'items[0].cancellation.deadline')
    const seconds = Math.ceil((Date.parse(textOf(deadline)) - now(actor)) / 1000)
    if (!(seconds > 0)) return
    await control.advanceClock(actor, seconds + 3600)
    life.late = true
  })

  const checkOffer = step('check the offer', unbooked, async (_, { actor, offers: [offer] }) => {
    const { answer } = await act.check(fresh(actor, offer!), { by: actor, judged: false })
    hold(answer, { status: [200, 201, 202], visits: 'offer checked: a new one' }, 'V2-OFFER-CHECK-OK')
  })

  const checkGone = step('check an offer that is gone', unbooked, async (_, { actor, offers: [offer] }) => {
    const gone = async (round: number) => {
      const one = await fresh(actor, offer!)(round)
      await control.setOutcome(actor, 'check', { kind: 'expired' })
      return one
    }
    const { answer } = await act.check(gone, { by: actor, expecting: GONE, judged: false })
    hold(answer, { status: [409], codes: GONE, visits: 'offer gone: expired' }, 'V2-OFFER-GONE-CHECK')
  })

  const checkMoved = step(
    'check an offer whose price moves for a moment',
    unbooked,
    async (_, { actor, offers: [offer] }) => {
      await control.changePrice(actor, offer!.productId, 2)
      const { answer } = await act.check(async () => offer!, {
        by: actor,
        expecting: ['PRICE_CHANGED'],
        judged: false,
      })
      await assumeMoved(context, offer!, answer, actor)
      await control.changePrice(actor, offer!.productId, -2)
      const expected = { status: [409], code: 'PRICE_CHANGED' }
      hold(answer, { ...expected, visits: 'offer moved: price changed' }, 'V2-OFFER-PRICE-CHECK')
    },
  )

  const always: [Step, ...Step[]] = [book(), read, repeat, cancel, voucher, checkOffer]
  const outcomes = [
    book('ready'),
    book('pending'),
    book('none'),
    bookUnknown('confirmed'),
    bookUnknown('failed'),
    cancelInVain,
    cancelInPart,
    checkGone,
  ]
  return [
    ...always,
    ...(control.offers('setOutcome') ? outcomes : []),
    ...(control.offers('setOutcome') && control.offers('advanceClock') ? [settle] : []),
    ...(control.offers('advanceClock') && arrange.kind === 'transfers' ? [waitTooLong] : []),
    ...(control.offers('publishVouchers') ? [publish] : []),
    ...(control.offers('changePrice') ? [checkMoved] : []),
  ]
}

/** Returns what a walk books: two items, so that a cancellation can reach one and miss the other. */
async function wanted({ arrange }: ProductCheck, actor: Actor): Promise<Pick<Walk, 'offers' | 'body'>> {
  const offers = await arrange.offersTogether(arrange.trafficIsFree ? 2 : 1, { actor })
  return { offers, body: arrange.body(offers) }
}

/** Walks that between them come by every transition; whatever the deployment cannot be made to do is left out. */
const TOURS: readonly (readonly string[])[] = [
  [
    'check the offer',
    'check an offer that is gone',
    'check an offer whose price moves for a moment',
    'book, voucher ready',
    'book',
    'repeat',
    'voucher',
    'cancel, turned down',
    'cancel',
    'cancel',
    'voucher',
    'read',
  ],
  ['book, voucher pending', 'voucher', 'publish', 'voucher', 'cancel, in part', 'read'],
  ['book, voucher none', 'voucher', 'repeat', 'cancel', 'voucher'],
  ['book, unknown until confirmed', 'cancel', 'voucher', 'repeat', 'settle', 'repeat', 'read', 'cancel'],
  ['book, unknown until failed', 'read', 'settle', 'cancel', 'book', 'read', 'repeat'],
  ['book', 'wait too long', 'cancel', 'read'],
]

describe('the life of a booking', () => {
  test('every walk through it is answered as its state demands', {
    tags: ['V2-BOOK-CREATED-STATUS'],
    opportunistic: [
      'V2-BOOK-READ-SAME',
      'V2-IDEM-REPLAY-STATUS',
      'V2-IDEM-REPLAY-SAME-BOOKING',
      'V2-IDEM-PENDING-STATUS',
      'V2-IDEM-PENDING-SAME-BOOKING',
      'V2-CANCEL-ACCEPTED',
      'V2-CANCEL-AGAIN-STATUS',
      'V2-CANCEL-DEADLINE',
      'V2-CANCEL-REJECTED',
      'V2-CANCEL-PARTIAL',
      'V2-PENDING-STATUS',
      'V2-PENDING-CANCEL',
      'V2-PENDING-VOUCHER',
      'V2-PENDING-SETTLES-CONFIRMED',
      'V2-PENDING-SETTLES-FAILED',
      'V2-FAILED-CANCEL',
      'V2-FAILED-REBOOK-SAME-KEY',
      'V2-VOUCHER-CANCELLED',
      'V2-VOUCHER-NONE',
      'V2-VOUCHER-PENDING',
      'V2-VOUCHER-PUBLISHED',
      'V2-VOUCHER-READY',
      'V2-OFFER-CHECK-OK',
      'V2-OFFER-GONE-CHECK',
      'V2-OFFER-PRICE-CHECK',
    ],
    kinds: EVERY_KIND,
  }, async context => {
    const { arrange, control, holds, mayVisit } = context
    // Only transfers promise to be too late for a cancellation past their deadline.
    const tooLate = 'too late, cancelled: refused'
    mayVisit(TRANSITIONS.filter(transition => arrange.kind === 'transfers' || transition !== tooLate))
    const steps = stepsOf(context)
    const tours = toursOf(steps, TOURS)
    await holds(
      walksOf(steps, 14),
      async walk => {
        const actor = await arrange.actor('standard', { modes: {} })
        const real: Walk = { actor, key: arrange.key(), ...(await wanted(context, actor)) }
        const life = noBooking(arrange.kind)
        await fc.asyncModelRun(() => ({ model: life, real }), walk)
        // A walk that never got as far as a booking says nothing; this is the least that it says.
        if (life.state === 'none') await steps[0].run(life, real)
      },
      // Elsewhere too, what control can bring about is walked through.
      { runs: tours.length + 3, live: control.offers('setOutcome') ? tours.length : 2, examples: tours },
    )
  })
})
