import type { Actor } from '../../fixtures/check/actor.ts'
import { independently } from '../../fixtures/check/independently.ts'
import type { V1Order } from '../../fixtures/check/v1/arrange.ts'
import { askToCancel, unknownIdLike } from '../../fixtures/check/v1/refusals.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Exchange } from '../../fixtures/client/exchange.ts'
import { at, isObject, textOf } from '../../fixtures/contracts/reading.ts'
import { assume, describe, test, type V1Check } from '../../fixtures/test.ts'

type TransferCheck = V1Check<'v1-transfers'>
type OrderId = V1Order['id']

/** Asks for a cancellation that may be refused, once the supplier answers. */
const cancel = async ({ arrange }: TransferCheck, id: OrderId, by?: Actor) =>
  askToCancel({ adapter: arrange.adapter, by: by ?? (await arrange.actor()) }, id)

/** What an error says, with the id that was asked for left out. */
const saidBy = ({ response }: Exchange, id: unknown): string => {
  const said = ['error', 'message', 'code'].map(key => textOf(at(response.json, key) ?? null))
  return `${response.status} ${said.join(' / ')}`.replaceAll(String(id), '…')
}

/** The names of what an error consists of. */
const fieldsOf = ({ response: { json } }: Exchange): string[] =>
  isObject(json) ? Object.keys(json).sort() : []

/** Cancellations that are tried before their refusal is judged. */
const TRIES = 3

/**
 * Decides a clause by whether a cancellation succeeds. A supplier may refuse it, in words that the document does not
 * show; but not in those for an order that does not exist.
 */
async function claimCancelled(context: TransferCheck, clause: ClauseId, id: OrderId, by?: Actor) {
  for (let time = 1; ; time++) {
    const answer = await cancel(context, id, by)
    const refused = answer.response.status === 400
    if (refused && time < TRIES) continue
    if (refused) {
      const unknown = unknownIdLike(id)
      const missing = await cancel(context, unknown, by)
      assume(
        saidBy(answer, id) === saidBy(missing, unknown),
        'a supplier that does not refuse a cancellation',
      )
    }
    context.expect(answer, clause).toSucceed()
    return
  }
}

describe('transferCancelation', () => {
  test('an order of the account is cancelled', {
    tags: ['V1-TRANSFER-CANCEL'],
    kinds: ['v1-transfers'],
  }, async context => {
    const { id } = await context.arrange.order()
    await claimCancelled(context, 'V1-TRANSFER-CANCEL', id)
  })

  test('an order that does not exist, or is cancelled already, is refused', {
    tags: ['V1-TRANSFER-CANCEL-TWICE', 'V1-TRANSFER-CANCEL-UNKNOWN', 'V1-TRANSFER-NO-CURRENCY'],
    kinds: ['v1-transfers'],
  }, async context => {
    const { arrange, act, expect } = context
    const order = await arrange.order()
    await independently(
      async () => {
        const unknown = await cancel(context, unknownIdLike(order.id))
        expect(unknown, 'V1-TRANSFER-CANCEL-UNKNOWN').toHaveStatus(400)
      },
      async () => {
        await act.cancelled(order)
        expect(await cancel(context, order.id), 'V1-TRANSFER-CANCEL-TWICE').toHaveStatus(400)
        expect(await cancel(context, order.id), 'V1-TRANSFER-CANCEL-TWICE').toHaveStatus(400)
      },
    )
  })

  test('an order of another company is refused, and stays', {
    tags: ['V1-TRANSFER-CANCEL-FOREIGN', 'V1-TRANSFER-CANCEL-FOREIGN-UNTOUCHED'],
    kinds: ['v1-transfers'],
  }, async context => {
    const { arrange, expect } = context
    const owner = await arrange.actor('otherCompany')
    const order = await arrange.order({ actor: owner })
    await independently(
      async () => {
        expect(await cancel(context, order.id), 'V1-TRANSFER-CANCEL-FOREIGN').toHaveStatus(400)
      },
      // One that was cancelled could not be cancelled again.
      async () => claimCancelled(context, 'V1-TRANSFER-CANCEL-FOREIGN-UNTOUCHED', order.id, owner),
    )
  })

  test('whatever cannot be cancelled gets the same answer', {
    tags: ['V1-TRANSFER-CANCEL-SAME-ANSWER'],
    kinds: ['v1-transfers'],
  }, async context => {
    const { arrange, act, claim } = context
    const owner = await arrange.actor('otherCompany')
    const foreign = await arrange.order({ actor: owner })
    const own = await arrange.order()
    await act.cancelled(own)
    const ids = [own.id, foreign.id, unknownIdLike(own.id)]
    const answers: Exchange[] = []
    for (const id of ids) answers.push(await cancel(context, id))
    assume(
      answers.every(({ response }) => response.status >= 400),
      'cancellations that are refused',
    )
    const said = answers.map(
      (answer, index) => `${saidBy(answer, ids[index])}, with ${fieldsOf(answer).join(' and ')}`,
    )
    claim('V1-TRANSFER-CANCEL-SAME-ANSWER', new Set(said).size === 1, {
      tried: 'Cancelling an order that is cancelled, one of another company, and one that does not exist',
      expected: 'the same answer to all three',
      observed: [...new Set(said)].join('; '),
      exchanges: answers,
    })
  })
})
