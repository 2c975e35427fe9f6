import { isAway, repeatsOf, untilSupplierAnswers, v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  cancelOnce,
  clauseOf,
  orderWithoutVoucher,
  PARKS,
  type ParkCheck,
  refusedAsArranged,
  TWO_ADULTS,
  type V1Order,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, flagged } from '../../fixtures/contracts/index.ts'
import {
  assume,
  type BookingId,
  describe,
  type Exchange,
  independently,
  type Outcome,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...PARKS)

const REFUSED = "Can't cancel order"
const NOT_YOURS = "Can't cancel this ticket."

/** The number of orders cancelled if a source is away. */
const TRIES = 3

/** Cancels an order once with an arranged outcome; another order if the source is away by itself. */
async function cancelWith(check: ParkCheck, outcome: Outcome) {
  const { arrange, control } = check
  const arranged = ['providerUnavailable', 'providerError'].includes(outcome.kind)
  for (let time = 1; ; time++) {
    const order = await arrange.order()
    await control.setOutcome(await arrange.actor(), 'cancel', outcome)
    const answer = await cancelOnce(check, order.id)
    assume(answer.response.status >= 400, 'control.setOutcome that makes a cancellation be refused')
    if (!isAway(answer) || arranged) return { order, answer }
    assume(time < TRIES, 'a supplier that answers')
  }
}

describe('ticketCancelation', () => {
  test('cancels an order of operator A, and marks a repeat as already_cancelled', {
    tags: [
      'V1-PARK-A-CANCEL-SUCCESS',
      'V1-PARK-A-STATE-FIRST-CANCEL',
      'V1-PARK-A-STATE-CANCEL-TWICE',
      'V1-PARK-A-STATE-ALREADY-CANCELLED',
    ],
    kinds: ['v1-park-a'],
  }, async ({ v1, arrange, act, expect }) => {
    for (const turn of arrange.drawn([undefined, ...arrange.unusualTurns], 1)) {
      const order = await (turn === undefined ? arrange.order() : arrange.unusualOrder(undefined, turn))
      const first = await act.cancel(order)
      expect(first, 'V1-PARK-A-CANCEL-SUCCESS').toSucceed()
      const again = () =>
        untilSupplierAnswers(() => v1.parkA.cancel({ id_order: order.id }), 'a cancellation')
      await independently(
        async () => expect(first, 'V1-PARK-A-CANCEL-SUCCESS').toShow('success', true),
        async () => expect(first, 'V1-PARK-A-STATE-FIRST-CANCEL').not.toBeFlagged('already_cancelled'),
        async () => {
          for (let repeat = 1; repeat <= repeatsOf(arrange); repeat++) {
            const answer = await again()
            expect(answer, 'V1-PARK-A-STATE-CANCEL-TWICE').toHaveStatus(200)
            expect(answer, 'V1-PARK-A-STATE-ALREADY-CANCELLED').toBeFlagged('already_cancelled')
          }
        },
      )
    }
  })

  test('cancels a test order of operator B, and refuses a second time', {
    tags: ['V1-PARK-B-CANCEL-SUCCESS', 'TEST-MODE-V1-PARK-B-CANCEL-TWICE'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, act, expect }) => {
    for (const turn of arrange.unusualTurns) {
      const order = await arrange.unusualOrder(undefined, turn)
      expect(await act.cancel(order), 'V1-PARK-B-CANCEL-SUCCESS').toShow('success', true)
      await arrange.testCredential()
      expect(
        await v1.parkB.cancel({ id_order: order.id }),
        'TEST-MODE-V1-PARK-B-CANCEL-TWICE',
      ).toRefuseAsStated()
    }
  })

  test('cancels an order of operator B with its voucher, and refuses a second time', {
    tags: [
      'V1-PARK-B-STATE-CANCEL-TWICE',
      'V1-PARK-B-ERR-CANCEL-TWICE',
      'V1-PARK-B-STATE-CANCELLED-VOUCHER',
      'V1-PARK-B-ERR-VOUCHER-CANCELLED',
    ],
    kinds: ['v1-park-b'],
  }, async check => {
    const { arrange, act, control, expect } = check
    const by = await arrange.actor('live')
    const cancelled = async (order: V1Order) => {
      await act.cancelled(order, by)
      const isGone = async () => {
        const answer = await by.v1.parkB.voucher({ order_id: order.id })
        expect(answer, 'V1-PARK-B-STATE-CANCELLED-VOUCHER').not.toSucceed()
        expect(answer, 'V1-PARK-B-STATE-CANCELLED-VOUCHER').not.toBePdf()
        expect(answer, 'V1-PARK-B-ERR-VOUCHER-CANCELLED').toRefuseAsStated()
      }
      await independently(isGone, async () => {
        for (let repeat = 1; repeat <= repeatsOf(arrange); repeat++) {
          const again = await by.v1.parkB.cancel({ id_order: order.id })
          expect(again, 'V1-PARK-B-STATE-CANCEL-TWICE').not.toSucceed()
          expect(again, 'V1-PARK-B-ERR-CANCEL-TWICE').toRefuseAsStated()
        }
      })
      await isGone()
    }
    for (const turn of [undefined, ...(arrange.trafficIsFree ? arrange.unusualTurns : [])]) {
      const order = await (turn === undefined ? arrange.order({ actor: by }) : arrange.unusualOrder(by, turn))
      await act.voucher(order, by)
      await cancelled(order)
    }
    // A voucher that was not published yet never will be.
    if (arrange.trafficIsFree && control.offers('setOutcome'))
      await cancelled(await orderWithoutVoucher(check, by))
  })
})

/** The number of orders whose remaining ticket is refused too, before that is no coincidence. */
const RESTS = 4

/** Cancels an order of two tickets of which the second refuses. */
async function cancelledInPart(check: ParkCheck) {
  const { arrange, control } = check
  control.require('setOutcome')
  const { product } = arrange
  const order = await arrange.order({ people: TWO_ADULTS })
  const failing = product === 'v1-park-a' ? { failing: [1] } : {}
  await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'partial', ...failing })
  const answer = assume.supplierAsked(await cancelOnce(check, order.id))
  if (answer.response.status < 400) {
    // If nothing is left to cancel, control had no effect.
    const again = await cancelOnce(check, order.id)
    const inVain =
      product === 'v1-park-a' ? flagged(again, 'already_cancelled') : again.response.status >= 400
    assume(!inVain, 'control.setOutcome that makes one of two tickets refuse')
  }
  return { order, answer }
}

/** Cancels the rest of an order of operator A, with an outcome by which the cancelled ticket would refuse. */
async function cancelTheRestOf(check: ParkCheck, id: BookingId): Promise<Exchange> {
  const { arrange, control } = check
  await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'partial', failing: [0] })
  return assume.supplierAsked(await cancelOnce(check, id))
}

/**
 * Cancellations that the source prevents, with the clause about the refusal and other correct words: the tables state no
 * condition for these errors.
 */
const UNAVAILABLE = [
  ['v1-park-a', 'providerUnavailable', 'V1-PARK-A-ERR-CANCEL-UNAVAILABLE', [REFUSED]],
  ['v1-park-a', 'providerError', 'V1-PARK-A-ERR-TIMEOUT', ['Cancellation unavailable', REFUSED]],
  ['v1-park-b', 'providerUnavailable', 'V1-PARK-B-ERR-UNAVAILABLE', ['External API error', REFUSED]],
  ['v1-park-b', 'providerError', 'V1-PARK-B-ERR-PROVIDER', ['Service unavailable', REFUSED]],
] as const satisfies readonly (readonly [string, Outcome['kind'], ClauseId, readonly string[]])[]

/** Decides that a cancellation is refused as stated, and the next one as well where requests cost nobody anything. */
async function isRefusedEachTime(
  check: ParkCheck,
  kind: (typeof UNAVAILABLE)[number][1] | 'notCancellable',
  clause: ClauseId,
  others: readonly string[],
): Promise<void> {
  const isRefused = async () => {
    const { order, answer } = await cancelWith(check, { kind })
    const isOther = v1ErrorsOf(answer).some(error => others.includes(error))
    check.expect(refusedAsArranged(answer, clause, isOther)).toRefuseAsStated()
    await check.act.cancelled(order)
  }
  await independently(...(check.arrange.trafficIsFree ? [isRefused, isRefused] : [isRefused]))
}

describe('a cancellation of tickets that the supplier does not complete', () => {
  test('is refused, and leaves the order unchanged', {
    tags: product =>
      product === 'v1-park-a'
        ? ['V1-PARK-A-ERR-CANCEL-REFUSED', 'V1-PARK-A-STATE-FIRST-CANCEL', 'V1-PARK-A-CANCEL-SUCCESS']
        : ['V1-PARK-B-ERR-CANCEL-REFUSED', 'V1-PARK-B-CANCEL-SUCCESS'],
  }, async check => {
    const { arrange, act, expect } = check
    const clause = clauseOf(arrange.product, 'ERR-CANCEL-REFUSED')
    const { order, answer } = await cancelWith(check, { kind: 'refused' })
    expect(answer, clause).toRefuseAsStated()
    await independently(
      async () => {
        if (!arrange.trafficIsFree) return
        await check.control.setOutcome(await arrange.actor(), 'cancel', { kind: 'refused' })
        const repeated = await cancelOnce(check, order.id)
        expect(refusedAsArranged(repeated, clause, isAway(repeated)), clause).toRefuseAsStated()
      },
      async () => {
        const again = await act.cancel(order)
        const isGone = v1ErrorsOf(again).includes(NOT_YOURS) || flagged(again, 'already_cancelled')
        await independently(
          async () => expect(again, clause).toGive('an order that is still active', !isGone),
          async () => {
            assume.accepted(again, 'a cancellation')
            if (arrange.product === 'v1-park-a')
              expect(again, 'V1-PARK-A-STATE-FIRST-CANCEL').not.toBeFlagged('already_cancelled')
          },
        )
      },
    )
  })

  test('completed in part is an error; a repeat to operator A cancels only the rest', {
    tags: product => [
      clauseOf(product, 'STATE-PARTIAL'),
      clauseOf(product, 'ERR-CANCEL-PARTIAL'),
      ...(product === 'v1-park-a'
        ? ([
            'V1-PARK-A-STATE-PARTIAL-KEPT',
            'V1-PARK-A-CANCEL-REST',
            'V1-PARK-A-STATE-FIRST-CANCEL',
            'V1-PARK-A-STATE-ALREADY-CANCELLED',
          ] as const)
        : []),
    ],
  }, async check => {
    const { arrange, act, expect } = check
    const { product } = arrange
    const { order, answer } = await cancelledInPart(check)
    const isSuccess = at(answer.response.json, 'success') === true
    const counts = product === 'v1-park-a' ? answer.response.status < 400 || isSuccess : isSuccess
    expect(answer, clauseOf(product, 'STATE-PARTIAL')).toGive('no success', !counts)
    expect(answer, clauseOf(product, 'ERR-CANCEL-PARTIAL')).toRefuseAsStated()
    if (product === 'v1-park-b') return void (await act.cancelled(order))
    let { id } = order
    let rest = await cancelTheRestOf(check, id)
    // The supplier may refuse the other ticket too, but hardly every time.
    for (let time = 1; time < RESTS && v1ErrorsOf(rest).includes(REFUSED); time++) {
      id = (await cancelledInPart(check)).order.id
      rest = await cancelTheRestOf(check, id)
    }
    await independently(
      // A ticket that was not kept cancelled would be tried again, and refuse this time.
      async () => expect(rest, 'V1-PARK-A-STATE-PARTIAL-KEPT').toSucceed(),
      async () => {
        expect(rest, 'V1-PARK-A-CANCEL-REST').toHaveStatus(200)
        expect(rest, 'V1-PARK-A-CANCEL-REST').not.toBeFlagged('already_cancelled')
      },
      async () => expect(rest, 'V1-PARK-A-STATE-FIRST-CANCEL').not.toBeFlagged('already_cancelled'),
      async () => {
        if (rest.response.status >= 300) return
        const again = await untilSupplierAnswers(() => cancelOnce(check, id), 'a cancellation')
        expect(again, 'V1-PARK-A-STATE-ALREADY-CANCELLED').toBeFlagged('already_cancelled')
      },
    )
  })

  test('is refused with the documented error if no ticket can be cancelled', {
    tags: product => [clauseOf(product, 'ERR-CANCEL-NONE')],
  }, async check => {
    const clause = clauseOf(check.arrange.product, 'ERR-CANCEL-NONE')
    // A plain refusal shows another state.
    await isRefusedEachTime(check, 'notCancellable', clause, [REFUSED])
  })

  for (const [product, kind, clause, others] of UNAVAILABLE) {
    test(
      `is answered with the documented error during an outage (${kind}, ${product})`,
      {
        tags: [clause],
        kinds: [product],
      },
      async check => isRefusedEachTime(check, kind, clause, others),
    )
  }
})
