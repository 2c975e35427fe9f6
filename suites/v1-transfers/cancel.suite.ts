import { independently } from '../../fixtures/check/independently.ts'
import { unknownIdLike } from '../../fixtures/check/v1/refusals.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { at, textOf } from '../../fixtures/contracts/reading.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

/** Orders whose cancellation is tried: a supplier may refuse one, in words that the document does not show. */
const ORDERS = 3

/** What an error says, with the id that was asked for left out. */
const saidBy = ({ response }: Exchange, id: unknown): string => {
  const said = ['error', 'message', 'code'].map(key => textOf(at(response.json, key) ?? null))
  return `${response.status} ${said.join(' / ')}`.replaceAll(String(id), '…')
}

describe('transferCancelation', () => {
  test('an order of the account is cancelled', {
    tags: ['V1-TRANSFER-CANCEL'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    for (let time = 1; ; time++) {
      const answer = await act.cancel(await arrange.order())
      if (answer.response.status === 400 && time < ORDERS) continue
      expect(answer).toSucceed()
      return
    }
  })

  test('an order that does not exist, or is cancelled already, is refused', {
    tags: ['V1-TRANSFER-CANCEL-TWICE', 'V1-TRANSFER-CANCEL-UNKNOWN', 'V1-TRANSFER-NO-CURRENCY'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    const order = await arrange.order()
    await act.cancelled(order)
    await independently(
      async () => {
        expect(await act.cancel(order), 'V1-TRANSFER-CANCEL-TWICE').toHaveStatus(400)
        expect(await act.cancel(order), 'V1-TRANSFER-CANCEL-TWICE').toHaveStatus(400)
      },
      async () => {
        const unknown = { id: unknownIdLike(order.id) }
        expect(await act.cancel(unknown), 'V1-TRANSFER-CANCEL-UNKNOWN').toHaveStatus(400)
      },
    )
  })

  test('an order of another company is refused, and stays', {
    tags: ['V1-TRANSFER-CANCEL-FOREIGN', 'V1-TRANSFER-CANCEL-FOREIGN-UNTOUCHED'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, expect }) => {
    const owner = await arrange.actor('otherCompany')
    const order = await arrange.order({ actor: owner })
    await independently(
      async () => {
        expect(await act.cancel(order), 'V1-TRANSFER-CANCEL-FOREIGN').toHaveStatus(400)
      },
      // One that was cancelled could not be cancelled again.
      async () => {
        expect(await act.cancel(order, owner), 'V1-TRANSFER-CANCEL-FOREIGN-UNTOUCHED').toSucceed()
      },
    )
  })

  test('whatever cannot be cancelled gets the same answer', {
    tags: ['V1-TRANSFER-CANCEL-SAME-ANSWER'],
    kinds: ['v1-transfers'],
  }, async ({ arrange, act, claim }) => {
    const owner = await arrange.actor('otherCompany')
    const foreign = await arrange.order({ actor: owner })
    const own = await arrange.order()
    await act.cancelled(own)
    const ids = [own.id, foreign.id, unknownIdLike(own.id)]
    const answers: Exchange[] = []
    for (const id of ids) answers.push(await act.cancel({ id }))
    assume(
      answers.every(({ response }) => response.status >= 400),
      'cancellations that are refused',
    )
    const said = answers.map((answer, index) => saidBy(answer, ids[index]))
    claim('V1-TRANSFER-CANCEL-SAME-ANSWER', new Set(said).size === 1, {
      tried: 'Cancelling an order that is cancelled, one of another company, and one that does not exist',
      expected: 'the same answer to all three',
      observed: [...new Set(said)].join('; '),
      exchanges: answers,
    })
  })
})
