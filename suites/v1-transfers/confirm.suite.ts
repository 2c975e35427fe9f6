import { type Aspect, madeUp, PEOPLE, type SOMEBODY, spelledAt } from '../../fixtures/check/buying/index.ts'
import { spread } from '../../fixtures/check/products/index.ts'
import { confirmationsOf, groupChecks, type Sender } from '../../fixtures/check/requests/index.ts'
import { attempt, attemptAtAnyTotal, type V1OfferOf, type V1People } from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { type JsonObject, sumOf, textOf } from '../../fixtures/contracts/index.ts'
import { countryForm, type RideCase, transferOrder } from '../../fixtures/service/index.ts'
import {
  addDays,
  assume,
  describe,
  notExercised,
  orOrdinary,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

const kinds = ['v1-transfers'] as const

type TransferCheck = V1Check<'v1-transfers'>
type TransferOffer = V1OfferOf<'v1-transfers'>

/** The number of checks served by one sale to a group. */
const SERVED = 4

/** Returns three people to whom a transfer was sold; two if none is. */
async function groupSold({ arrange, act }: TransferCheck): Promise<V1People> {
  const sold = async (adults: number) => {
    const offer = await arrange.offer({ people: { adults, children: 0 } })
    await act.booked('the same from a country that exists', { what: arrange.body(offer) })
    return offer
  }
  const { people } = await arrange.oneOf('sold to a group', await arrange.actor(), async () => {
    const offer = await orOrdinary(
      () => sold(3),
      () => sold(2),
    )
    return Array.from({ length: SERVED }, () => ({ ...offer }))
  })
  return people
}

/** Returns an offer like another one, for another transfer, day or group; `undefined` if it has no price. */
async function priced(
  { arrange: { adapter, actor } }: TransferCheck,
  { productData: { transfer }, date, people }: Pick<TransferOffer, 'productData' | 'date' | 'people'>,
) {
  return adapter.offerOf(transfer, date, people, await adapter.price(await actor(), transfer, date, people))
}

/** Days ahead whose prices another day may have. */
const LATER = [8, 11] as const

/** The number of looks at a day without a price that was sold. */
const LOOKS = 3

/** What a case orders, and the totals that it may have besides its own. */
interface Ride {
  offer: TransferOffer
  totals: readonly number[]
}

/** The number of transfers searched for blocked dates if requests are limited; different ones in each run. */
const FEW = 8

/** Finds a weekday on which a transfer has no price, with the totals of other days. A single day may be sold out. */
async function findBlocked(check: TransferCheck, offer: TransferOffer, nth: number): Promise<Ride> {
  const { adapter, actor, drawn } = check.arrange
  const all = spread(await adapter.transfers(await actor()))
  const from = adapter.day()
  let left = nth
  for (const transfer of drawn(all, FEW)) {
    const on = (day: number) => ({
      ...offer,
      productData: { ...offer.productData, transfer },
      date: addDays(from, day),
    })
    const week: Awaited<ReturnType<typeof priced>>[] = []
    for (let day = 0; day < 7; day++) week.push(await priced(check, on(day)))
    const [sold, ...others] = week.filter(one => one !== undefined)
    for (const [day, one] of week.entries()) {
      if (sold === undefined || one !== undefined || (await priced(check, on(day + 7)))) continue
      if (left-- === 0)
        return { offer: { ...sold, date: on(day).date }, totals: others.map(({ total }) => total) }
      break
    }
  }
  throw notExercised('needs a transfer without a price on the same weekday of two weeks')
}

/** Finds what a case orders. */
async function findRide(check: TransferCheck, one: RideCase): Promise<Ride> {
  const { isGroup, over, day, blocked } = one
  const { arrange } = check
  const { adapter } = arrange
  const by = await arrange.actor()
  // What a group is compared with is plain.
  if (isGroup) arrange.draw.hold(PEOPLE)
  const offer = await arrange.offer(isGroup && { people: await groupSold(check) })
  if (day !== undefined) {
    const on = (ahead: number) => ({
      ...offer,
      date: addDays(new Date(by.now()).toISOString().slice(0, 10), ahead),
    })
    // The lead time is open: days without a price before the first day with a price are too near.
    for (let near = 0; near <= day; near++)
      assume((await priced(check, on(near))) === undefined, 'a transfer without a price on the next days')
    const later = await Promise.all(LATER.map(ahead => priced(check, on(ahead))))
    return {
      offer: (await priced(check, on(day))) ?? on(day),
      totals: later.flatMap(one => one?.total ?? []),
    }
  }
  if (blocked !== undefined) return findBlocked(check, offer, blocked)
  if (over === undefined) return { offer, totals: [] }
  const [more, who, turn] = over
  const { transfer: own } = offer.productData
  const others = turn === 0 ? [] : spread(await adapter.transfers(by)).filter(({ id }) => id !== own.id)
  const transfer = [own, ...others][turn]
  const capacity = transfer && adapter.capacity(transfer)
  assume(
    capacity !== undefined,
    'a transfer whose capacity is known (shapes.v1Transfers.capacity in the definition)',
  )
  const seated = (count: number) => ({
    ...offer,
    productData: { ...offer.productData, transfer: transfer! },
    people: who === 'adults' ? { adults: count, children: 0 } : { adults: 1, children: count - 1 },
  })
  const crowd = seated(capacity + more)
  const whole = await priced(check, crowd)
  if (whole !== undefined) return { offer: whole, totals: [] }
  // An oversized group may have no price. Transfers are sold by vehicle or by seat.
  const [full, before] = [await priced(check, seated(capacity)), await priced(check, seated(capacity - 1))]
  assume(full !== undefined, 'a price for a full transfer')
  const total = before === undefined ? full.total : sumOf([full.total, full.total, -before.total])
  return { offer: { ...full, people: crowd.people, total }, totals: [full.total] }
}

type Group = readonly (typeof SOMEBODY)[]
const from = (form: ReturnType<typeof countryForm>) => (group: Group) =>
  group.every(({ nationality }) => countryForm(nationality) === form)

/** What is drawn for everybody. */
const SUCH: Record<NonNullable<RideCase['everybody']>, readonly [Aspect, (group: Group) => boolean]> = {
  'ALPHA-2': ['nationalities', from('ALPHA-2')],
  'ALPHA-3': ['nationalities', from('ALPHA-3')],
  NAME: [
    'nationalities',
    group => from('NAME')(group) && group.some(({ nationality }) => nationality.includes(' ')),
  ],
  LETTERS: ['names', group => group.every(({ lastName }) => /[^ -~]/.test(lastName))],
}

/** What written confirmations order. */
const rides = new WeakMap<JsonObject, Ride>()

/** Returns how confirmations of transfers are sent. */
const sender: Sender<'v1-transfers', TransferCheck, RideCase> = {
  ...confirmationsOf('v1-transfers', ({ arrange }, people) => arrange.offer({ people })),
  async write(check, one) {
    const { adapter, draw } = check.arrange
    const { offer, totals } = await findRide(check, one)
    const everybody = () => Array.from({ length: offer.people.adults }, (_, at) => spelledAt(draw, at))
    if (one.everybody !== undefined) {
      const [aspect, fits] = SUCH[one.everybody]
      return adapter.altered(offer, { passengers: draw.such(aspect, everybody, fits)! })
    }
    if (one.passenger === undefined) {
      const body = adapter.altered(offer, {})
      rides.set(body, { offer, totals })
      return body
    }
    const [place, change] = one.passenger
    const group = everybody()
    const passengers = group.map((person, at) =>
      madeUp(at === place % group.length ? { ...person, ...change } : person),
    )
    const body = adapter.altered(offer, { passengers })
    // Which passengers a request names is not shown.
    assume(
      textOf(body) !== textOf(adapter.altered(offer, { passengers: group })),
      'a request that names each passenger',
    )
    return body
  },
  beside: ({ isGroup, over }, { takes }) => ({
    ...(isGroup && { isGroup }),
    // How many seats are left is not shown, so a group with one passenger fewer must be accepted.
    ...(takes && over && { over: [-1, over[1], over[2]] as const }),
  }),
  async send(check, body, { day, blocked }) {
    const { offer, totals } = rides.get(body) ?? {}
    const answer = await attemptAtAnyTotal(
      total_amount => attempt(check, { ...body, total_amount }),
      Number(body.total_amount),
      totals,
    )
    // A temporary lack of seats, or of every nth request, is not a lead time and blocks no date.
    const days = blocked !== undefined ? [0, 7] : Number(day) >= 0 ? [0] : []
    for (let look = 0; look < LOOKS && succeeded(answer); look++)
      for (const after of days) {
        const again = await priced(check, { ...offer!, date: addDays(offer!.date, after) })
        assume(again === undefined, 'a day that still has no price')
      }
    return answer
  },
  said({ everybody, passenger, over, day, blocked }) {
    if (everybody) return `everybody with ${everybody}`
    if (passenger) return `passenger ${passenger[0] + 1} with ${JSON.stringify(passenger[1])}`
    if (over) return `${over[0]} more than fit, ${over[1]}`
    if (blocked !== undefined) return 'a day without a price'
    return day === undefined ? 'an ordinary transfer' : `day ${day} from today`
  },
}

describe('transferConfirm', () => {
  test('makes an order with a voucher, marked as a test', {
    tags: [
      'V1-TRANSFER-CONFIRM-TEST-MODE',
      'V1-TRANSFER-CONFIRM-FIRST-NO-REPLAY',
      'V1-TRANSFER-CONFIRM-ID',
      'V1-TRANSFER-CONFIRM-PDF',
      'V1-TRANSFER-NO-CURRENCY',
      'CACHE-V1-TRANSFER-CATALOG',
    ],
    kinds,
  }, async ({ arrange, act, expect }) => {
    const { answer } = await act.booked('an order')
    await arrange.testCredential()
    expect(answer, 'V1-TRANSFER-CONFIRM-TEST-MODE').toShow('test_mode', true)
  })

  test('with a production credential makes an order not marked as a test', {
    tags: ['V1-TRANSFER-CONFIRM-LIVE-MODE'],
    kinds,
  }, async ({ arrange, expect }) => {
    const by = await arrange.actor('live')
    expect((await arrange.order({ actor: by })).exchange).not.toShow('test_mode', true)
    if (!arrange.trafficIsFree) return
    expect((await arrange.unusualOrder(by)).exchange).not.toShow('test_mode', true)
  })

  for (const { title, body, ...options } of groupChecks(sender, transferOrder)) test(title, options, body)
})
