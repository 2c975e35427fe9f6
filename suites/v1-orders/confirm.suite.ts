import {
  claimNoneMore,
  isAway,
  isInProgress,
  isMarketRefusal,
  v1ErrorsOf,
} from '../../fixtures/check/buying/index.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  assumeStatedOrSoldTo,
  claimAccepted,
  clauseOf,
  PARKS,
  type Park,
  type ParkCheck,
  refusedAsArranged,
  ticketsFor,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { assume, describe, independently, type Outcome, refusalOf, test } from '../../fixtures/test.ts'

describe('ticketConfirm', () => {
  test('returns an order id and a link to the voucher', {
    tags: product => [
      product === 'v1-park-a' ? 'V1-PARK-A-CONFIRM-FIRST-NO-REPLAY' : 'V1-PARK-B-CONFIRM-FIRST-NO-REPLAY',
      clauseOf(product, 'CONFIRM-SUCCESS'),
      clauseOf(product, 'CONFIRM-CODE'),
      clauseOf(product, 'CONFIRM-ID'),
      clauseOf(product, 'CONFIRM-PDF'),
      product === 'v1-park-a' ? 'V1-PARK-A-CONFIRM-REQUEST-ID' : 'V1-PARK-B-CONFIRM-NO-REQUEST-ID',
    ],
    kinds: PARKS,
  }, async ({ act, arrange, expect }) => {
    const { answer } = await act.booked('an order')
    expect(answer).not.toBeFlagged('idempotent_replay')
    if (!arrange.trafficIsFree) return
    for (const turn of arrange.unusualTurns)
      expect((await arrange.unusualOrder(undefined, turn)).exchange).not.toBeFlagged('idempotent_replay')
  })

  test('accepts its passengers in any order', {
    tags: product => [clauseOf(product, 'PAX-ANY-ORDER')],
    kinds: PARKS,
  }, async check => {
    const { arrange } = check
    await claimAccepted(check, {
      clause: clauseOf(arrange.product, 'PAX-ANY-ORDER'),
      tried: 'Confirming tickets for an adult and a child with the child first',
      async make() {
        const beside = arrange.anyBody(await arrange.offer({ people: { adults: 1, children: 1 } }))
        return { tested: { ...beside, pax: (beside.pax as unknown[]).toReversed() }, beside }
      },
    })
  })
})

interface Failure {
  product: Park
  /** Completes the title. */
  how: string
  outcome: Outcome
  clause: ClauseId
  /** The clause that nothing was booked. */
  nothing?: ClauseId
}

/** Outcomes at the source of an order, and their refusals. */
const FAILURES: readonly Failure[] = [
  {
    product: 'v1-park-a',
    how: 'because it failed is refused, and can be repeated',
    outcome: { kind: 'providerError' },
    clause: 'V1-PARK-A-ERR-PROVIDER',
    nothing: 'V1-PARK-A-ERR-PROVIDER-NOTHING',
  },
  {
    product: 'v1-park-a',
    how: 'because selling is paused is refused, and nothing is ordered',
    outcome: { kind: 'providerUnavailable' },
    clause: 'V1-PARK-A-ERR-UNAVAILABLE',
    nothing: 'V1-PARK-A-ERR-UNAVAILABLE-NOTHING',
  },
  {
    product: 'v1-park-a',
    how: 'because the request is invalid is refused with the documented error',
    outcome: { kind: 'expired' },
    clause: 'V1-PARK-A-ERR-INVALID',
  },
  {
    product: 'v1-park-a',
    how: 'because there is no availability is refused with the documented error',
    outcome: { kind: 'refused' },
    clause: 'V1-PARK-A-ERR-NO-AVAILABILITY',
  },
  {
    product: 'v1-park-a',
    how: 'in time is answered with the documented status',
    // It settles before the run ends, so that the end of the run knows that nothing was booked.
    outcome: { kind: 'unknown', settles: 'failed', afterSeconds: 1 },
    clause: 'V1-PARK-A-ERR-TIMEOUT',
  },
  {
    product: 'v1-park-b',
    how: 'because it does not answer is refused with the documented error',
    outcome: { kind: 'providerError' },
    clause: 'V1-PARK-B-ERR-PROVIDER',
  },
  {
    product: 'v1-park-b',
    how: 'because it is out of service is refused with the documented error',
    outcome: { kind: 'providerUnavailable' },
    clause: 'V1-PARK-B-ERR-UNAVAILABLE',
  },
]

/** The number of confirmations if the market refuses them for other reasons. */
const TRIES = 3

/** Confirms with an arranged outcome. Returns the counts before and after, too. */
async function confirmWith(check: ParkCheck, { outcome, clause }: Failure, people: V1People) {
  const { arrange, control } = check
  const by = await arrange.actor()
  const { words = [] } = refusalOf(clause) ?? {}
  for (let time = 1; ; time++) {
    const offer = await ticketsFor(check, people)
    const reference = arrange.reference()
    const before = await control.counted(by)
    await control.setOutcome(by, 'book', outcome)
    const answer = await arrange.adapter.book(by, { body: arrange.anyBody(offer), key: reference })
    const tried = { answer, offer, reference, before, after: await control.counted(by) }
    // A market may refuse for another reason first, and a source may be away by itself.
    const isStated = v1ErrorsOf(answer).some(error => words.includes(error))
    if (time === TRIES || isStated || !(isMarketRefusal(answer, words) || isAway(answer))) return tried
  }
}

/** Decides that a refused confirmation booked nothing: no order is counted, and a repeat finds none. */
async function claimNothing(
  { act, expect }: ParkCheck,
  clause: ClauseId,
  { answer, offer, reference, ...counts }: Awaited<ReturnType<typeof confirmWith>>,
) {
  assume(
    answer.response.status >= 400 && !isInProgress(answer),
    'control.setOutcome that makes a confirmation be refused',
  )
  const tried = 'Confirming a ticket that the supplier does not sell now'
  claimNoneMore({ expect }, clause, { ...counts, tried, answer })
  const { answer: again } = await act.book({ offer: async () => offer, key: reference })
  assume(!isInProgress(again), 'a confirmation whose result is known')
  assume.accepted(again, 'the same again')
  expect(again, clause).not.toBeFlagged('idempotent_replay')
}

describe('an order', () => {
  for (const failure of FAILURES) {
    const { product, how, clause, nothing } = failure
    test(`that the supplier does not make ${how}`, {
      tags: nothing === undefined ? [clause] : [clause, nothing],
      kinds: [product],
    }, async check => {
      const { arrange, act, control, expect } = check
      // Tickets for a family are of another brand, and for more than one.
      for (const people of arrange.drawn([ADULT, ADULT_AND_CHILD], 1)) {
        const tried = await confirmWith(check, failure, people)
        const { answer } = tried
        // The other words for operator B's absence count as arranged if they come every time.
        const isArranged = product === 'v1-park-b' && isAway(answer)
        const isOther = isMarketRefusal(answer, refusalOf(clause)?.words) || isInProgress(answer)
        await independently(
          async () => {
            const refusal = refusedAsArranged(answer, clause, isOther && !isArranged)
            await control.takeBackOutcomes()
            await assumeStatedOrSoldTo(check, { clause, answer, people }, async () =>
              arrange.anyBody(await ticketsFor(check, people)),
            )
            expect(refusal).toRefuseAsStated()
          },
          async () => {
            if (nothing !== undefined) return claimNothing(check, nothing, tried)
            await act.booked('the same later')
          },
        )
      }
    })
  }
})
