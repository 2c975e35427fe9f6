import { isLimited, isVoucherMissing } from '../../fixtures/check/buying/legal-answers.ts'
import { untilSupplierAnswers } from '../../fixtures/check/buying/until-judged.ts'
import { outcomeOf } from '../../fixtures/check/evidence/outcome.ts'
import type { V1Order } from '../../fixtures/check/v1/arrange.ts'
import { openAsNobody, pathOf } from '../../fixtures/check/v1/voucher-links.ts'
import { flagged, isObject } from '../../fixtures/contracts/reading.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import { assume, describe, test } from '../../fixtures/test.ts'
import { type ParkBCheck, type ParkBOffer, refusedAsArranged } from './confirmations.ts'

type Order = V1Order<ParkBOffer>

const isPdf = ({ response }: Exchange): boolean =>
  Buffer.from(response.body.subarray(0, 1024)).includes('%PDF-')

/** An order whose voucher control keeps back. */
async function orderWithoutVoucher({ arrange, control }: ParkBCheck): Promise<Order> {
  const actor = await arrange.actor()
  return arrange.order({
    async offer() {
      const offer = await arrange.offer()
      await control.setOutcome(actor, 'book', { kind: 'success', voucher: 'pending' })
      return offer
    },
  })
}

describe('GET /api/v1/parkB/pdf', () => {
  test('answers a PDF once there is one', {
    tags: ['V1-PARK-B-PDF', 'CACHE-V1-PARK-B-PDF'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, act, expect }) => {
    const order = await arrange.order()
    await act.voucher(order)
    for (let download = 2; download <= 3; download++) {
      const voucher = await v1.parkB.voucher({ order_id: order.id })
      expect(voucher, 'V1-PARK-B-PDF').toSucceed()
      expect(voucher, 'V1-PARK-B-PDF').toBePdf()
    }
  })

  test('right after a confirmation answers a PDF, or that it is not published yet', {
    tags: ['V1-PARK-B-PDF'],
    opportunistic: ['V1-PARK-B-ERR-VOUCHER-NOT-YET'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, expect }) => {
    const order = await arrange.order()
    const answer = await untilSupplierAnswers(() => v1.parkB.voucher({ order_id: order.id }), 'a voucher')
    assume(!isLimited(answer), 'a credential that is not past its limit')
    if (answer.response.status === 409) {
      expect(answer, 'V1-PARK-B-ERR-VOUCHER-NOT-YET').toSay('VOUCHER_NOT_GENERATED')
      assume(false, 'an order whose voucher is there at once')
    }
    expect(answer, 'V1-PARK-B-PDF').toHaveStatus(200)
  })

  test('of a cancelled test order is gone, every time', {
    tags: ['TEST-MODE-V1-PARK-B-CANCELLED-VOUCHER'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, act, expect }) => {
    await arrange.testCredential()
    const order = await arrange.order()
    await act.voucher(order)
    await act.cancelled(order)
    for (let download = 1; download <= 2; download++) {
      const answer = await v1.parkB.voucher({ order_id: order.id })
      expect(answer).toRefuseAsStated()
    }
  })

  test('is refused before the voucher is published, and served then', {
    tags: [
      'V1-PARK-B-STATE-VOUCHER-WAITS',
      'V1-PARK-B-ERR-VOUCHER-NOT-YET',
      'V1-PARK-B-STATE-VOUCHER-PUBLISHED',
    ],
    kinds: ['v1-park-b'],
  }, async check => {
    const { v1, arrange, control, expect } = check
    // Only where others have theirs at once, one that has none shows that control keeps it back.
    const ordinary = await v1.parkB.voucher({ order_id: (await arrange.order()).id })
    assume(ordinary.response.status === 200, 'orders whose voucher is there at once')
    const order = await orderWithoutVoucher(check)
    const early = await v1.parkB.voucher({ order_id: order.id })
    expect(early, 'V1-PARK-B-STATE-VOUCHER-WAITS').not.toBePdf()
    expect(early, 'V1-PARK-B-ERR-VOUCHER-NOT-YET').toRefuseAsStated()
    await control.publishVouchers(await arrange.actor())
    const published = await v1.parkB.voucher({ order_id: order.id })
    expect(published, 'V1-PARK-B-STATE-VOUCHER-PUBLISHED').toHaveStatus(200)
    expect(published, 'V1-PARK-B-STATE-VOUCHER-PUBLISHED').toBePdf()
  })

  test('that cannot be made says so', {
    tags: ['V1-PARK-B-ERR-PDF-FAILED'],
    kinds: ['v1-park-b'],
  }, async ({ v1, arrange, act, control, expect }) => {
    const order = await arrange.order()
    await act.voucher(order)
    await control.setOutcome(await arrange.actor(), 'voucher', { kind: 'providerError' })
    const answer = refusedAsArranged(await v1.parkB.voucher({ order_id: order.id }))
    expect(answer).toRefuseAsStated()
    assume.accepted(await act.voucher(order), 'the same voucher later')
  })
})

/** Answers of a link that say that somebody may not open it, or that it is not there. */
const CLOSED = [401, 403, 404, 409]

const linkOf = ({ shown, exchange }: Order): string => pathOf(shown.pdf_voucher, exchange)

describe('the link in pdf_voucher', () => {
  test('opens without a credential', {
    tags: ['AUTH-V1-PARK-B-LINK'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { arrange, act, claim } = check
    const order = await arrange.order()
    await act.voucher(order)
    const answer = await openAsNobody(check, linkOf(order))
    assume(!isLimited(answer), 'a link that is not past its limit')
    const opened = answer.response.status < 300 && !isObject(answer.response.json)
    claim('AUTH-V1-PARK-B-LINK', opened, {
      tried: 'Opening the pdf_voucher of an order without a credential',
      expected: 'a PDF or a page',
      observed: outcomeOf(answer),
      exchanges: [order.exchange, answer],
    })
  })

  test('opens where a repeat shows it, too', {
    tags: ['AUTH-V1-PARK-B-LINK'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { v1, arrange, act, claim } = check
    const order = await arrange.order()
    await act.voucher(order)
    const again = await v1.parkB.confirm(order.body)
    const shown = again.response.json
    assume(flagged(again, 'idempotent_replay') && isObject(shown), 'a repeat that says that it is one')
    const answer = await openAsNobody(check, linkOf({ ...order, shown, exchange: again }))
    assume(!isLimited(answer), 'a link that is not past its limit')
    const opened = answer.response.status < 300 && !isObject(answer.response.json)
    claim('AUTH-V1-PARK-B-LINK', opened, {
      tried: 'Opening the pdf_voucher of a repeat without a credential',
      expected: 'a PDF or a page',
      observed: outcomeOf(answer),
      exchanges: [again, answer],
    })
  })

  test('answers at once, whether or not there is a file yet', {
    tags: ['V1-PARK-B-CONFIRM-PDF-EARLY'],
    kinds: ['v1-park-b'],
  }, async check => {
    const { v1, arrange, control, claim } = check
    const order = control.offers('setOutcome') ? await orderWithoutVoucher(check) : await arrange.order()
    const answer = await openAsNobody(check, linkOf(order))
    const early = await v1.parkB.voucher({ order_id: order.id })
    // A file that is there already shows the same of the link as a page would.
    assume(!isLimited(answer), 'a link that is not past its limit')
    const { status } = answer.response
    claim('V1-PARK-B-CONFIRM-PDF-EARLY', !CLOSED.includes(status) && status < 500, {
      tried: `Opening the pdf_voucher of an order at once, ${isVoucherMissing(early) ? 'before its file is ready' : 'its file being ready'}`,
      expected: 'anything but 401, 403, 404, 409 and 5xx',
      observed: isPdf(answer) ? 'a PDF' : outcomeOf(answer),
      exchanges: [order.exchange, answer],
    })
  })
})
