import { HOTEL_TRANSITIONS, type HotelLife, noHotelBooking } from '../../fixtures/arbitraries/index.ts'
import { isAway, v1ErrorsOf } from '../../fixtures/check/buying/index.ts'
import { at } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  type BookingId,
  createStepMaker,
  describe,
  test,
  type V1Check,
  type WalkStep,
  walkThrough,
} from '../../fixtures/test.ts'

/** The booking of a walk. */
interface Walk {
  actor: Actor
  id?: BookingId
}

type Step = WalkStep<HotelLife, Walk>

/** Returns the steps of a walk. A step has a precondition, judges the answer, and updates the model. */
function stepsOf({ arrange, act, control, expect }: V1Check<'v1-hotels'>): readonly Step[] {
  const { step, isIn } = createStepMaker<HotelLife, Walk>()
  const exists = isIn('confirmed', 'cancelled', 'error')

  const confirm = step('confirm', isIn('none'), async (life, walk) => {
    const { id } = await arrange.order({ actor: walk.actor })
    walk.id = id
    life.state = 'confirmed'
    expect.visited('v1 hotel confirmed')
  })

  const read = step('read', exists, async (life, { actor, id }) => {
    const answer = await act.read({ id }, actor)
    const ofCancelled = life.live ? 'V1-HOTEL-STATE-CANCELLED' : 'V1-HOTEL-STATE-CANCELLED-TEST'
    const clause =
      life.state === 'confirmed'
        ? 'V1-HOTEL-STATE-CONFIRMED'
        : life.state === 'error'
          ? 'V1-HOTEL-STATE-ERROR'
          : ofCancelled
    expect(answer, clause).toShow('booking.status', life.state)
  })

  const number = step('number', isIn('cancelled'), async ({ live }, { actor, id }) => {
    const answer = await actor.v1.hotels.number({ id_orden: id })
    if (live) expect(answer, 'V1-HOTEL-HCN-CANCELLED').toShow('hcn_status', 'cancelled')
  })

  const cancel = step('cancel', isIn('confirmed'), async (life, { actor, id }) => {
    expect(await act.cancel({ id }, actor), 'V1-HOTEL-CANCEL-SUCCESS').toSucceed()
    life.state = 'cancelled'
    expect.visited('v1 hotel confirmed, cancelled: cancelled')
  })

  const cancelAgain = step('cancel again', isIn('cancelled'), async (_, { actor, id }) => {
    const answer = await actor.v1.hotels.cancel({ id_orden: id })
    expect(answer, 'V1-HOTEL-STATE-CANCEL-TWICE').not.toSucceed()
    expect.visited('v1 hotel cancelled, cancelled: refused')
  })

  const cancelInVain = step('cancel, turned down', isIn('confirmed'), async (life, { actor, id }) => {
    await control.setOutcome(actor, 'cancel', { kind: 'refused' })
    const answer = assume.supplierAsked(await actor.v1.hotels.cancel({ id_orden: id }))
    if (answer.response.status < 400) {
      // Control had no effect: the booking was cancelled.
      life.state = 'cancelled'
      return
    }
    expect(answer, 'V1-HOTEL-ERR-CANCEL-REJECTED').toSay('Cancellation rejected')
    expect.visited('v1 hotel confirmed, cancelled: rejected')
  })

  const cancelInPart = step('cancel, in part', isIn('confirmed'), async (life, { actor, id }) => {
    await control.setOutcome(actor, 'cancel', { kind: 'partial' })
    const answer = await actor.v1.hotels.cancel({ id_orden: id })
    if (answer.response.status < 400) life.state = 'cancelled'
    if (answer.response.status < 400 || v1ErrorsOf(answer).includes('Cancellation rejected')) return
    // A source that was not asked leaves the booking unchanged.
    if (isAway(answer)) {
      const { response } = await act.read({ id }, actor)
      if (at(response.json, 'booking.status') === 'confirmed') return
    }
    life.state = 'error'
    expect.visited('v1 hotel confirmed, cancelled: error')
  })

  const foreign = step('cancel as another company', exists, async (life, { actor, id }) => {
    const stranger = await arrange.actor('otherCompany')
    expect(await stranger.v1.hotels.cancel({ id_orden: id }), 'V1-HOTEL-ERR-CANCEL-FOREIGN').not.toSucceed()
    if (life.state !== 'confirmed') return
    const answer = await act.read({ id }, actor)
    expect(answer, 'V1-HOTEL-CANCEL-FOREIGN-UNTOUCHED').toShow('booking.status', 'confirmed')
  })

  return [
    confirm,
    read,
    cancel,
    cancelAgain,
    number,
    ...(control.offers('mint') ? [foreign] : []),
    ...(control.offers('setOutcome') ? [cancelInVain, cancelInPart] : []),
  ]
}

/** Walks that together visit every transition. Steps that the deployment cannot perform are skipped. */
const TOURS: readonly (readonly string[])[] = [
  ['confirm', 'read', 'cancel, turned down', 'read', 'cancel', 'read', 'cancel again', 'number'],
  ['confirm', 'cancel as another company', 'cancel, in part', 'read'],
]

describe('the life of a v1 hotel booking', () => {
  test('every sequence of calls gets the answers of its state', {
    tags: ['V1-HOTEL-STATE-CONFIRMED'],
    opportunistic: [
      'V1-HOTEL-STATE-CANCELLED',
      'V1-HOTEL-STATE-CANCELLED-TEST',
      'V1-HOTEL-STATE-ERROR',
      'V1-HOTEL-STATE-CANCEL-TWICE',
      'V1-HOTEL-HCN-CANCELLED',
      'V1-HOTEL-CANCEL-SUCCESS',
      'V1-HOTEL-ERR-CANCEL-REJECTED',
      'V1-HOTEL-ERR-CANCEL-FOREIGN',
      'V1-HOTEL-CANCEL-FOREIGN-UNTOUCHED',
    ],
    kinds: ['v1-hotels'],
  }, async context => {
    const { arrange, control, holds, expect } = context
    const controlled = ['v1 hotel confirmed, cancelled: rejected', 'v1 hotel confirmed, cancelled: error']
    expect.mayVisit(
      HOTEL_TRANSITIONS.filter(one => control.offers('setOutcome') || !controlled.includes(one)),
    )
    const steps = stepsOf(context)
    await walkThrough(holds, steps, { tours: TOURS, longest: 8 }, async walk => {
      const actor = await arrange.actor()
      const real: Walk = { actor }
      const life = noHotelBooking(actor.modes.hotels === 'live')
      await steps[0]!.run(life, real)
      await walk(life, real)
    })
  })
})
