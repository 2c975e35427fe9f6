import { repeatsOf } from '../../fixtures/check/buying/index.ts'
import { foreignTo } from '../../fixtures/check/sending/index.ts'
import { cancel, claimCancelled, unknownIdLike } from '../../fixtures/check/v1/index.ts'
import { assume, describe, type Exchange, testFor, wordsOf } from '../../fixtures/test.ts'

const test = testFor('v1-transfers')

describe('transferCancelation', () => {
  test('cancels an order of the account', {
    tags: ['V1-TRANSFER-CANCEL'],
    forReal: true,
  }, async context => {
    const { id } = await context.arrange.unusualOrder()
    await claimCancelled(context, 'V1-TRANSFER-CANCEL', id)
  })

  test('refuses an order that is already cancelled', {
    tags: ['V1-TRANSFER-CANCEL-TWICE', 'V1-TRANSFER-NO-CURRENCY'],
  }, async context => {
    const { arrange, act, expect } = context
    const order = await arrange.unusualOrder()
    await act.cancelled(order)
    for (let repeat = 1; repeat <= repeatsOf(arrange); repeat++)
      expect(await cancel(context, order.id), 'V1-TRANSFER-CANCEL-TWICE').toHaveStatus(400)
  })

  test('an order whose cancellation the supplier refuses keeps its voucher', {
    tags: ['V1-TRANSFER-CANCEL-REFUSED-KEPT'],
  }, async context => {
    const { arrange, act, control, expect } = context
    await arrange.testCredential()
    const order = await arrange.order()
    await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'refused' })
    const { status } = assume.supplierAsked(await cancel(context, order.id)).response
    assume(status >= 400 && status < 500, 'control.setOutcome that makes a cancellation be refused')
    // The voucher of a cancelled test order answers 410.
    expect(await act.voucher(order)).not.toHaveStatus(410)
  })

  test('unknown, foreign and cancelled orders get the same answer', {
    tags: ['V1-TRANSFER-CANCEL-SAME-ANSWER'],
  }, async context => {
    const { arrange, act, expect } = context
    // Where companies count their ids for themselves, the one that books less has few of the other's.
    const by = await arrange.actor('otherCompany')
    const own = await arrange.order({ actor: by })
    await act.cancelled(own, by)
    const foreign = await foreignTo(by, () => arrange.order())
    assume.foreign(foreign.id, by)
    const ids = [own.id, foreign.id, unknownIdLike(own.id)]
    const answers: Exchange[] = []
    for (const id of ids) answers.push(await cancel(context, id, by))
    assume(
      answers.every(({ response }) => response.status >= 400),
      'cancellations that are refused',
    )
    const asked = answers.map((answer, index) => ({ id: ids[index]!, answer }))
    const words = await wordsOf(asked, id => cancel(context, id, by))
    expect.claim('V1-TRANSFER-CANCEL-SAME-ANSWER', new Set(words).size === 1, {
      tried: 'Cancelling an order that is cancelled, one of another company, and one that does not exist',
      expected: 'the same answer to all three',
      observed: [...new Set(words)].join('; '),
      exchanges: answers,
      compare: { of: 'alike' },
    })
  })
})
