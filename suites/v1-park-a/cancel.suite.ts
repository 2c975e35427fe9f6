import { isAway, v1ErrorsOf } from '../../fixtures/check/buying/legal-answers.ts'
import { untilSupplierAnswers } from '../../fixtures/check/buying/until-judged.ts'
import { independently } from '../../fixtures/check/evidence/independently.ts'
import type { V1Order } from '../../fixtures/check/v1/arrange.ts'
import type { ParkACheck } from '../../fixtures/check/v1/park-a-orders.ts'
import { at, flagged } from '../../fixtures/contracts/reading.ts'
import type { Outcome } from '../../fixtures/control.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

const REFUSED = "Can't cancel order"

/** Orders that are cancelled where a source may have been away. */
const TRIES = 3

/** Asks for a cancellation that may be refused, once the supplier answers. */
const cancel = ({ v1 }: ParkACheck, id_order: V1Order['id']) =>
  untilSupplierAnswers(() => v1.parkA.cancel({ id_order }), 'a cancellation')

/** Cancels an order once, with an outcome arranged at its source; another one where the source is away by itself. */
async function cancelWith({ v1, arrange, control }: ParkACheck, outcome: Outcome) {
  for (let time = 1; ; time++) {
    const order = await arrange.order()
    await control.setOutcome(await arrange.actor(), 'cancel', outcome)
    const answer = await v1.parkA.cancel({ id_order: order.id })
    assume(answer.response.status >= 400, 'control after which a cancellation is refused')
    if (!isAway(answer) || outcome.kind === 'providerUnavailable' || time === TRIES) return { order, answer }
  }
}

describe('POST /api/v1/parkA/ticketCancelation', () => {
  test('cancels an order, and says of a cancelled one that it is', {
    tags: [
      'V1-PARK-A-CANCEL-SUCCESS',
      'V1-PARK-A-STATE-FIRST-CANCEL',
      'V1-PARK-A-STATE-CANCEL-TWICE',
      'V1-PARK-A-STATE-ALREADY-CANCELLED',
    ],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, expect } = context
    const order = await arrange.order()
    const first = await act.cancel(order)
    expect(first, 'V1-PARK-A-CANCEL-SUCCESS').toSucceed()
    await independently(
      async () => {
        expect(first, 'V1-PARK-A-CANCEL-SUCCESS').toShow('success', true)
      },
      async () => {
        expect(first, 'V1-PARK-A-STATE-FIRST-CANCEL').not.toBeFlagged('already_cancelled')
      },
      async () => {
        for (let repeat = 1; repeat <= 2; repeat++) {
          const again = await cancel(context, order.id)
          expect(again, 'V1-PARK-A-STATE-CANCEL-TWICE').toHaveStatus(200)
          expect(again, 'V1-PARK-A-STATE-ALREADY-CANCELLED').toBeFlagged('already_cancelled')
        }
      },
    )
  })
})

/** Orders whose rest is refused as well before that is no coincidence. */
const RESTS = 4

/** Cancels an order of two tickets of which the second one refuses. */
async function cancelledInPart({ v1, arrange, control }: ParkACheck) {
  const by = await arrange.actor()
  const { id } = await arrange.order({ people: { adults: 2, children: 0 } })
  await control.setOutcome(by, 'cancel', { kind: 'partial', failing: [1] })
  const answer = await v1.parkA.cancel({ id_order: id })
  assume.supplierAsked(answer)
  if (answer.response.status < 400) {
    // Where nothing is left to cancel, control was asked in vain.
    const again = await v1.parkA.cancel({ id_order: id })
    assume(!flagged(again, 'already_cancelled'), 'control after which one of two tickets refuses')
  }
  return { id, answer }
}

/** Cancels what is left of it, where the ticket that is cancelled already would refuse. */
async function cancelTheRest({ v1, arrange, control }: ParkACheck, id: V1Order['id']) {
  await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'partial', failing: [0] })
  const answer = await v1.parkA.cancel({ id_order: id })
  return assume.supplierAsked(answer)
}

describe('a cancellation that the source of operator A does not make', () => {
  test('is refused, and leaves the order as it is', {
    tags: ['V1-PARK-A-ERR-CANCEL-REFUSED', 'V1-PARK-A-STATE-FIRST-CANCEL'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { act, expect } = context
    const { order, answer } = await cancelWith(context, { kind: 'refused' })
    expect(answer).toRefuseAsStated()
    const first = await act.cancelled(order)
    expect(first, 'V1-PARK-A-STATE-FIRST-CANCEL').not.toBeFlagged('already_cancelled')
  })

  test('in part is refused, and a repeat tries the rest alone', {
    tags: [
      'V1-PARK-A-STATE-PARTIAL',
      'V1-PARK-A-STATE-PARTIAL-KEPT',
      'V1-PARK-A-ERR-CANCEL-PARTIAL',
      'V1-PARK-A-CANCEL-REST',
      'V1-PARK-A-STATE-FIRST-CANCEL',
    ],
    kinds: ['v1-park-a'],
  }, async context => {
    const { expect, claim } = context
    const partly = await cancelledInPart(context)
    claim(
      'V1-PARK-A-STATE-PARTIAL',
      partly.answer.response.status >= 400 && at(partly.answer.response.json, 'success') !== true,
      {
        tried: 'Cancelling two tickets of which one refuses',
        expected: 'no success',
        observed: `${partly.answer.response.status}`,
        exchanges: [partly.answer],
      },
    )
    expect(partly.answer, 'V1-PARK-A-ERR-CANCEL-PARTIAL').toRefuseAsStated()
    let rest = await cancelTheRest(context, partly.id)
    // The supplier may refuse the other ticket as well, but hardly time after time.
    for (let time = 1; time < RESTS && v1ErrorsOf(rest).includes(REFUSED); time++) {
      rest = await cancelTheRest(context, (await cancelledInPart(context)).id)
    }
    await independently(
      // A ticket that was not kept cancelled would be tried again, and refuse this time.
      () => expect(rest, 'V1-PARK-A-STATE-PARTIAL-KEPT').toSucceed(),
      () => {
        expect(rest, 'V1-PARK-A-CANCEL-REST').toHaveStatus(200)
        expect(rest, 'V1-PARK-A-CANCEL-REST').not.toBeFlagged('already_cancelled')
      },
      () => expect(rest, 'V1-PARK-A-STATE-FIRST-CANCEL').not.toBeFlagged('already_cancelled'),
    )
  })

  test('for want of a ticket that can be cancelled is refused in those words', {
    tags: ['V1-PARK-A-ERR-CANCEL-NONE'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { act, expect } = context
    const { order, answer } = await cancelWith(context, { kind: 'notCancellable' })
    // What control does about operator A is its own affair: a plain refusal is another state.
    assume(!v1ErrorsOf(answer).includes(REFUSED), 'control after which no ticket can be cancelled')
    expect(answer).toRefuseAsStated()
    await act.cancelled(order)
  })

  test('because it cannot be made now says so', {
    tags: ['V1-PARK-A-ERR-CANCEL-UNAVAILABLE'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { act, expect } = context
    const { order, answer } = await cancelWith(context, { kind: 'providerUnavailable' })
    expect(answer).toRefuseAsStated()
    await act.cancelled(order)
  })
})
