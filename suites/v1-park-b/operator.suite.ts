import { isAway, isMarketRefusal } from '../../fixtures/check/buying/legal-answers.ts'
import { letGo, toldWhileHeld } from '../../fixtures/check/buying/release-held-bookings.ts'
import { replayed } from '../../fixtures/check/v1/references.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import { assume, describe, test } from '../../fixtures/test.ts'
import { refusedAsArranged } from './confirmations.ts'

const AWAY = 'External API error'
const OUT_OF_SERVICE = 'Service unavailable'
const isEmpty = ({ response: { json } }: Exchange): boolean => Array.isArray(json) && json.length === 0

/** Confirmations that are sent where the market refuses them for another reason. */
const TRIES = 3

describe('where operator B does not answer', () => {
  test('the catalog says so', {
    tags: ['V1-PARK-B-ERR-CATALOG-UNREACHABLE'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, control, expect }) => {
    const actor = await arrange.actor()
    const usual = assume.accepted(await v1.parkB.catalog({}), 'a catalog')
    for (const kind of ['providerError', 'garbled'] as const) {
      await control.setOutcome(actor, 'catalog', { kind })
      const answer = await v1.parkB.catalog({})
      // A list that is empty now, and was not before, shows that the control had its effect.
      if (!isEmpty(answer) || isEmpty(usual)) refusedAsArranged(answer)
      expect(answer).toRefuseAsStated()
    }
    assume.accepted(await v1.parkB.catalog({}), 'the catalog later')
  })

  for (const [kind, status, error, clause] of [
    ['providerError', 502, AWAY, 'V1-PARK-B-ERR-PROVIDER'],
    ['providerUnavailable', 503, OUT_OF_SERVICE, 'V1-PARK-B-ERR-UNAVAILABLE'],
  ] as const) {
    test(`a confirmation says so (${kind})`, {
      tags: [clause],
      kinds: ['v1-park-b'],
    }, async ({ v1, arrange, act, control, expect }) => {
      const actor = await arrange.actor()
      const fail = async () => {
        const body = arrange.anyBody(await arrange.offer())
        await control.setOutcome(actor, 'book', { kind })
        return v1.parkB.confirm({ ...body, external_reference: arrange.reference() })
      }
      let answer = await fail()
      // A market may refuse for another reason first. That it is away in other words every time was arranged.
      for (let again = 1; again < TRIES && isMarketRefusal(answer, [error]); again++) {
        answer = await fail()
      }
      assume(isAway(answer) || !isMarketRefusal(answer, [error]), 'tickets that are not refused otherwise')
      expect(refusedAsArranged(answer)).toHaveStatus(status)
      expect(answer).toSay(error)
      await control.setOutcome(actor, 'book', { kind: 'success' })
      await act.booked('the same later')
    })

    test(`a cancellation says so (${kind})`, {
      tags: [clause],
      kinds: ['v1-park-b'],
    }, async ({ v1, arrange, act, control, expect }) => {
      const order = await arrange.order()
      await control.setOutcome(await arrange.actor(), 'cancel', { kind })
      const answer = refusedAsArranged(await v1.parkB.cancel({ id_order: order.id }))
      expect(answer).toHaveStatus(status)
      expect(answer).toSay(error)
      await act.cancelled(order)
    })
  }
})

describe('while a confirmation of operator B runs', () => {
  test('a repeat is told so', {
    tags: ['V1-PARK-B-ERR-RUNNING'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, control, expect, claim }) => {
    const actor = await replayed(arrange)
    const body = { ...arrange.anyBody(await arrange.offer()), external_reference: arrange.reference() }
    await control.setOutcome(actor, 'book', { kind: 'hold' })
    const { told, answers } = await toldWhileHeld({ trafficIsFree: arrange.trafficIsFree, control, actor }, [
      v1.parkB.confirm(body),
      v1.parkB.confirm(body),
    ])
    try {
      assume(told === undefined || !isMarketRefusal(told), 'tickets that are not refused meanwhile')
      assume(told === undefined || told.response.status >= 400, 'control whose outcomes have an effect')
      claim('V1-PARK-B-ERR-RUNNING', told !== undefined, {
        tried: 'Repeating a confirmation that is still running',
        expected: 'ORDER_CONFIRMATION_IN_PROGRESS',
        observed: 'no answer within seconds',
        exchanges: [],
      })
      expect(told!).toRefuseAsStated()
    } finally {
      await letGo(control, actor, answers)
    }
    const first = (await Promise.all(answers)).find(
      answer => answer !== undefined && answer.response.status < 300,
    )
    assume(first !== undefined, 'a confirmation that is accepted once it is let go on')
  })
})
