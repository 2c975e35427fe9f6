import { v1ErrorsOf } from '../../fixtures/check/buying/legal-answers.ts'
import { independently } from '../../fixtures/check/evidence/independently.ts'
import { at } from '../../fixtures/contracts/reading.ts'
import { assume, describe, test } from '../../fixtures/test.ts'
import { refusedAsArranged } from './confirmations.ts'

const NOT_YOURS = "Can't cancel this ticket."
const NOT_CANCELLED = "Can't cancel order"
const TWO_ADULTS = { adults: 2, children: 0 }

describe('POST /api/v1/parkB/ticketCancelation', () => {
  test('cancels a test order of the account, once', {
    tags: ['V1-PARK-B-CANCEL-SUCCESS', 'TEST-MODE-V1-PARK-B-CANCEL-TWICE'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, act, expect }) => {
    const order = await arrange.order()
    expect(await act.cancel(order), 'V1-PARK-B-CANCEL-SUCCESS').toShow('success', true)
    await arrange.testCredential()
    const again = await v1.parkB.cancel({ id_order: order.id })
    expect(again, 'TEST-MODE-V1-PARK-B-CANCEL-TWICE').toRefuseAsStated()
  })

  test('cancels an order once, and its voucher with it', {
    tags: [
      'V1-PARK-B-STATE-CANCEL-TWICE',
      'V1-PARK-B-ERR-CANCEL-TWICE',
      'V1-PARK-B-STATE-CANCELLED-VOUCHER',
      'V1-PARK-B-ERR-VOUCHER-CANCELLED',
    ],
    kinds: ['v1-park-b'],
  }, async ({ arrange, act, expect }) => {
    const by = await arrange.actor('live')
    const order = await arrange.order({ actor: by })
    await act.voucher(order, by)
    await act.cancelled(order, by)
    const isGone = async () => {
      const answer = await by.v1.parkB.voucher({ order_id: order.id })
      expect(answer, 'V1-PARK-B-STATE-CANCELLED-VOUCHER').not.toSucceed()
      expect(answer, 'V1-PARK-B-ERR-VOUCHER-CANCELLED').toRefuseAsStated()
    }
    await independently(isGone, async () => {
      for (let repeat = 1; repeat <= 2; repeat++) {
        const again = await by.v1.parkB.cancel({ id_order: order.id })
        expect(again, 'V1-PARK-B-STATE-CANCEL-TWICE').not.toSucceed()
        expect(again, 'V1-PARK-B-ERR-CANCEL-TWICE').toRefuseAsStated()
      }
    })
    await isGone()
  })

  test('that the operator refuses says so', {
    tags: ['V1-PARK-B-ERR-CANCEL-REFUSED'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, act, control, expect, claim }) => {
    const order = await arrange.order()
    await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'refused' })
    const answer = refusedAsArranged(assume.supplierAsked(await v1.parkB.cancel({ id_order: order.id })))
    expect(answer).toRefuseAsStated()
    const again = await v1.parkB.cancel({ id_order: order.id })
    claim('V1-PARK-B-ERR-CANCEL-REFUSED', !v1ErrorsOf(again).includes(NOT_YOURS), {
      tried: 'Cancelling an order once more whose cancellation the operator refused',
      expected: 'an order that is still active',
      observed: NOT_YOURS,
      exchanges: [answer, again],
    })
    if (again.response.status >= 300) await act.cancelled(order)
  })

  test('of which some tickets refuse is no success, and says so', {
    tags: ['V1-PARK-B-STATE-PARTIAL', 'V1-PARK-B-ERR-CANCEL-PARTIAL'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, act, control, expect, claim }) => {
    const order = await arrange.order({ people: TWO_ADULTS })
    await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'partial' })
    const answer = assume.supplierAsked(await v1.parkB.cancel({ id_order: order.id }))
    if (at(answer.response.json, 'success') === true) {
      // What was cancelled as a whole cannot be cancelled again: then control had no effect.
      const again = await v1.parkB.cancel({ id_order: order.id })
      assume(again.response.status < 400, 'control whose outcomes have an effect')
      claim('V1-PARK-B-STATE-PARTIAL', false, {
        tried: 'Cancelling two tickets of which one refuses',
        expected: 'anything but success: true',
        observed: 'success: true, and tickets that could be cancelled afterwards',
        exchanges: [answer, again],
      })
    }
    claim('V1-PARK-B-STATE-PARTIAL', true, {
      tried: 'Cancelling two tickets of which one refuses',
      expected: 'anything but success: true',
      observed: 'no success',
      exchanges: [answer],
    })
    expect(answer, 'V1-PARK-B-ERR-CANCEL-PARTIAL').toRefuseAsStated()
    await act.cancelled(order)
  })

  test('of an order none of whose tickets can be cancelled says so', {
    tags: ['V1-PARK-B-ERR-CANCEL-NONE'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, act, control, expect }) => {
    const order = await arrange.order()
    await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'notCancellable' })
    const answer = refusedAsArranged(assume.supplierAsked(await v1.parkB.cancel({ id_order: order.id })))
    // What control does about operator B is its own affair: a plain refusal is another state.
    assume(!v1ErrorsOf(answer).includes(NOT_CANCELLED), 'control after which no ticket can be cancelled')
    expect(answer).toRefuseAsStated()
    await act.cancelled(order)
  })
})
