import { isVoucherMissing } from '../../fixtures/check/buying/legal-answers.ts'
import { untilSupplierAnswers } from '../../fixtures/check/buying/until-judged.ts'
import { independently } from '../../fixtures/check/evidence/independently.ts'
import { outcomeOf } from '../../fixtures/check/evidence/outcome.ts'
import type { V1Order } from '../../fixtures/check/v1/arrange.ts'
import type { ParkACheck } from '../../fixtures/check/v1/park-a-orders.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import { describe, test } from '../../fixtures/test.ts'

/** Asks for a voucher once, published or not. */
const download = ({ v1 }: ParkACheck, order_id: V1Order['id']) =>
  untilSupplierAnswers(() => v1.parkA.voucher({ order_id }), 'a voucher')

const isPdf = ({ response }: Exchange) =>
  response.status < 300 && Buffer.from(response.body.subarray(0, 1024)).includes('%PDF-')

describe('GET /api/v1/parkA/pdf', () => {
  test('serves the voucher of an order, or says that it is not published yet', {
    tags: ['V1-PARK-A-PDF', 'V1-PARK-A-PDF-AT-ONCE'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, expect, claim } = context
    const order = await arrange.order()
    const atOnce = await download(context, order.id)
    claim('V1-PARK-A-PDF-AT-ONCE', isPdf(atOnce) || isVoucherMissing(atOnce), {
      tried: 'Downloading the voucher of an order that was just made',
      expected: 'a PDF, or 409 VOUCHER_NOT_GENERATED',
      observed: outcomeOf(atOnce),
      exchanges: [order.exchange, atOnce],
    })
    expect(await act.voucher(order), 'V1-PARK-A-PDF').toBePdf()
    for (let again = 1; again <= 2; again++) {
      expect(await download(context, order.id), 'V1-PARK-A-PDF').toBePdf()
    }
  })

  test('does not serve the voucher of a cancelled order any more', {
    tags: ['V1-PARK-A-STATE-CANCELLED-VOUCHER', 'V1-PARK-A-ERR-VOUCHER-CANCELLED'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, expect } = context
    const order = await arrange.order()
    await act.cancelled(order)
    for (let time = 1; time <= 2; time++) {
      const gone = await download(context, order.id)
      expect(gone, 'V1-PARK-A-STATE-CANCELLED-VOUCHER').not.toBePdf()
      expect(gone, 'V1-PARK-A-ERR-VOUCHER-CANCELLED').toRefuseAsStated()
    }
  })

  test('serves a voucher once it is published, and not before', {
    tags: [
      'V1-PARK-A-STATE-VOUCHER-WAITS',
      'V1-PARK-A-ERR-VOUCHER-NOT-YET',
      'V1-PARK-A-STATE-VOUCHER-PUBLISHED',
    ],
    kinds: ['v1-park-a'],
  }, async context => {
    const { arrange, act, control, expect } = context
    const by = await arrange.actor()
    const order = await arrange.order({
      async offer() {
        const offer = await arrange.offer()
        await control.setOutcome(by, 'book', { kind: 'success', voucher: 'pending' })
        return offer
      },
    })
    const waiting = await download(context, order.id)
    await independently(
      async () => {
        expect(waiting, 'V1-PARK-A-STATE-VOUCHER-WAITS').not.toBePdf()
        expect(waiting, 'V1-PARK-A-ERR-VOUCHER-NOT-YET').toRefuseAsStated()
      },
      async () => {
        await control.publishVouchers(by)
        expect(await act.voucher(order), 'V1-PARK-A-STATE-VOUCHER-PUBLISHED').toBePdf()
      },
    )
  })
})
