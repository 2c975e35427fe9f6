import { isAway, isLimited, repeatsOf, UNKNOWN_ID, v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import {
  checkedRoom,
  type HotelOffer,
  resortRoom,
  roomsApart,
  roomsOfGroup,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  independently,
  orOrdinary,
  testFor,
} from '../../fixtures/test.ts'

const test = testFor('v1-hotels')

/** The number of bookings tried if a source is away. */
const TRIES = 3

/** The number of test bookings whose cancellations are not all refused by coincidence. */
const BOOKED = 4

describe('POST /api/v1/hotel/distribution/bookingCancelation', () => {
  test('a test booking that was cancelled is read as cancelled', {
    tags: ['V1-HOTEL-STATE-CANCELLED-TEST', 'V1-HOTEL-STATE-CONFIRMED', 'TEST-MODE-V1-HOTEL-DETAIL'],
  }, async ({ arrange, act, expect }) => {
    await arrange.testCredential()
    for (const wish of arrange.drawn([{}, { offer: () => roomsOfGroup(arrange) }], 1)) {
      const booking = await orOrdinary(
        () => arrange.order(wish),
        () => arrange.order(),
      )
      // Also read before the cancellation, so that an outdated answer would show.
      expect(await act.read(booking), 'V1-HOTEL-STATE-CONFIRMED').toShow('booking.status', 'confirmed')
      await act.cancelled(booking)
      for (let time = 1; time <= (arrange.trafficIsFree ? 3 : 2); time++) {
        const read = await act.read(booking)
        expect(read, 'V1-HOTEL-STATE-CANCELLED-TEST').toShow('booking.status', 'cancelled')
        expect(read, 'TEST-MODE-V1-HOTEL-DETAIL').toShow('test_mode', true)
      }
    }
  })

  test('cancels a test booking even if it refuses to cancel others', {
    tags: ['TEST-MODE-V1-HOTEL-CANCEL'],
  }, async ({ v1, arrange, expect }) => {
    await arrange.testCredential()
    const clause = 'TEST-MODE-V1-HOTEL-CANCEL'
    const tried = 'Cancelling test bookings'
    const expected = 'one that is cancelled'
    const refusals: Exchange[] = []
    for (let booked = 1; booked <= BOOKED; booked++) {
      const { id } = await arrange.order()
      const told: Exchange[] = []
      for (let time = 1; time <= TRIES; time++) {
        const answer = await v1.hotels.cancel({ id_orden: id })
        if (succeeded(answer)) return expect.claim(clause, true, { tried, expected, answer })
        told.push(answer)
      }
      assume(!told.every(isAway) && !told.some(isLimited), 'a hotel supplier that answers')
      refusals.push(...told)
    }
    expect.claim(clause, false, {
      tried,
      expected,
      answer: refusals[0]!,
      exchanges: refusals,
      observed: `${BOOKED} bookings whose cancellation was refused ${TRIES} times each`,
    })
  })

  test('cancels all rooms of a booking, and refuses a second time', {
    tags: [
      'V1-HOTEL-CANCEL-SUCCESS',
      'V1-HOTEL-CANCEL-WHOLE',
      'V1-HOTEL-STATE-CANCEL-TWICE',
      'V1-HOTEL-ERR-CANCEL-TWICE',
    ],
  }, async ({ arrange, act, expect }) => {
    const cancels = async (by: Actor) => {
      const order = await arrange.order({ actor: by, offer: () => roomsApart(arrange, { actor: by }) })
      expect(await act.cancel(order, by), 'V1-HOTEL-CANCEL-SUCCESS').toSucceed()
      const read = await act.read(order, by)
      for (let repeat = 1; repeat <= repeatsOf(arrange); repeat++) {
        const again = await by.v1.hotels.cancel({ id_orden: order.id })
        // If it reads as cancelled and can be cancelled again, it was cancelled twice. Otherwise something was left.
        const whole = at(read.response.json, 'booking.status') === 'cancelled'
        if (!whole) expect(again, 'V1-HOTEL-CANCEL-WHOLE').not.toSucceed()
        expect(again, 'V1-HOTEL-STATE-CANCEL-TWICE').not.toSucceed()
        expect(again, 'V1-HOTEL-CANCEL-WHOLE').not.toSucceed()
        expect(again, 'V1-HOTEL-ERR-CANCEL-TWICE').toRefuseAsStated()
      }
    }
    await cancels(await arrange.actor())
    if (arrange.trafficIsFree) await cancels(await arrange.actor('live'))
  })

  test('is refused to another company with the documented error, also for real bookings', {
    tags: ['V1-HOTEL-ERR-CANCEL-FOREIGN', 'V1-HOTEL-CANCEL-FOREIGN-UNTOUCHED'],
  }, async ({ arrange, act, control, expect }) => {
    control.require('mint')
    assume(arrange.realIsFree, 'a deployment on which real bookings are free')
    const actor = await arrange.actor('live')
    const stranger = await arrange.actor('otherCompany', { modes: { hotels: 'live' } })
    const order = await arrange.order({ actor })
    const answer = await stranger.v1.hotels.cancel({ id_orden: order.id })
    expect(answer, 'V1-HOTEL-ERR-CANCEL-FOREIGN').toRefuseAsStated()
    const read = await act.read(order, actor)
    expect(read, 'V1-HOTEL-CANCEL-FOREIGN-UNTOUCHED').toShow('booking.status', 'confirmed')
    await act.cancelled(order, actor)
    const again = await stranger.v1.hotels.cancel({ id_orden: order.id })
    expect(again, 'V1-HOTEL-ERR-CANCEL-FOREIGN').toRefuseAsStated()
  })

  test('a cancellation without an id is refused', {
    tags: ['V1-HOTEL-CANCEL-ID-REQUIRED'],
  }, async ({ v1, arrange, act, expect }) => {
    const order = await arrange.order()
    // A fraction must not be rounded to another booking's id.
    for (const body of [{}, { id_orden: 'first' }, { id_orden: UNKNOWN_ID + 0.5 }])
      expect(await v1.hotels.cancel(body), 'V1-HOTEL-CANCEL-ID-REQUIRED').toBeRefused()
    await act.cancelled(order)
  })

  test('a cancellation rejected by the hotel leaves the booking unchanged', {
    tags: ['V1-HOTEL-ERR-CANCEL-REJECTED', 'V1-HOTEL-ERR-CANCEL-REJECTED-ACTIVE'],
  }, async ({ arrange, act, control, expect }) => {
    const rejected = async (by: Actor, wish: { offer?(): Promise<HotelOffer> } = {}) => {
      const order = await arrange.order({ actor: by, ...wish })
      const inVain = async () => {
        await control.setOutcome(by, 'cancel', { kind: 'refused' })
        const answer = assume.supplierAsked(await by.v1.hotels.cancel({ id_orden: order.id }))
        assume(answer.response.status >= 400, 'control.setOutcome that makes a cancellation be rejected')
        return answer
      }
      const answers = [await inVain()]
      if (arrange.trafficIsFree) answers.push(await inVain())
      await independently(
        async () => {
          const read = await act.read(order, by)
          expect(read, 'V1-HOTEL-ERR-CANCEL-REJECTED-ACTIVE').toShow('booking.status', 'confirmed')
          await act.cancelled(order, by)
        },
        ...answers.map(
          answer => async () => expect(answer, 'V1-HOTEL-ERR-CANCEL-REJECTED').toRefuseAsStated(),
        ),
      )
    }
    await independently(
      async () => rejected(await arrange.actor()),
      async () => {
        if (!arrange.trafficIsFree) return
        const by = await arrange.actor('resort')
        await rejected(by, { offer: async () => checkedRoom(arrange, by, await resortRoom(arrange, by)) })
      },
      async () => {
        if (arrange.trafficIsFree)
          await rejected(await arrange.actor(), { offer: () => roomsOfGroup(arrange) })
      },
    )
  })

  test('a booking whose cancellation did not complete has the status error', {
    tags: ['V1-HOTEL-STATE-ERROR'],
  }, async ({ v1, arrange, act, control, expect }) => {
    for (let time = 1; ; time++) {
      const order = await arrange.order()
      await control.setOutcome(await arrange.actor(), 'cancel', { kind: 'partial' })
      const answer = await v1.hotels.cancel({ id_orden: order.id })
      const refused = answer.response.status >= 400
      assume(
        refused && !v1ErrorsOf(answer).includes('Cancellation rejected'),
        'control.setOutcome that keeps a cancellation from completing',
      )
      const read = await act.read(order)
      // A source that is away leaves the booking unchanged, but is not away every time.
      const isAsItWas = at(read.response.json, 'booking.status') === 'confirmed'
      if (isAway(answer) && isAsItWas && time < TRIES) continue
      return expect(read).toShow('booking.status', 'error')
    }
  })
})
