import { madeUp, PEOPLE } from '../../fixtures/check/buying/index.ts'
import {
  attempt,
  checkedResort,
  checkedRoom,
  type HotelOffer,
  idIn,
  inEachRoomType,
  ratesOf,
  replay,
  resortRoom,
  resortSeller,
} from '../../fixtures/check/v1/index.ts'
import type { ClauseId } from '../../fixtures/clauses/index.ts'
import { at, type JsonObject, objects } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  findAt,
  independently,
  orderAt,
  price,
  story,
  test,
  type V1Check,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

type Guest = { name?: string; surname?: string; age?: unknown }
/** Adds a fault to a confirmation. */
type Spoil = (body: JsonObject) => JsonObject

const guestsOf = ({ guests }: JsonObject): Guest[] => guests as Guest[]
const firstGuest =
  (change: Guest): Spoil =>
  body => {
    const [first, ...others] = guestsOf(body)
    return { ...body, guests: [{ ...first, ...madeUp(change) }, ...others] }
  }

const oneMore: Spoil = body => ({
  ...body,
  guests: [...guestsOf(body), { name: 'Cleo', surname: 'Muster', age: 40 }],
})

/** The search is for two adults. */
const WRONG_BESIDE_ADULTS: readonly (readonly [clause: ClauseId, spoil: Spoil])[] = [
  ['V1-HOTEL-RESORT-GUEST-COUNT', body => ({ ...body, guests: [] })],
  ['V1-HOTEL-RESORT-GUEST-COUNT', oneMore],
  ['V1-HOTEL-RESORT-GUESTS-UNDER-18', firstGuest({ age: 17 })],
]

/** The search is for two adults and a child of 8: a guest is the second adult, or the child. */
const WRONG_GUESTS: readonly (readonly [clause: ClauseId, spoil: Spoil])[] = [
  ['V1-HOTEL-RESORT-GUEST-COUNT', body => ({ ...body, guests: guestsOf(body).slice(0, -1) })],
  // With one adult missing, the number under 18 is still right.
  ['V1-HOTEL-RESORT-GUEST-COUNT', body => ({ ...body, guests: guestsOf(body).slice(1) })],
  ['V1-HOTEL-RESORT-GUEST-COUNT', body => ({ ...body, guests: [] })],
  ['V1-HOTEL-RESORT-GUEST-COUNT', oneMore],
  ['V1-HOTEL-RESORT-GUESTS-UNDER-18', firstGuest({ age: 17 })],
  [
    'V1-HOTEL-RESORT-GUESTS-UNDER-18',
    // Next to an adult of that age, an age limit that is off by one would not match either.
    body => ({
      ...body,
      guests: guestsOf(body).map(one => (Number(one.age) < 18 ? { ...one, age: 18 } : one)),
    }),
  ],
]

const withoutContact = (body: JsonObject, reference: string): JsonObject => {
  const { name, surname } = body.bookingHolder as JsonObject
  return { ...body, bookingHolder: { name, surname }, external_reference: reference }
}

/** Returns an account that sells resort hotels A, and a function that finds a checked room. */
async function selling({ arrange }: V1Check<'v1-hotels'>) {
  const by = await resortSeller(arrange)
  const find = () => checkedResort(arrange)
  return { by, find, body: async () => arrange.body(await find()) }
}

/** Returns the same room with one of the other ticket packages that its check shows. */
async function anotherPackage(
  { arrange: { adapter, draw } }: V1Check<'v1-hotels'>,
  by: Actor,
  room: HotelOffer,
): Promise<HotelOffer> {
  const { response } = await adapter.quote(by, room)
  const keys = objects(at(response.json, 'ticket_options')).map(({ rate_key }) => rate_key)
  const key = draw.one('ticket packages of a room', keys)
  assume(typeof key === 'string', 'a resort hotel with several ticket packages')
  const [rate] = room.productData.rates
  return {
    ...room,
    productData: { ...room.productData, rates: [{ ...rate, rate_key: key }], rateKeys: [key] },
  }
}

type Found = readonly [
  string,
  (check: V1Check<'v1-hotels'>, people: unknown, by: Actor) => Promise<HotelOffer>,
]
const CHECKED: Found = [
  'for a checked room',
  async ({ arrange }, _, by) => checkedRoom(arrange, by, await resortRoom(arrange, by)),
]
const OF_ANOTHER_PACKAGE: Found = [
  'with another ticket package',
  async (check, _, by) => {
    const { arrange } = check
    return checkedRoom(arrange, by, await anotherPackage(check, by, await resortRoom(arrange, by)))
  },
]

/** Returns a function that adds a fault to the offer, or to a new one after the market refused the first. */
const spoiling =
  ({ arrange }: V1Check<'v1-hotels'>, offer: HotelOffer, find: () => Promise<HotelOffer>) =>
  (spoil: Spoil) => {
    let next: HotelOffer | undefined = offer
    return async () => {
      const one = next ?? (await find())
      next = undefined
      return spoil(arrange.anyBody(one))
    }
  }

describe('bookingConfirm of resort hotels A', () => {
  test('accepts the key of the price check, and refuses the key of the search', {
    tags: [
      'V1-HOTEL-RESORT-CHECKED-KEY',
      'V1-HOTEL-RESORT-HOLDER-CONTACT',
      'V1-HOTEL-RESORT-SEARCH-KEY',
      'V1-HOTEL-ERR-RESORT-KEY',
      'V1-HOTEL-CONFIRM-FAILED-NO-ID',
      'V1-HOTEL-CONFIRM-TOTAL-SUM',
    ],
    kinds,
    opportunistic: [
      'V1-HOTEL-STATE-CONFIRMED',
      'V1-HOTEL-STATE-CANCELLED-TEST',
      'V1-HOTEL-CANCEL-SUCCESS',
      'TEST-MODE-V1-HOTEL-HCN',
    ],
  }, async context => {
    const { arrange, act, expect } = context
    const { by, find, body } = await selling(context)
    const { answer: accepted } = await act.book({ by, offer: find, body: arrange.body })
    await independently(
      async () => {
        // If the confirmation without contact data is accepted and the one with it is not, the key is not the reason.
        const refused = accepted.response.status >= 400
        const bare = refused
          ? await by.v1.hotels.confirm(withoutContact(await body(), arrange.reference()))
          : undefined
        if (bare !== undefined && bare.response.status < 400)
          expect(accepted, 'V1-HOTEL-RESORT-HOLDER-CONTACT').toSucceed()
        expect(accepted, 'V1-HOTEL-RESORT-CHECKED-KEY').toSucceed()
        expect(accepted, 'V1-HOTEL-RESORT-HOLDER-CONTACT').toSucceed()
        // The booking behaves like any other.
        const id = idIn(accepted)
        if (id === undefined) return
        await act.read({ id }, by)
        await by.v1.hotels.number({ id_orden: id })
        await act.cancel({ id }, by)
        await act.read({ id }, by)
      },
      async () => {
        // For the first and the last type of room.
        for (let [type, types] = [0, 1]; type < types; type++) {
          const { answer: refused } = await act.book({
            by,
            async body() {
              const rooms = inEachRoomType(await resortRoom(arrange, by))
              types = Math.min(rooms.length, 2)
              return arrange.anyBody(rooms.at(-type)!)
            },
            expecting: ['Invalid rate_key'],
          })
          expect(refused, 'V1-HOTEL-RESORT-SEARCH-KEY').not.toSucceed()
          expect(refused, 'V1-HOTEL-ERR-RESORT-KEY').toRefuseAsStated()
        }
      },
      async () => {
        // The check returns another key, and does not make that of the search valid.
        const { answer: refused } = await act.book({
          by,
          async body() {
            const room = await resortRoom(arrange, by)
            const checked = await checkedRoom(arrange, by, room)
            const [searched, own] = [room, checked].map(({ productData }) => productData.rateKeys[0])
            assume(searched !== own, 'a price check of resort hotels A that returns a new key')
            return arrange.anyBody(room)
          },
          expecting: ['Invalid rate_key'],
        })
        expect(refused, 'V1-HOTEL-RESORT-SEARCH-KEY').not.toSucceed()
        expect(refused, 'V1-HOTEL-ERR-RESORT-KEY').toRefuseAsStated()
      },
    )
  })

  test('refuses guests other than those searched for', {
    tags: [
      'V1-HOTEL-RESORT-GUEST-COUNT',
      'V1-HOTEL-RESORT-GUESTS-UNDER-18',
      'V1-HOTEL-ERR-RESORT-GUESTS',
      'V1-HOTEL-CONFIRM-FAILED-NO-ID',
    ],
    kinds,
  }, async context => {
    const { arrange, act, expect } = context
    const { by, find } = await selling(context)
    const offer = await find()
    const spoilt = spoiling(context, offer, find)
    await independently(
      ...WRONG_GUESTS.map(([clause, spoil]) => async () => {
        const answer = await attempt(context, spoilt(spoil), by)
        expect(answer, clause).not.toSucceed()
        expect(answer, 'V1-HOTEL-ERR-RESORT-GUESTS').toRefuseAsStated()
      }),
      // Also with a search for adults only.
      ...WRONG_BESIDE_ADULTS.map(([clause, spoil]) => async () => {
        const wrong = async () => spoil(arrange.anyBody(await checkedResort(arrange, { adults: 2 })))
        const answer = await attempt(context, wrong, by)
        expect(answer, clause).not.toSucceed()
        expect(answer, 'V1-HOTEL-ERR-RESORT-GUESTS').toRefuseAsStated()
      }),
      async () => {
        const unnamed = async () => {
          const { guests: _, ...body } = arrange.anyBody(await find())
          return body
        }
        const answer = await attempt(context, unnamed, by)
        // The words for a missing field are not shown.
        expect(answer, 'V1-HOTEL-RESORT-GUEST-COUNT').not.toSucceed()
      },
      () => act.booked('the same room with everybody in it', { by, body: arrange.body(offer) }),
    )
  })

  for (const [who, clause, age, spoil] of [
    ['aged 18 in place of an adult', 'V1-HOTEL-RESORT-GUEST-OF-18', 8, firstGuest({ age: 18 })],
    ['aged 0', 'V1-HOTEL-RESORT-GUEST-OF-0', 0, (body: JsonObject) => body],
    [
      'with letters beyond ASCII',
      'V1-HOTEL-RESORT-GUEST-LETTERS',
      8,
      firstGuest({ name: 'Renée', surname: 'Muñoz-Łukasz' }),
    ],
  ] as const)
    test(`accepts a guest ${who}`, { tags: [clause], kinds }, async ({ arrange, act, expect }) => {
      arrange.draw.hold(PEOPLE)
      const by = await resortSeller(arrange)
      const written = async (childAge: number) =>
        arrange.anyBody(await checkedResort(arrange, { adults: 2, childrenAges: [childAge] }))
      // Other hotels are no comparison: resort hotels may be sold out when others are not.
      const { answer } = await act.book({ by, body: async () => spoil(await written(age)), judged: false })
      if (answer.response.status >= 400)
        await act.booked('the same room for other guests', { by, body: () => written(8), judged: false })
      expect(answer).toSucceed()
    })

  test('refuses two keys', { tags: ['V1-HOTEL-RESORT-ONE-KEY'], kinds }, async context => {
    const { arrange, act, expect } = context
    const { by, body } = await selling(context)
    // Two keys of one hotel and stay, so that nothing else is a reason for a refusal.
    const room = await resortRoom(arrange, by)
    const [first] = room.productData.rateKeys
    const rate = ratesOf(room.productData.hotel)[0]?.find(({ rate_key: key }) => key !== first)
    assume(typeof rate?.rate_key === 'string', 'a resort hotel with two rates for a room')
    const otherRoom = { rates: [rate], rateKeys: [rate.rate_key] }
    const one = await checkedRoom(arrange, by, room)
    const other = await checkedRoom(arrange, by, {
      ...room,
      productData: { ...room.productData, ...otherRoom },
    })
    const ratekey = [one, other].flatMap(({ productData }) => productData.rateKeys)
    const sent = { ...arrange.anyBody(one), ratekey, external_reference: arrange.reference() }
    expect(await by.v1.hotels.confirm(sent)).not.toSucceed()
    await act.booked('one of them alone', { by, body })
  })

  test('is replayed even if the price changed', {
    tags: ['V1-IDEM-REPLAY-ORDER-HOTEL'],
    kinds,
    forReal: false,
  }, async ({ arrange, control }) => {
    control.require('changePrice')
    // A test credential gets no replay.
    const by = await arrange.actor('resort', { modes: { hotels: 'live' } })
    const offer = async () => checkedRoom(arrange, by, await resortRoom(arrange, by))
    const { body, offer: sold } = await arrange.order({ actor: by, offer })
    await control.changePrice(by, sold.productId, 5)
    await replay(arrange, by, body)
  })

  const needs = ['role:resort', 'control:price'] as const
  const words = ['V1-HOTEL-RESORT-PRICE-MOVED', 'V1-HOTEL-ERR-RESORT-PRICE'] as const
  for (const [found, move] of [
    [CHECKED, 'rises'],
    [CHECKED, 'falls'],
    [CHECKED, 'rises by a cent'],
    [OF_ANOTHER_PACKAGE, 'rises'],
  ] as const)
    story([findAt({ found, role: 'resort' }), price(move), orderAt], { for: words, needs, kinds })
})
