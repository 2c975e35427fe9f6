import { isInProgress, v1ErrorsOf } from '../../fixtures/check/buying/legal-answers.ts'
import { letGo, toldWhileHeld } from '../../fixtures/check/buying/release-held-bookings.ts'
import { independently } from '../../fixtures/check/evidence/independently.ts'
import type { ParkACheck } from '../../fixtures/check/v1/park-a-orders.ts'
import { replayed } from '../../fixtures/check/v1/references.ts'
import { isRefusedOrder } from '../../fixtures/check/v1/refusals.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import type { Outcome } from '../../fixtures/control.ts'
import type { Exchange } from '../../fixtures/exchange.ts'
import { addDays, assume, describe, test } from '../../fixtures/test.ts'

/** Error strings of part 7.3 that a failure at the source may be told with. */
const DOCUMENTED = [
  'Price changed.',
  'No availability for the selected date.',
  'Ticket not found.',
  'Date not available',
  'Invalid request',
  'Error generating the order with provider. Please try again.',
  'ORDER_CONFIRMATION_IN_PROGRESS',
  'External API error',
  'Pricing unavailable',
  'Provider unavailable',
]

/** Decides a clause by an answer that was arranged: one in other documented words shows another state. */
function claimSaid({ expect }: ParkACheck, clause: ClauseId, answer: Exchange, status: number, text: string) {
  const others = DOCUMENTED.filter(one => one !== text)
  assume(isRefusedOrder(answer), 'control after which a request is refused')
  assume(!v1ErrorsOf(answer).some(one => others.includes(one)), 'control that arranges just this refusal')
  expect(answer, clause).toHaveStatus(status)
  expect(answer, clause).toSay(text)
}

/** Confirms with an outcome arranged at the source, and what would show that something was booked all the same. */
async function confirmWith({ v1, arrange, control }: ParkACheck, outcome: Outcome) {
  const by = await arrange.actor()
  const offer = await arrange.offer()
  const reference = arrange.reference()
  const before = await control.counted(by)
  await control.setOutcome(by, 'book', outcome)
  const answer = await v1.parkA.confirm({ ...arrange.anyBody(offer), external_reference: reference })
  return { answer, offer, reference, before, after: await control.counted(by) }
}

/** Decides a clause by whether a refused confirmation booked nothing: no order is counted, and none is found again. */
async function claimNothing(
  { act, arrange, claim, expect }: ParkACheck,
  clause: ClauseId,
  { answer, offer, reference, before, after }: Awaited<ReturnType<typeof confirmWith>>,
) {
  assume(isRefusedOrder(answer) && !isInProgress(answer), 'control after which a confirmation is refused')
  if (before !== undefined) {
    claim(clause, after === before, {
      tried: 'Confirming a ticket that the source does not sell now',
      expected: `${before} orders as before`,
      observed: `${after}`,
      exchanges: [answer],
    })
  }
  const { answer: again } = await act.book({ body: arrange.body(offer), key: reference })
  assume(!isInProgress(again), 'a confirmation whose result is known')
  assume.accepted(again, 'the same again')
  expect(again, clause).not.toBeFlagged('idempotent_replay')
}

describe('an order of operator A that its source does not make', () => {
  test('because it failed is refused, and can be repeated', {
    tags: ['V1-PARK-A-ERR-PROVIDER', 'V1-PARK-A-ERR-PROVIDER-NOTHING'],
    kinds: ['v1-park-a'],
  }, async context => {
    const tried = await confirmWith(context, { kind: 'providerError' })
    await independently(
      async () => {
        const text = 'Error generating the order with provider. Please try again.'
        claimSaid(context, 'V1-PARK-A-ERR-PROVIDER', tried.answer, 400, text)
      },
      () => claimNothing(context, 'V1-PARK-A-ERR-PROVIDER-NOTHING', tried),
    )
  })

  test('because selling is paused says so, and nothing is created', {
    tags: ['V1-PARK-A-ERR-UNAVAILABLE', 'V1-PARK-A-ERR-UNAVAILABLE-NOTHING'],
    kinds: ['v1-park-a'],
  }, async context => {
    const tried = await confirmWith(context, { kind: 'providerUnavailable' })
    await independently(
      async () => claimSaid(context, 'V1-PARK-A-ERR-UNAVAILABLE', tried.answer, 503, 'Provider unavailable'),
      () => claimNothing(context, 'V1-PARK-A-ERR-UNAVAILABLE-NOTHING', tried),
    )
  })

  test('as it was sent is refused in those words', {
    tags: ['V1-PARK-A-ERR-INVALID'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { answer } = await confirmWith(context, { kind: 'expired' })
    claimSaid(context, 'V1-PARK-A-ERR-INVALID', answer, 400, 'Invalid request')
  })

  test('for want of availability is refused in those words', {
    tags: ['V1-PARK-A-ERR-NO-AVAILABILITY'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { answer } = await confirmWith(context, { kind: 'refused' })
    const text = 'No availability for the selected date.'
    claimSaid(context, 'V1-PARK-A-ERR-NO-AVAILABILITY', answer, 400, text)
  })

  test('in time is told by its status', {
    tags: ['V1-PARK-A-ERR-TIMEOUT'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { answer } = await confirmWith(context, { kind: 'unknown', settles: 'failed', afterSeconds: 60 })
    claimSaid(context, 'V1-PARK-A-ERR-TIMEOUT', answer, 502, 'External API error')
  })
})

describe('a price of operator A that its source does not tell', () => {
  test('says so', {
    tags: ['V1-PARK-A-ERR-NO-PRICING', 'V1-PARK-A-ERR-TIMEOUT'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { v1, arrange, act, control } = context
    const by = await arrange.actor()
    const offer = await arrange.offer()
    const product_id = offer.productData.family.adult?.product_id
    const question = { product_id, from_date: offer.date, to_date: addDays(offer.date, 1) }
    await independently(
      async () => {
        await control.setOutcome(by, 'check', { kind: 'providerUnavailable' })
        const answer = await v1.parkA.price(question)
        claimSaid(context, 'V1-PARK-A-ERR-NO-PRICING', answer, 503, 'Pricing unavailable')
      },
      async () => {
        await control.setOutcome(by, 'check', { kind: 'providerError' })
        const answer = await v1.parkA.price(question)
        claimSaid(context, 'V1-PARK-A-ERR-TIMEOUT', answer, 502, 'External API error')
      },
    )
    await act.checked('the same price', offer)
  })
})

describe('an order of operator A that is still being made', () => {
  test('is told to whoever repeats it', {
    tags: ['V1-PARK-A-ERR-RUNNING'],
    kinds: ['v1-park-a'],
  }, async context => {
    const { v1, arrange, control, expect } = context
    const by = await replayed(arrange)
    const body = { ...arrange.anyBody(await arrange.offer()), external_reference: arrange.reference() }
    await control.setOutcome(by, 'book', { kind: 'hold' })
    const { told, answers } = await toldWhileHeld(
      { trafficIsFree: arrange.trafficIsFree, control, actor: by },
      [v1.parkA.confirm(body), v1.parkA.confirm(body)],
    )
    try {
      assume(told !== undefined, 'an answer to one of two equal confirmations while the other one runs')
      assume(isRefusedOrder(told), 'control that keeps a confirmation running')
      assumeRunning(told)
      expect(told).toRefuseAsStated()
    } finally {
      await letGo(control, by, answers)
    }
  })
})

/** Ends the check where the market refused the order before it could run. */
function assumeRunning(told: Exchange): void {
  const market = DOCUMENTED.filter(text => text !== 'ORDER_CONFIRMATION_IN_PROGRESS')
  assume(!v1ErrorsOf(told).some(text => market.includes(text)), 'an order that is not refused meanwhile')
}
