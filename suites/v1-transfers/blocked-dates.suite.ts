import { spread } from '../../fixtures/check/products/index.ts'
import { attemptAtAnyTotal, claimRefused } from '../../fixtures/check/v1/index.ts'
import { addDays, assume, describe, test, type V1Check } from '../../fixtures/test.ts'

/** Transfers that are looked at where requests cost somebody something. */
const FEW = 2

/**
 * Days on which a transfer has no price, nor a week later, and an offer of another day. One day alone may be sold out.
 */
async function findBlocked({ arrange }: V1Check<'v1-transfers'>) {
  const by = await arrange.actor()
  const { adapter } = arrange
  const people = { adults: 1, children: 0 }
  const transfers = await adapter.transfers(by)
  for (const transfer of arrange.trafficIsFree ? spread(transfers) : transfers.slice(0, FEW)) {
    const from = adapter.day()
    const ask = async (day: number) => {
      const date = addDays(from, day)
      return adapter.offerOf(transfer, date, people, await adapter.price(by, transfer, date, people))
    }
    const week = []
    for (let day = 0; day < 7; day++) week.push(await ask(day))
    const offer = week.find(one => one !== undefined)
    if (offer === undefined) continue
    const blocked = []
    for (const [day, one] of week.entries()) {
      if (one !== undefined || (await ask(day + 7)) !== undefined) continue
      blocked.push({ date: addDays(from, day), stillHasNone: async () => (await ask(day)) === undefined })
      if (!arrange.trafficIsFree) break
    }
    if (blocked.length > 0) return { offer, blocked }
  }
  return undefined
}

describe('transferConfirm for a blocked date', () => {
  test('is refused', {
    tags: ['V1-TRANSFER-CONFIRM-BLOCKED-DATE', 'CACHE-V1-TRANSFER-CATALOG', 'V1-TRANSFER-NO-CURRENCY'],
    kinds: ['v1-transfers'],
  }, async context => {
    const { v1, act, arrange } = context
    const blocked = await findBlocked(context)
    assume(blocked !== undefined, 'a transfer that has no price on the same day of two weeks')
    const { offer } = blocked
    for (const { date, stillHasNone } of blocked.blocked) {
      const send = (total: number) =>
        v1.transfers.confirm({
          ...arrange.adapter.altered(offer, { date, total }),
          external_reference: arrange.reference(),
        })
      const answer = await attemptAtAnyTotal(send, offer.total)
      assume(await stillHasNone(), 'a day that goes on having no price')
      claimRefused(context, 'V1-TRANSFER-CONFIRM-BLOCKED-DATE', {
        tried: `Confirming a transfer for ${date}, a day on which it has no price`,
        answer,
      })
    }
    await act.booked('the same for another day', { body: arrange.body(offer) })
  })
})
