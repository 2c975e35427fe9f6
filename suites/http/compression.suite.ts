import { GZIP } from '../../fixtures/check/sending/index.ts'
import { bookingOf, isSurelyLarge } from '../../fixtures/contracts/index.ts'
import { assume, describe, test } from '../../fixtures/test.ts'

/** Enough items for a booking of more than 1 KB, whatever that means. */
const MANY_ITEMS = 5
/** Enough missing fields for an error of more than 1 KB. */
const MANY_MISTAKES = 50

describe('compression of v2 answers', () => {
  test('a large booking is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-BOOKING'],
    kinds: 'any',
  }, async ({ v2, act, arrange }) => {
    const body = arrange.body(await arrange.offersTogether(MANY_ITEMS))
    const { answer } = await act.booked('a large booking', {
      what: body,
      spelled: { headers: GZIP },
    })
    const { booking_id } = bookingOf(assume.notPending(answer)) ?? {}
    assume.accepted(await v2.booking(booking_id as number, { headers: GZIP }), 'a large booking that is read')
    // The answer to a cancellation has the booking too. If it is refused, the end of the check cancels.
    await v2.cancel(booking_id as number, undefined, { headers: GZIP })
    assume(isSurelyLarge(answer), 'a booking of more than 1 KB')
  })

  test('a large error is compressed for a client that accepts gzip', {
    tags: ['GZIP-V2-ERROR'],
    kinds: 'any',
  }, async ({ send, arrange }) => {
    const ask = async (count: number) => {
      const headers = { 'idempotency-key': arrange.key(), ...GZIP }
      const body = { items: Array.from({ length: count }, () => ({})) }
      const answer = await send({ method: 'POST', path: '/api/v2/bookings', headers, body })
      return assume.refused(answer, 'a booking without anything in its items').response.body.length
    }
    const length = await ask(MANY_MISTAKES)
    // Little more than 1 KB.
    await ask(Math.min(MANY_MISTAKES, Math.ceil((MANY_MISTAKES * 1200) / length)))
  })
})
