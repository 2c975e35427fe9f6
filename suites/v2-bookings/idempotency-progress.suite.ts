import { claimNoneMore } from '../../fixtures/check/buying/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { bookingOf, type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import {
  assume,
  bookTwice,
  bookWith,
  by,
  describe,
  EVERY_KIND,
  type Exchange,
  type ProductCheck,
  pass,
  released,
  repeat,
  story,
  test,
} from '../../fixtures/test.ts'

const kinds = EVERY_KIND

describe('Idempotency-Key: while the first request runs', () => {
  story(
    [bookTwice, repeat, repeat('with another reference'), repeat('with another offer'), released, repeat],
    {
      for: [
        'V2-IDEM-IN-PROGRESS',
        'V2-IDEM-IN-PROGRESS-THEN-REPLAY',
        'V2-ERR-STATUS-BOOKING-IN-PROGRESS',
        'V2-IDEM-REUSED-REFERENCE',
        'V2-IDEM-REUSED-OFFER',
      ],
      needs: ['control:outcome'],
      over: { items: ['2'] },
    },
  )

  story([bookTwice, by('colleague', bookWith('its key'), repeat), released], {
    for: ['V2-IDEM-COMPANY-SHARED'],
    kinds,
    needs: ['control:outcome', 'control:mint'],
  })

  story([bookTwice, by('another company', bookWith('its key')), released], {
    for: ['V2-IDEM-COMPANIES-APART'],
    kinds,
    needs: ['control:outcome', 'role:otherCompany'],
  })

  story([bookTwice, pass({ minutes: 14 }), repeat, pass({ minutes: 1.5 }), repeat, repeat, released], {
    for: ['V2-IDEM-NOT-ABANDONED-EARLY', 'V2-IDEM-ABANDONED', 'V2-IDEM-REPLAY-STATUS'],
    kinds,
    needs: ['control:outcome', 'control:clock'],
  })
})

const idsOf = (answers: readonly Exchange[]) => [
  ...new Set(answers.flatMap(answer => bookingOf(answer)?.booking_id ?? []).map(textOf)),
]

/** Sends bookings with one key at once, and repeats the first: after a 409, what became of the others is unknown. */
async function raceOf(context: ProductCheck, clause: ClauseId, bodies: readonly JsonObject[]): Promise<void> {
  const { v2, arrange, control, expect } = context
  arrange.requireConcurrency()
  const actor = await arrange.actor()
  const before = await control.counted(actor)
  const key = arrange.key()
  const answers = await Promise.all(bodies.map(body => v2.book({ key, body })))
  answers.push(await v2.book({ key, body: bodies[0]! }))
  const after = await control.counted(actor)
  assume(idsOf(answers).length > 0, 'concurrent bookings, one of them successful')
  claimNoneMore({ expect }, clause, {
    tried: `${bodies.length} concurrent bookings under one key`,
    // One of them books.
    before: before === undefined ? undefined : before + 1,
    after,
    exchanges: answers,
  })
}

describe('Idempotency-Key: races', () => {
  test('identical concurrent requests make one booking', {
    tags: ['V2-IDEM-RACE-ONE-BOOKING', 'V2-IDEM-RACE-ONE-CREATED', 'V2-IDEM-RACE-ANSWERS'],
    kinds: EVERY_KIND,
  }, async context => {
    const { arrange } = context
    for (const size of arrange.trafficIsFree ? [2, 12] : [3]) {
      // The offer first: finding one may need a trial booking.
      const body = arrange.anyBody([await arrange.offer()])
      await raceOf(context, 'V2-IDEM-RACE-ONE-BOOKING', Array(size).fill(body))
    }
  })

  test('different concurrent bodies under one key make one booking', {
    tags: ['V2-IDEM-RACE-BODIES'],
    kinds: EVERY_KIND,
  }, async context => {
    const { arrange } = context
    const offers = await arrange.offers(arrange.trafficIsFree ? 4 : 3)
    const bodies = offers.map((offer, index) => arrange.anyBody([offer], `body ${index}`))
    await raceOf(context, 'V2-IDEM-RACE-BODIES', bodies)
  })
})
