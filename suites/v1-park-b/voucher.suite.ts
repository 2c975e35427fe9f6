import { isLimited, repeatsOf } from '../../fixtures/check/buying/index.ts'
import { claimLinkOpens, openAsNobody, pathOf, type V1Order } from '../../fixtures/check/v1/index.ts'
import { flagged } from '../../fixtures/contracts/index.ts'
import { type Actor, assume, describe, independently, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-b'] as const

/** Statuses of a link that is closed or missing. */
const CLOSED = [401, 403, 404, 409]

const linkOf = ({ shown, exchange }: Pick<V1Order, 'shown' | 'exchange'>): string =>
  pathOf(shown.pdf_voucher, exchange)

describe('the link in pdf_voucher', () => {
  test('opens without a credential, more than once, for every kind of ticket', {
    tags: ['AUTH-V1-PARK-B-LINK'],
    kinds,
  }, async check => {
    const { arrange, act } = check
    const opens = async (order: V1Order, by?: Actor) => {
      await act.voucher(order, by)
      for (let time = 1; time <= repeatsOf(arrange); time++) await claimLinkOpens(check, order.exchange)
    }
    await independently(
      async () => opens(await arrange.order()),
      async () => {
        if (!arrange.trafficIsFree) return
        for (const turn of arrange.unusualTurns) await opens(await arrange.unusualOrder(undefined, turn))
      },
      // The voucher of a live order is private, but opens all the same.
      async () => {
        if (!arrange.trafficIsFree) return
        const by = await arrange.actor('live')
        await opens(await arrange.order({ actor: by }), by)
      },
    )
  })

  test('opens from the answer to a repeat too', { tags: ['AUTH-V1-PARK-B-LINK'], kinds }, async check => {
    const { v1, arrange, act } = check
    const order = await arrange.order()
    await act.voucher(order)
    const again = await v1.parkB.confirm(order.body)
    assume(flagged(again, 'idempotent_replay'), 'a repeat that is marked as one (idempotent_replay: true)')
    await claimLinkOpens(check, again)
  })

  test('answers at once, whether or not the file is ready', {
    tags: ['V1-PARK-B-CONFIRM-PDF-EARLY'],
    kinds,
  }, async check => {
    const { arrange, control, expect } = check
    const actor = await arrange.actor()
    const order = await arrange.order({
      async offer() {
        const offer = await arrange.offer({ actor })
        if (control.offers('setOutcome'))
          await control.setOutcome(actor, 'book', { kind: 'success', voucher: 'pending' })
        return offer
      },
    })
    const answer = await openAsNobody(check, linkOf(order))
    assume(!isLimited(answer), 'a voucher link that is not over its rate limit')
    const { status } = answer.response
    const isOpen = !CLOSED.includes(status) && status < 500
    expect(answer, 'V1-PARK-B-CONFIRM-PDF-EARLY').toGive('a page or a file', isOpen)
  })
})
