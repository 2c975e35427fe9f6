import { setTimeout as pause } from 'node:timers/promises'
import {
  claimNoneMore,
  hasBrokenDown,
  isMarketRefusal,
  isPutRight,
  letGo,
  toldWhileHeld,
} from '../../fixtures/check/buying/index.ts'
import type { Offer } from '../../fixtures/check/products/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { bookingOf, flagged, type JsonObject, textOf } from '../../fixtures/contracts/index.ts'
import {
  assume,
  blocked,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  type Exchange,
  independently,
  orOrdinary,
  outcomeOf,
  type ProductCheck,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor(...EVERY_KIND)

const MINUTE = 60
/** Milliseconds within which a booking that is not held ends. */
const SECOND = 1000
/** An answer may take this many times as long as another one. */
const LATER_BY = 3
/** Milliseconds within which an answer arrives that was sent before another one. */
const ON_ITS_WAY = 10_000

/**
 * Sends a booking twice while its source keeps it running. One is held and the other is answered; which is which does not
 * matter.
 */
async function bookTwiceWhileHeld(
  { v2, arrange, control, now }: ProductCheck,
  offers?: readonly [Offer, ...Offer[]],
) {
  const actor = await arrange.actor()
  const [offer, ...others] = offers ?? [await arrange.offer()]
  const [key, body] = [arrange.key(), arrange.anyBody([offer, ...others])]
  await control.setOutcome(actor, 'book', { kind: 'hold' })
  const sentAt = performance.now()
  const { told, answers } = await toldWhileHeld(
    {
      ...{ trafficIsFree: arrange.trafficIsFree, control, actor },
      read: async () => actor.send(arrange.cheapRead('v2')),
    },
    [v2.book({ key, body }), v2.book({ key, body })],
  )
  // The deployment's time is known only after an answer.
  const began = now(actor) - (performance.now() - sentAt)
  // If both have ended, nothing was held: control may accept without effect.
  const isOver = Promise.all(answers).then(() => true)
  assume(
    control.trusted ||
      !(await Promise.race([isOver, pause(SECOND + LATER_BY * (told?.milliseconds ?? 0), false)])),
    'control that holds a booking',
  )
  if (told !== undefined && isMarketRefusal(told)) {
    await letGo(control, actor, answers)
    assume(false, `an offer that is not refused meanwhile: ${outcomeOf(told)} (exchange ${told.id})`)
  }
  const held = async () =>
    (await Promise.all(answers)).find(answer => answer !== undefined && answer !== told)
  return { actor, key, offer, body, told, held, began, answers: [...answers] }
}

describe('Idempotency-Key: while the first request runs', () => {
  test('a repeat is told that the booking is in progress, and replays it afterwards', {
    kinds: EVERY_SORT,
    tags: ['V2-IDEM-IN-PROGRESS', 'V2-IDEM-IN-PROGRESS-THEN-REPLAY', 'V2-ERR-STATUS-BOOKING-IN-PROGRESS'],
  }, async context => {
    const { v2, arrange, control, expect, claim } = context
    const several = async () => {
      assume(arrange.realIsFree, 'a deployment on which bookings of several items are free')
      await arrange.booking({ items: 2 })
      return arrange.offersTogether(2)
    }
    const offers = await orOrdinary<readonly [Offer, ...Offer[]] | undefined>(several, async () => undefined)
    const { actor, key, body, told, held, answers } = await bookTwiceWhileHeld(context, offers)
    try {
      claim('V2-IDEM-IN-PROGRESS', told !== undefined, {
        tried: 'Repeating a booking whose first attempt is still running',
        expected: 'BOOKING_IN_PROGRESS',
        observed: 'no answer within seconds',
        exchanges: [],
      })
      expect(told!, 'V2-IDEM-IN-PROGRESS').toFailWith('BOOKING_IN_PROGRESS')
      const more = v2.book({ key, body }).catch(() => undefined)
      answers.push(more)
      const next = await Promise.race([more, pause(SECOND, undefined)])
      // A repeat may wait for the first attempt, the first attempt may have ended, or the market may refuse.
      if (next !== undefined && next.response.status >= 400 && !isMarketRefusal(next))
        expect(next, 'V2-IDEM-IN-PROGRESS').toFailWith('BOOKING_IN_PROGRESS')
    } finally {
      await letGo(control, actor, answers)
    }
    const first = await held()
    if (first === undefined) throw blocked('the held booking ended without an answer')
    assume(!isMarketRefusal(first), 'a held booking that the market does not refuse once released')
    assume.notPending(assume.accepted(first, 'the held booking once released'))
    await v2.book({ key, body })
  })

  // Offers are tied to a credential, so other answers to the second credential are open.
  test('a colleague books nothing with its key meanwhile', {
    tags: ['V2-IDEM-COMPANY-SHARED'],
  }, async context => {
    const { act, arrange, control } = context
    control.require('mint')
    const { tenant, modes } = await arrange.actor()
    const colleague = await arrange.actor('otherCompany', { companyOf: tenant, modes })
    const own = async () => arrange.body(await arrange.offer({ actor: colleague }))
    await act.booked('the same booking with a key of its own', { by: colleague, body: await own() })
    const mine: JsonObject = await own()
    const { actor, key, body, answers } = await bookTwiceWhileHeld(context)
    const theirs = Promise.all([mine, body].map(one => colleague.v2.book({ key, body: one })))
    try {
      // Waiting for the first attempt is as good as a refusal.
      await Promise.race([theirs, pause(SECOND)])
    } finally {
      await letGo(control, actor, answers)
    }
    await theirs
  })

  test('it is free for another company', {
    tags: ['V2-IDEM-COMPANIES-APART'],
  }, async context => {
    const { act, arrange, control, expect } = context
    const stranger = await arrange.actor('otherCompany')
    const offer = () => arrange.offer({ actor: stranger })
    // The offer is found first: nothing else may be held meanwhile.
    await offer()
    const { actor, key, answers } = await bookTwiceWhileHeld(context)
    try {
      const body = async () => arrange.body(await offer())
      expect((await act.book({ by: stranger, key, body })).answer).toHaveStatus(201, 202)
    } finally {
      await letGo(control, actor, answers)
    }
  })

  test('another body is refused as one for a key in progress, or for a used one', {
    kinds: EVERY_SORT,
    tags: ['V2-IDEM-REUSED-REFERENCE', 'V2-IDEM-REUSED-OFFER'],
  }, async context => {
    const { v2, arrange, control, expect } = context
    const other = await arrange.offer()
    const { actor, key, offer, told, answers } = await bookTwiceWhileHeld(context)
    try {
      assume(told !== undefined, 'a repeat that is answered while its first attempt is running')
      assume(other.offerId !== offer.offerId, 'two different offers')
      // Both clauses apply. If the first attempt has ended after all, only the second does.
      const refused = async (clause: ClauseId, body: unknown) => {
        const reused = await v2.book({ key, body })
        expect(reused, clause).toFailWith('BOOKING_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED')
        expect(reused, clause).toHaveStatus(409)
      }
      await independently(
        () => refused('V2-IDEM-REUSED-REFERENCE', arrange.anyBody([offer], 'another reference')),
        () => refused('V2-IDEM-REUSED-OFFER', arrange.anyBody([other])),
      )
    } finally {
      await letGo(control, actor, answers)
    }
  })

  test('a key in progress for fourteen minutes is still in progress', {
    tags: ['V2-IDEM-NOT-ABANDONED-EARLY'],
  }, async context => {
    const { v2, control, expect, now } = context
    const { actor, key, offer, body, held, began, answers } = await bookTwiceWhileHeld(context)
    try {
      await control.advanceClock(actor, 14 * MINUTE)
      const repeated = await v2.book({ key, body })
      // A held request may end by itself, after some seconds or when the clock moves: then the replay is not too early.
      const isReplay = flagged(repeated, 'idempotent_replay')
      const isOver = isReplay && (await Promise.race([held().then(() => true), pause(ON_ITS_WAY, false)]))
      assume(!isOver, 'a booking that runs for fourteen minutes')
      // A minute of real time may have passed too, or the clock was moved to test it.
      assume(now(actor) - began < 15 * MINUTE * 1000, 'a repeat within fifteen minutes')
      assume(!isPutRight(offer.exchange, repeated, 14 * MINUTE), STEADY)
      expect(repeated).toFailWith('BOOKING_IN_PROGRESS')
    } finally {
      await letGo(control, actor, answers)
    }
  })

  test('a key in progress for more than fifteen minutes is abandoned: a repeat starts the booking again', {
    tags: ['V2-IDEM-ABANDONED'],
    opportunistic: ['V2-IDEM-REPLAY-STATUS'],
  }, async context => {
    const { v2, act, control, expect } = context
    const { actor, key, offer, body, held, answers } = await bookTwiceWhileHeld(context)
    const late = 15 * MINUTE + 30
    let second: Exchange
    let third: Exchange
    try {
      await control.advanceClock(actor, late)
      second = (await act.book({ key, body: async () => body, judged: false })).answer
      third = await v2.book({ key, body })
    } finally {
      await letGo(control, actor, answers)
    }
    // The result of the held first attempt is open: it may have ended with a booking when the clock moved. If its answer was
    // lost, a replay may show that booking.
    const first = await held()
    const [made] = first ? idsOf([first]) : []
    const isLost = first === undefined || hasBrokenDown(first)
    const isSame = isLost ? flagged(second, 'idempotent_replay') : idsOf([second])[0] === made
    assume(
      !isSame || (!isLost && made === undefined),
      'a booking that is still running when its key is abandoned',
    )
    assume(!isPutRight(offer.exchange, second, late), STEADY)
    expect(second).toHaveStatus(201, 202)
    // What was started again has ended, and is repeated as any booking is.
    if (second.response.status === 201) expect(third, 'V2-IDEM-REPLAY-STATUS').toHaveStatus(200)
  })
})

const STEADY = 'a clock that is not put right meanwhile'

const idsOf = (answers: readonly Exchange[]) => [
  ...new Set(answers.flatMap(answer => bookingOf(answer)?.booking_id ?? []).map(textOf)),
]

/** Sends bookings with one key at once, and repeats the first: after a 409, what became of the others is unknown. */
async function raceOf(context: ProductCheck, clause: ClauseId, bodies: readonly JsonObject[]): Promise<void> {
  const { v2, arrange, control, claim } = context
  arrange.requireConcurrency()
  const actor = await arrange.actor()
  const before = await control.counted(actor)
  const key = arrange.key()
  const answers = await Promise.all(bodies.map(body => v2.book({ key, body })))
  answers.push(await v2.book({ key, body: bodies[0]! }))
  const after = await control.counted(actor)
  assume(idsOf(answers).length > 0, 'bookings at once of which one is made')
  claimNoneMore({ claim }, clause, {
    tried: `${bodies.length} bookings at once under one key`,
    // One of them books.
    ...{ before: before === undefined ? undefined : before + 1, after, exchanges: answers },
  })
}

describe('Idempotency-Key: races', () => {
  test('identical bookings at once make one booking', {
    tags: ['V2-IDEM-RACE-ONE-BOOKING', 'V2-IDEM-RACE-ONE-CREATED', 'V2-IDEM-RACE-ANSWERS'],
  }, async context => {
    const { arrange } = context
    for (const size of arrange.trafficIsFree ? [2, 12] : [3]) {
      // The offer first: finding one may need a trial booking.
      const body = arrange.anyBody([await arrange.offer()])
      await raceOf(context, 'V2-IDEM-RACE-ONE-BOOKING', Array(size).fill(body))
    }
  })

  test('different bodies at once under one key make one booking', {
    tags: ['V2-IDEM-RACE-BODIES'],
  }, async context => {
    const { arrange } = context
    const offers = await arrange.offers(arrange.trafficIsFree ? 4 : 3)
    const bodies = offers.map((offer, index) => arrange.anyBody([offer], `body ${index}`))
    await raceOf(context, 'V2-IDEM-RACE-BODIES', bodies)
  })
})
