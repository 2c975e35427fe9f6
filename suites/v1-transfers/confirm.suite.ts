import {
  madeUp,
  PEOPLE,
  SOMEBODY,
  spelledAt,
  untilSupplierAnswers,
} from '../../fixtures/check/buying/index.ts'
import { spread } from '../../fixtures/check/products/index.ts'
import {
  attemptAtAnyTotal,
  claimRefused,
  isRefusedOrder,
  type V1OfferOf,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import { succeeded } from '../../fixtures/checkers/index.ts'
import { at, type JsonObject, sumOf, textOf } from '../../fixtures/contracts/index.ts'
import { countryForm, unknownCountries } from '../../fixtures/service/index.ts'
import {
  addDays,
  assume,
  describe,
  type Exchange,
  orOrdinary,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

const kinds = ['v1-transfers'] as const

type TransferCheck = V1Check<'v1-transfers'>

/** Sends a confirmation that must be refused. */
const attempt = ({ v1, arrange }: TransferCheck, body: JsonObject) =>
  untilSupplierAnswers(
    () => v1.transfers.confirm({ ...body, external_reference: arrange.reference() }),
    'a confirmation',
  )

/**
 * Returns a confirmation for several people with one changed passenger; `undefined` if the request does not name that
 * passenger. Which passengers a request names is not shown.
 */
function withPassenger(
  { arrange: { adapter, draw } }: TransferCheck,
  offer: V1OfferOf<'v1-transfers'>,
  at: number,
  change: Partial<typeof SOMEBODY>,
): JsonObject | undefined {
  const group = Array.from({ length: offer.people.adults }, (_, index) => spelledAt(draw, index))
  const passengers = group.map((person, place) => madeUp(place === at ? { ...person, ...change } : person))
  const body = adapter.altered(offer, { passengers })
  return textOf(body) === textOf(adapter.altered(offer, { passengers: group })) ? undefined : body
}

/** Returns an offer like another one, for another transfer, day or group; `undefined` if it has no price. */
async function offerLike(
  { arrange: { adapter, actor } }: TransferCheck,
  offer: Pick<V1OfferOf<'v1-transfers'>, 'productData' | 'date' | 'people'>,
  {
    transfer = offer.productData.transfer,
    date = offer.date,
    people = offer.people,
  }: Partial<Pick<V1OfferOf<'v1-transfers'>, 'date' | 'people'> & V1OfferOf<'v1-transfers'>['productData']>,
) {
  return adapter.offerOf(transfer, date, people, await adapter.price(await actor(), transfer, date, people))
}

/** Sends a confirmation that must be refused, with any total that may be valid. */
const attemptAnyTotal = (
  { v1, arrange }: TransferCheck,
  offer: V1OfferOf<'v1-transfers'>,
  alike: readonly number[] = [],
) =>
  attemptAtAnyTotal(
    total =>
      v1.transfers.confirm({
        ...arrange.adapter.altered(offer, { total }),
        external_reference: arrange.reference(),
      }),
    offer.total,
    alike,
  )

/**
 * Returns the offer of a group that is one smaller than one without a price, as one for that group, with its possible totals:
 * transfers are sold by vehicle or by seat. A confirmation may need what a price answered, such as the id of a quote.
 */
async function withOneMore(context: TransferCheck, offer: Parameters<typeof offerLike>[1]) {
  const { people } = offer
  const most = people.children > 0 ? 'children' : 'adults'
  const priced = async (fewer: number) => {
    const group = { ...people, [most]: people[most] - fewer }
    if (group.adults + group.children < 1) return undefined
    return offerLike(context, offer, { people: group })
  }
  const [nearly, before] = [await priced(1), await priced(2)]
  if (nearly === undefined) return undefined
  const { total } = nearly
  return {
    ...nearly,
    people,
    totals: before === undefined ? [total] : [sumOf([total, total, -before.total]), total],
  }
}

/** Returns whether a confirmation is refused in the same words as one with a wrong total. */
async function isRefusedAsMispriced(
  context: TransferCheck,
  offer: V1OfferOf<'v1-transfers'>,
  answer: Exchange,
): Promise<boolean> {
  const body = context.arrange.adapter.altered(offer, { total: sumOf([offer.total, 1]) })
  const words = ({ response: { status, json } }: Exchange) =>
    textOf([status, at(json, 'error'), at(json, 'message')])
  return words(await attempt(context, body)) === words(answer)
}

/** The number of oversized groups tried, two for each transfer. */
const CROWDS = 8

/** The number of unknown countries tried if requests are limited. */
const COUNTRIES_LIVE = 4

/** The maximum number of days ahead tried as too near, and days that show possible prices. */
const NEAR = 4
const LATER = [8, 9, 10, 11] as const

const NOBODY: typeof SOMEBODY = {
  firstName: '',
  lastName: '',
  phone: '',
  nationality: '',
  birthDate: '',
}

describe('transferConfirm', () => {
  test('makes an order with a voucher, marked as a test', {
    tags: [
      'V1-TRANSFER-CONFIRM-TEST-MODE',
      'V1-TRANSFER-CONFIRM-FIRST-NO-REPLAY',
      'V1-TRANSFER-CONFIRM-ID',
      'V1-TRANSFER-CONFIRM-PDF',
      'V1-TRANSFER-NO-CURRENCY',
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

  test('is refused if passengers have no data', {
    tags: ['V1-TRANSFER-CONFIRM-PASSENGER'],
    kinds,
  }, async context => {
    const { arrange, act } = context
    const offer = await arrange.offer()
    // An empty country or phone may be refused for another reason, so only the name is missing.
    const nameless = { firstName: '', lastName: '' }
    for (const [passenger, lacks] of [
      [NOBODY, 'name, phone and country'],
      [{ ...SOMEBODY, ...nameless }, 'a name'],
    ] as const) {
      const answer = await attempt(context, arrange.adapter.altered(offer, { passengers: [passenger] }))
      const tried = `Confirming a transfer for a passenger without ${lacks}`
      claimRefused(context, 'V1-TRANSFER-CONFIRM-PASSENGER', { tried, answer })
    }
    const pair = await arrange.offer({ people: { adults: 2, children: 0 } })
    const body = withPassenger(context, pair, 1, nameless)
    if (body !== undefined) {
      const tried = 'Confirming a transfer for two passengers, the second without a name'
      claimRefused(context, 'V1-TRANSFER-CONFIRM-PASSENGER', { tried, answer: await attempt(context, body) })
    }
    await act.booked('the same with a passenger', { body: arrange.body(offer) })
  })

  test('is refused for more passengers than the capacity', {
    tags: ['V1-TRANSFER-CONFIRM-CAPACITY'],
    kinds,
  }, async context => {
    const { arrange, act } = context
    const by = await arrange.actor()
    const offer = await arrange.offer()
    const { adapter, trafficIsFree } = arrange
    const { transfer: own } = offer.productData
    const others = trafficIsFree ? spread(await adapter.transfers(by)).filter(({ id }) => id !== own.id) : []
    const crowds = [own, ...others].flatMap(transfer => {
      const capacity = adapter.capacity(transfer)
      if (capacity === undefined) return []
      // Children take a seat too.
      const groups = [
        { adults: capacity + 1, children: 0 },
        { adults: 1, children: capacity },
      ]
      return groups.map(people => ({ transfer, people }))
    })
    assume(
      crowds.length > 0,
      'a transfer whose capacity is known (shapes.v1Transfers.capacity in the definition)',
    )
    let isDecided = false
    for (const { transfer, people } of crowds.slice(0, CROWDS)) {
      // An oversized group may have a price, but must not be confirmed.
      const productData = { ...offer.productData, transfer }
      const crowd = await offerLike(context, offer, { transfer, people })
      const nearly = crowd ? undefined : await withOneMore(context, { ...offer, people, productData })
      const sent = crowd ?? nearly ?? { ...offer, people, productData }
      const answer = await attemptAnyTotal(context, sent, nearly?.totals)
      const isUntold = crowd === undefined && nearly === undefined && isRefusedOrder(answer)
      if (isUntold && (await isRefusedAsMispriced(context, offer, answer))) continue
      isDecided = true
      claimRefused(context, 'V1-TRANSFER-CONFIRM-CAPACITY', {
        tried: `Confirming a transfer for ${people.adults} adults and ${people.children} children`,
        answer,
      })
    }
    assume(
      isDecided,
      'a group above the capacity that has a price, or is refused with another error than a wrong total',
    )
    await act.booked('the same for one', { body: arrange.body(offer) })
  })

  test('is accepted for as many passengers as the capacity', {
    tags: ['V1-TRANSFER-CONFIRM-CAPACITY-FULL'],
    kinds,
  }, async context => {
    const { arrange, act, expect } = context
    /** Returns an offer for a group that leaves `empty` seats free. */
    const group = async (empty: number) => {
      const one = await arrange.offer()
      const adults = (arrange.adapter.capacity(one.productData.transfer) ?? 0) - empty
      assume(adults > 0, 'a transfer for several passengers whose capacity is known')
      const offer = await offerLike(context, one, { people: { adults, children: 0 } })
      assume(offer !== undefined, 'a price for a group')
      return offer
    }
    const { answer } = await act.book({
      offer: () => group(0),
      body: offer => arrange.body(offer),
      // How many seats are left is not shown, so a group with one passenger fewer must be accepted.
      beside: async () => arrange.body(await group(1)),
    })
    expect(answer).toSucceed()
  })

  test('is refused for yesterday', { tags: ['V1-TRANSFER-CONFIRM-LEAD-TIME'], kinds }, async context => {
    const { arrange, act } = context
    const offer = await arrange.offer()
    // Whatever the lead time and time zone, this day is over.
    const today = new Date((await arrange.actor()).now()).toISOString().slice(0, 10)
    const date = addDays(today, -2)
    const past = (await offerLike(context, offer, { date })) ?? { ...offer, date }
    claimRefused(context, 'V1-TRANSFER-CONFIRM-LEAD-TIME', {
      tried: 'Confirming a transfer for a day that is over',
      answer: await attemptAnyTotal(context, past),
    })
    await act.booked('the same for a later day', { body: arrange.body(offer) })
  })

  test('is refused for a day ahead that is too soon', {
    tags: ['V1-TRANSFER-CONFIRM-LEAD-TIME'],
    kinds,
  }, async context => {
    const { arrange, act } = context
    const offer = await arrange.offer()
    const today = new Date((await arrange.actor()).now()).toISOString().slice(0, 10)
    const priced = async (ahead: number) =>
      (await offerLike(context, offer, { date: addDays(today, ahead) }))?.total
    // Other days show possible prices.
    const later: number[] = []
    for (const ahead of arrange.drawn(LATER, 2)) later.push(...[(await priced(ahead)) ?? []].flat())
    let near = 0
    // The lead time is open: days without a price before the first day with a price are too near.
    for (; near < NEAR; near++) {
      const date = addDays(today, near)
      const hasPrice = async () => (await priced(near)) !== undefined
      if (await hasPrice()) break
      const answer = await attemptAnyTotal(context, { ...offer, date }, later)
      // A temporary lack of seats, or of every nth request, is not a lead time.
      if (succeeded(answer) && ((await hasPrice()) || (await hasPrice()) || (await hasPrice()))) break
      const tried = `Confirming a transfer ${near} days ahead, where none has a price`
      claimRefused(context, 'V1-TRANSFER-CONFIRM-LEAD-TIME', { tried, answer })
    }
    assume(near > 0, 'a transfer without a price today')
    await act.booked('the same for a later day', { body: arrange.body(offer) })
  })
})

/** The number of checks served by one sale to a group. */
const SERVED = 4

/** Returns three people to whom a transfer was sold; two if none is. */
async function groupSold({ arrange, act }: TransferCheck): Promise<V1People> {
  const sold = async (adults: number) => {
    const offer = await arrange.offer({ people: { adults, children: 0 } })
    await act.booked('the same from a country that exists', { body: arrange.body(offer) })
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

describe('a passenger of a transfer', () => {
  type Group = readonly (typeof SOMEBODY)[]
  const from = (form: ReturnType<typeof countryForm>) => (group: Group) =>
    group.every(({ nationality }) => countryForm(nationality) === form)
  const fromSeveralWords = (group: Group) => group.some(({ nationality }) => nationality.includes(' '))
  for (const [what, aspect, fits, clause] of [
    ['the alpha-2 code of a country', 'nationalities', from('ALPHA-2'), 'FORMAT-V1-COUNTRY-TRANSFER-ALPHA-2'],
    ['the alpha-3 code of a country', 'nationalities', from('ALPHA-3'), 'FORMAT-V1-COUNTRY-TRANSFER-ALPHA-3'],
    [
      'a country by name',
      'nationalities',
      (group: Group) => from('NAME')(group) && fromSeveralWords(group),
      'FORMAT-V1-COUNTRY-TRANSFER-NAME',
    ],
    [
      'a name beyond ASCII',
      'names',
      (group: Group) => group.every(({ lastName }) => /[^ -~]/.test(lastName)),
      'V1-TRANSFER-CONFIRM-LETTERS',
    ],
  ] as const) {
    test(`may have ${what}`, {
      tags: [clause],
      kinds,
      forReal: clause !== 'FORMAT-V1-COUNTRY-TRANSFER-ALPHA-2',
    }, async context => {
      const { arrange, act, expect } = context
      const { draw } = arrange
      draw.hold(PEOPLE)
      const people = await groupSold(context)
      const everybody = () => Array.from({ length: people.adults }, (_, at) => spelledAt(draw, at))
      const group = draw.such(aspect, everybody, fits)!
      const { answer } = await act.book({
        offer: () => arrange.offer({ people }),
        body: offer => arrange.adapter.bodyFor(offer, group),
      })
      expect(answer).toSucceed()
    })
  }

  test('must come from a country that exists', {
    tags: ['FORMAT-V1-COUNTRY-TRANSFER-UNKNOWN'],
    kinds,
  }, async context => {
    const { arrange } = context
    const offer = await arrange.offer({ people: await groupSold(context) })
    const some = arrange.realIsFree ? unknownCountries : arrange.drawn(unknownCountries, COUNTRIES_LIVE)
    for (const [at, nationality] of some.entries()) {
      const body = withPassenger(context, offer, at % offer.people.adults, { nationality })
      if (body !== undefined) context.expect(await attempt(context, body)).toHaveStatus(400)
    }
  })
})
