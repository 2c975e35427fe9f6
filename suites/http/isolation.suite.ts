import { pendingBooking, REFERENCE, settle, untilSupplierAnswers } from '../../fixtures/check/buying/index.ts'
import {
  type CallRow,
  clauseOfEndpoint,
  clausesOfCalls,
  clausesOfEndpoints,
  foreignTo,
  resend,
  V1_CALLS,
  V2_CALLS,
  vouchersOf,
} from '../../fixtures/check/sending/index.ts'
import { claimUntouched, seldomOrder, unknownIdLike } from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { errorCode } from '../../fixtures/contracts/index.ts'
import type { ProductId } from '../../fixtures/service/index.ts'
import {
  type Actor,
  assume,
  type BookingId,
  type Check,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  EVERY_V1_KIND,
  type Exchange,
  independently,
  type ProductCheck,
  test,
  type V1Check,
  wordsOf,
} from '../../fixtures/test.ts'

/** A booking, and the calls of its owner. */
interface Subject {
  check: Pick<Check, 'expect' | 'send' | 'arrange'>
  id: BookingId
  /** A text in its request that must not appear in answers to others. */
  mark: string
  ask(row: CallRow, by: Actor, id: BookingId): Promise<Exchange>
  isLive: boolean
  /** Resolves once its voucher is published, if it has one. */
  printed(): Promise<unknown>
  cancelled(): Promise<unknown>
}

async function v1Subject(check: V1Check, sort = 1, before?: () => Promise<void>): Promise<Subject> {
  const { arrange, act } = check
  const { adapter, product, kind } = arrange
  const { id, reference } =
    before === undefined
      ? await seldomOrder(arrange, await arrange.actor(), sort)
      : await arrange.order({
          async offer() {
            const offer = await arrange.offer()
            await before()
            return offer
          },
        })
  return {
    check,
    id,
    mark: reference,
    isLive: (await arrange.actor()).modes[kind] === 'live',
    ask: ({ call }, by, one) =>
      untilSupplierAnswers(
        () => (call === 'number' ? by.v1.hotels.number({ id_orden: one }) : adapter[call]!(by, one)),
        'a call about an order',
      ),
    printed: async () => product === 'v1-hotels' || assume.accepted(await act.voucher({ id }), 'its voucher'),
    cancelled: () => act.cancelled({ id }),
  }
}

/** Bodies of cancellations, in turn. */
const BODIES = [undefined, { reason: 'changed my mind' }, undefined, {}]

/** Returns an `ask` for API v2, which sends each cancellation of a booking with the next body. */
function askingV2(): Subject['ask'] {
  const turns = new Map<BookingId, number>()
  return ({ call }, by, id) => {
    if (call !== 'cancel') return call === 'voucher' ? by.v2.voucher(id) : by.v2.booking(id)
    const turn = turns.get(id) ?? 0
    turns.set(id, turn + 1)
    return by.v2.cancel(id, BODIES[turn % BODIES.length])
  }
}

async function v2Subject(check: ProductCheck, isMarked = true): Promise<Subject> {
  const { arrange, act } = check
  const mark = `ours-${arrange.key().slice(-12)}`
  const booked = await arrange.booking({ ...(isMarked && { externalReference: mark }) })
  return {
    check,
    id: booked.bookingId,
    mark,
    isLive: false,
    ask: askingV2(),
    async printed() {
      await arrange.voucherReady(booked)
      assume.accepted(await check.v2.voucher(booked.bookingId), 'its voucher')
    },
    cancelled: () => act.cancelled(booked),
  }
}

/** Returns ids that start like an existing one: a service that parses leniently would find it. */
const like = (id: BookingId): string[] => [`${id}x`, `${id}.5`]

/** An id of more than 32 bits, and one of fewer: services have ids of either length. */
const [LONG_ID, SHORT_ID] = [5_000_000_011, 1_234_567] as const

/** Requests bookings that do not exist. If requests are limited, one call in turn tries ids similar to an existing one. */
async function nobodys(rows: readonly CallRow[], subject: Subject, turn: number) {
  const { check, id, ask, isLive, cancelled } = subject
  const { trafficIsFree } = check.arrange
  const by = await check.arrange.actor()
  const judge = { expect: check.expect, isLive, isCancelled: false }
  await independently(
    ...rows.map((row, at) => async () => {
      const answer = await ask(row, by, unknownIdLike(id))
      await independently(
        () => row.answers(judge, answer, row.missing),
        () => row.inTest && !isLive && check.expect(answer, row.inTest).toHaveStatus(404),
        async () => {
          if (!trafficIsFree || typeof id !== 'number') return
          row.answers(judge, await ask(row, by, id < LONG_ID ? LONG_ID : SHORT_ID), row.missing)
        },
        async () => {
          if (!trafficIsFree) return
          const seller = await check.arrange.actor('live')
          const asSeller = { ...judge, isLive: seller.modes.hotels === 'live' }
          row.answers(asSeller, await ask(row, seller, unknownIdLike(id)), row.missing)
        },
        async () => {
          const tried = trafficIsFree ? 2 : at === turn % rows.length ? 1 : 0
          for (const other of like(id).slice(0, tried))
            check.expect(await ask(row, by, other), row.missing).not.toSucceed()
        },
      )
    }),
    // It exists under its own id.
    () => cancelled(),
  )
}

/** The clauses that calls about a booking are refused without a credential, and for one that nobody has. */
const closed = (product: ProductId, rows: readonly CallRow[]): ClauseId[] => [
  ...clausesOfEndpoints('authentication', product, ['reads', 'cancels', 'prints']),
  ...clausesOfCalls(rows, ['missing']),
]

/** Requests a booking as another company and without a credential, and a booking that does not exist. */
async function isHidden(
  rows: readonly CallRow[],
  { check, id, mark, ask, isLive }: Omit<Subject, 'printed' | 'cancelled'>,
  { stranger, isCancelled = false }: { stranger?: Actor; isCancelled?: boolean } = {},
) {
  const by = stranger ?? (await check.arrange.actor('otherCompany'))
  const { expect } = check
  const answers: Exchange[] = []
  await independently(
    ...rows.map(row => async () => {
      assume.foreign(id, by)
      const answer = await ask(row, by, id)
      assume.foreign(id, by)
      answers.push(answer)
      const { text } = answer.response
      // A leak is worse than a wrong error, so it is judged first.
      expect(answer, row.hidden ?? row.foreign).toGive(
        'nothing about it',
        !text.includes(mark),
        'its reference',
      )
      if (row.hidden !== undefined) expect(answer, row.hidden).not.toSucceed()
      row.answers({ expect, isLive, isCancelled }, answer, row.foreign)
      if (row.same === undefined) return
      const unknown = unknownIdLike(id)
      const none = await ask(row, by, unknown)
      const asked = [
        { id, answer },
        { id: unknown, answer: none },
      ]
      const [one, other] = await wordsOf(asked, id => ask(row, by, id))
      expect.claim(row.same, one === other, {
        tried: `Asking for the ${row.call} of another company's booking, and of one that does not exist`,
        expected: `the same answer: ${other}`,
        observed: String(one),
        exchanges: [answer, none],
        compare: { of: 'alike' },
      })
      row.answers({ expect, isLive, isCancelled: false }, none, row.missing)
    }),
    ...rows.map((_, at) => async () => {
      const answer = answers[at]
      if (answer === undefined || (isCancelled && !check.arrange.trafficIsFree)) return
      const nobodys = await resend(check, answer, { token: null })
      const clause = clauseOfEndpoint('authentication', nobodys)
      if (clause !== undefined) expect(nobodys, clause).toBeRefused()
    }),
  )
}

async function foreign(
  rows: readonly CallRow[],
  subject: Subject,
  stranger: Actor,
  untouched: () => Promise<unknown>,
) {
  await independently(
    () => isHidden(rows, subject, { stranger }),
    async () => {
      await subject.printed()
      await isHidden(rows, subject, { stranger })
    },
    async () => {
      await untouched()
      await isHidden(rows, subject, { stranger, isCancelled: true })
    },
  )
}

/** Returns a function by which control keeps the voucher of the next booking unpublished. */
const keepingBack =
  ({ arrange, control }: V1Check | ProductCheck, voucher: 'pending' | 'none' = 'pending') =>
  async () =>
    control.setOutcome(await arrange.actor(), 'book', { kind: 'success', voucher })

const UNTOUCHED = {
  'v1-hotels': 'V1-HOTEL-CANCEL-FOREIGN-UNTOUCHED',
  'v1-transfers': 'V1-TRANSFER-CANCEL-FOREIGN-UNTOUCHED',
  'v1-park-a': 'V1-PARK-A-CANCEL-FOREIGN-UNTOUCHED',
  'v1-park-b': 'V1-PARK-B-CANCEL-FOREIGN-UNTOUCHED',
} as const

describe('a booking that does not exist', () => {
  for (const product of EVERY_V1_KIND) {
    const rows = V1_CALLS[product]
    test(`is not found, nor one whose id is only the beginning of a real id (${product})`, {
      tags: clausesOfCalls(rows, ['missing', 'inTest']),
      kinds: [product],
    }, async check => {
      await nobodys(rows, await v1Subject(check as V1Check), EVERY_V1_KIND.indexOf(product))
    })
  }

  test('is not found, nor one whose id is only the beginning of a real id', {
    tags: [...clausesOfCalls(V2_CALLS, ['missing']), 'V2-ERR-STATUS-BOOKING-NOT-FOUND', 'CACHE-V2-ERROR'],
    kinds: EVERY_KIND,
  }, async check => {
    await nobodys(V2_CALLS, await v2Subject(check, false), EVERY_KIND.indexOf(check.arrange.kind))
  })
})

/** Products whose orders are requested at the endpoints of another product. The ids of each may be counted separately. */
const OTHERS = {
  'v1-hotels': ['v1-transfers', 'v1-park-a'],
  'v1-transfers': ['v1-park-a', 'v1-hotels'],
  'v1-park-a': ['v1-park-b', 'v1-transfers'],
  'v1-park-b': ['v1-park-a', 'v1-transfers'],
} as const

describe('an order of another product', () => {
  for (const product of EVERY_V1_KIND) {
    const rows = V1_CALLS[product]
    test(`cannot be read or cancelled as one of this product (${product})`, {
      tags: clausesOfCalls(rows, ['missing']),
      kinds: [product],
    }, async one => {
      const { arrange, beside, control, expect } = one as V1Check
      control.require('mint')
      const isNumber = (id: BookingId) => /^\d{1,15}$/.test(String(id))
      const own = (await arrange.order()).id
      // A company that has ordered nothing else.
      const by = await arrange.actor('standard', { modes: {} })
      await independently(
        ...OTHERS[product].flatMap(name => async () => {
          const other = beside(name)
          const { id } = await other.arrange.order({ actor: by })
          // The answer to an id of another form is not shown.
          assume(isNumber(own) && isNumber(id), 'two products with numeric ids')
          if (name !== 'v1-hotels') await other.act.voucher({ id }, by)
          const written = typeof own === 'string' ? String(id) : Number(id)
          await independently(
            ...rows.map(({ call, answers, missing }) => async () => {
              const ask = () =>
                call === 'number'
                  ? by.v1.hotels.number({ id_orden: written })
                  : arrange.adapter[call]!(by, written)
              const answer = await untilSupplierAnswers(ask, 'a call about an order')
              answers({ expect, isLive: false, isCancelled: false }, answer, missing)
            }),
          )
        }),
      )
    })
  }
})

describe('a booking of another company', () => {
  for (const product of EVERY_V1_KIND) {
    const rows = V1_CALLS[product]
    test(`is not found by any call, in any state (${product})`, {
      tags: [...clausesOfCalls(rows, ['foreign', 'hidden', 'same']), UNTOUCHED[product]],
      opportunistic: closed(product, rows),
      kinds: [product],
    }, async one => {
      const check = one as V1Check
      const stranger = await check.arrange.actor('otherCompany')
      for (const sort of check.arrange.unusualTurns) {
        const subject = await foreignTo(stranger, () => v1Subject(check, sort))
        await foreign(rows, subject, stranger, () => claimUntouched(check, UNTOUCHED[product], subject.id))
      }
    })
  }

  test('is not found by any call, in any state', {
    tags: [...clausesOfCalls(V2_CALLS, ['foreign', 'same']), 'TENANCY-V2-CANCEL-UNCHANGED'],
    opportunistic: closed('v2-transfers', V2_CALLS),
    kinds: EVERY_SORT,
  }, async check => {
    const { v2 } = check
    const stranger = await check.arrange.actor('otherCompany')
    const subject = await foreignTo(stranger, () => v2Subject(check))
    await v2.booking(subject.id)
    await foreign(V2_CALLS, subject, stranger, async () => {
      await v2.booking(subject.id)
      await subject.cancelled()
    })
  })

  for (const product of ['v1-park-a', 'v1-park-b'] as const) {
    const rows = vouchersOf(V1_CALLS[product])
    test(`shows no voucher before publication either (${product})`, {
      tags: clausesOfCalls(rows, ['foreign', 'hidden', 'same']),
      opportunistic: closed(product, rows),
      kinds: [product],
    }, async one => {
      const check = one as V1Check
      const subject = await v1Subject(check, 1, keepingBack(check))
      await isHidden(rows, subject)
    })
  }

  test('shows no voucher before publication, or if it has none', {
    tags: clausesOfCalls(vouchersOf(V2_CALLS), ['foreign', 'same']),
    opportunistic: closed('v2-transfers', V2_CALLS),
    kinds: EVERY_KIND,
  }, async check => {
    for (const voucher of ['pending', 'none'] as const) {
      await keepingBack(check, voucher)()
      const subject = await v2Subject(check)
      await isHidden(vouchersOf(V2_CALLS), subject)
    }
  })

  test('is not found after a partial cancellation', {
    tags: clausesOfCalls(V2_CALLS, ['foreign', 'same']),
    opportunistic: closed('v2-transfers', V2_CALLS),
    kinds: EVERY_KIND,
  }, async check => {
    const { v2, arrange, control } = check
    control.require('setOutcome')
    const offers = () => arrange.offersTogether(2)
    const { bookingId: id } = await arrange.cancellableBooking({ offers, externalReference: REFERENCE })
    await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'partial' })
    assume(errorCode(await v2.cancel(id)) === 'CANCELLATION_PARTIAL', 'a partially cancelled booking')
    const subject = { check, id, mark: REFERENCE, isLive: false, ask: askingV2() }
    await isHidden(V2_CALLS, subject)
  })

  test('is not found while its result is unknown, nor after it failed', {
    tags: clausesOfCalls(V2_CALLS, ['foreign', 'same']),
    opportunistic: closed('v2-transfers', V2_CALLS),
    kinds: EVERY_SORT,
  }, async check => {
    const { actor, bookingId: id } = await pendingBooking(check, 'failed')
    const subject = { check, id, mark: REFERENCE, isLive: false, ask: askingV2() }
    await isHidden(V2_CALLS, subject)
    if (!check.control.offers('advanceClock')) return
    await settle(check.control, actor)
    await check.v2.booking(id)
    await isHidden(V2_CALLS, subject)
  })
})
