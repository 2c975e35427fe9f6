import { isOfMarket } from '../../fixtures/check/buying/index.ts'
import { spread } from '../../fixtures/check/products/index.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  assumeSoldTo,
  attempt,
  claimRefused,
  familiesOf,
  hasChildFare,
  hasChildFares,
  isRefusedOrder,
  offerAmong,
  offerWithChild,
  type ParkACheck,
  type ParkAOffer,
  TWO_ADULTS,
  type V1Family,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import { at, type JsonObject, sumOf } from '../../fixtures/contracts/index.ts'
import { isUsableId } from '../../fixtures/service/index.ts'
import { addDays, assume, describe, independently, orderAt, pair, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

/** The number of further days searched for one on which two families are sold. */
const FORTNIGHT = 13

describe('POST /api/v1/parkA/ticketConfirm', () => {
  for (const people of [ADULT, ADULT_AND_CHILD]) {
    const found = [
      'of the first brand',
      (check: ParkACheck) => {
        const brand = check.arrange.adapter.brands[0]
        return offerAmong(check, { what: 'a ticket of the first brand', people, brand })
      },
    ] as const
    const named = (body: JsonObject, { productData: { family } }: ParkAOffer) => ({
      ...body,
      brand: family.brand,
    })
    const unnamed = ({ brand: _, ...body }: JsonObject) => body
    const forms = [
      ['without brand', unnamed],
      ['by its brand', named],
    ] as const
    const [without, withIt] = forms.map(form => orderAt({ found, form }))
    const whose = `for ${people.adults} and ${people.children}`
    pair(`products of the first brand need no brand, ${whose}`, {
      for: ['V1-PARK-A-CONFIRM-BRAND-DEFAULT'],
      act: { with: without!, without: withIt! },
      kinds,
    })

    pair(`products of the first brand may name it, ${whose}`, {
      for: ['V1-PARK-A-CONFIRM-BRAND-1'],
      act: { with: withIt!, without: without! },
      kinds,
    })
  }

  test('accepts products of another brand only with that brand', {
    tags: [
      'V1-PARK-A-CONFIRM-BRAND-2',
      'V1-PARK-A-CONFIRM-BRAND-2-MISSING',
      'V1-PARK-A-PDF',
      'V1-PARK-A-CANCEL-SUCCESS',
    ],
    kinds,
  }, async context => {
    const { arrange, act, expect } = context
    const brand = arrange.adapter.brands[1]
    assume(brand !== undefined, 'a second brand')
    const listed = await arrange.adapter.catalog(await arrange.actor(), brand)
    const { json } = listed.response
    assume(Array.isArray(json) && json.length > 0, 'a second brand with a catalog')
    const find = (people = arrange.adapter.people()) =>
      offerAmong(context, { what: 'a ticket of the second brand', people, brand })
    const { answer } = await act.book({ offer: () => find() })
    expect(answer, 'V1-PARK-A-CONFIRM-BRAND-2').toSucceed()
    if (arrange.trafficIsFree && familiesOf(json, brand).some(hasChildFare)) {
      const both = await act.book({
        offer: () => find(ADULT_AND_CHILD),
        beside: async () => arrange.body(await find()),
      })
      if (!isOfMarket(both.answer)) expect(both.answer, 'V1-PARK-A-CONFIRM-BRAND-2').toSucceed()
      const children = await act.book({
        offer: () => find({ adults: 0, children: arrange.adapter.people().adults }),
        beside: async () => arrange.body(await find(ADULT_AND_CHILD)),
      })
      expect(children.answer, 'V1-PARK-A-CONFIRM-BRAND-2').toSucceed()
    }
    const unnamed = async () => {
      const { brand: _, ...body } = arrange.anyBody(await find())
      return body
    }
    claimRefused(context, 'V1-PARK-A-CONFIRM-BRAND-2-MISSING', {
      tried: 'Confirming a ticket of the second brand without brand, which then is the first',
      answer: await attempt(context, unnamed),
    })
    // Its tickets are printed and cancelled like those of the first brand.
    const id = at(answer.response.json, 'id_order')
    assume(isUsableId(id), 'an order that shows its id')
    await independently(
      async () => void (await act.voucher({ id })),
      async () => void (await act.cancel({ id })),
    )
  })

  const found = [
    'with a child fare, where there is one',
    async (check: ParkACheck) => {
      const suits = (await hasChildFares(check)) ? hasChildFare : () => true
      return offerAmong(check, { what: 'a ticket for adults', suits })
    },
  ] as const
  for (const form of [
    [
      'with product_id_child',
      (body: JsonObject, { productData: { family } }: ParkAOffer) => ({
        ...body,
        product_id_child: family.child?.product_id,
      }),
    ],
    ['without children', ({ children: _, ...body }: JsonObject) => body],
  ] as const)
    pair(`adults are accepted by their code alone as often as ${form[0]}`, {
      for: ['V1-PARK-A-CONFIRM-ADULT-CODE-ONLY'],
      act: { with: orderAt({ found }), without: orderAt({ found, form }) },
      kinds,
    })

  test('accepts an adult and a child together if it accepts two adults', {
    tags: ['V1-PARK-A-CONFIRM-TOTAL'],
    kinds,
  }, async context => {
    const { act, arrange, expect } = context
    assume(await hasChildFares(context), 'a ticket with a child fare')
    const adults = { what: 'a ticket with a child fare', suits: hasChildFare, people: TWO_ADULTS }
    const { answer } = await act.book({
      offer: () => offerWithChild(context),
      beside: async () => arrange.body(await offerAmong(context, adults)),
    })
    expect(answer).toSucceed()
  })

  test('accepts children without product_id_adult', {
    tags: ['V1-PARK-A-CONFIRM-CHILD-CODE-ONLY'],
    kinds,
  }, async context => {
    const { act, arrange, expect } = context
    // How many are sold together is known once the first order was made.
    const children = () => ({ adults: 0, children: arrange.adapter.people().adults })
    const isEvent = ({ eventDate }: V1Family) => eventDate !== undefined
    for (const isWanted of arrange.trafficIsFree ? [() => true, isEvent] : [() => true]) {
      const suits = (one: V1Family) => isWanted(one) && hasChildFare(one)
      const find = (people: V1People) =>
        offerAmong(context, { what: 'a ticket or event with a child fare', suits, people })
      const beside = async () => arrange.body(await find(ADULT_AND_CHILD))
      const { answer } = await act.book({ offer: () => find(children()), beside })
      expect(answer).toSucceed()
    }
  })
})

/** Groups with an adult that order tickets of two families, in turn. */
const GROUPS = [ADULT_AND_CHILD, { adults: 1, children: 2 }]

describe('the codes of POST /api/v1/parkA/ticketConfirm', () => {
  test('must be of one family', {
    tags: ['V1-PARK-A-CONFIRM-FAMILY', 'V1-PARK-A-ERR-FAMILY'],
    kinds,
  }, async context => {
    const { arrange, act, expect } = context
    const by = await arrange.actor()
    const { adapter } = arrange
    const brands = arrange.trafficIsFree ? adapter.brands : adapter.brands.slice(0, 1)
    const catalogs = await Promise.all(brands.map(brand => adapter.catalog(by, brand)))
    // The adult ticket of one family with the child ticket of another, and the other way round.
    const pairs = catalogs.flatMap(({ response: { json } }, nth) => {
      const families = spread(familiesOf(json, brands[nth]!).filter(hasChildFare))
      const others = [...families.slice(1), ...families.slice(0, 1)]
      return families.length > 1
        ? families.map((own, at) => ({
            own,
            other: others[at]!,
            brand: brands[nth]!,
            people: GROUPS[at % GROUPS.length]!,
          }))
        : []
    })
    assume(pairs.length > 0, 'two families with a child fare')
    const ofTwo = async ({ own, other, people }: (typeof pairs)[number]) => {
      // The families need not be sold on the same days, and an event only on its day.
      const event = own.eventDate ?? other.eventDate
      const from = event ?? adapter.day()
      const days = { from, to: event ?? addDays(from, FORTNIGHT) }
      const children = await adapter.between(by, other, { ...people, adults: 0 }, days)
      const onDay = new Map(children.map(one => [one.date, one]))
      const adult = (await adapter.between(by, own, ADULT, days)).find(({ date }) => onDay.has(date))
      assume(adult !== undefined, 'two families with a child fare that are sold on one day')
      return {
        ...arrange.anyBody({ ...adult, people }),
        product_id_child: other.child?.product_id,
        total_amount: sumOf([adult.total, onDay.get(adult.date)!.total]),
      }
    }
    const refused = async (pair: (typeof pairs)[number]) => {
      const { answer } = await act.book({ body: () => ofTwo(pair), expecting: ['Ticket not found.'] })
      expect.claim('V1-PARK-A-CONFIRM-FAMILY', isRefusedOrder(answer), {
        tried: `Confirming adult and child tickets of different families of ${pair.brand}`,
        expected: 'a refusal (400 or higher) and no order',
        compare: { of: 'status', is: ['4xx'] },
        answer,
      })
      const { own, people, brand } = pair
      await assumeSoldTo(context, people, async () => {
        const suits = ({ family }: V1Family) => family === own.family
        const what = 'a ticket with a child fare'
        return arrange.anyBody(await offerAmong(context, { what, suits, people, brand }))
      })
      expect(answer, 'V1-PARK-A-ERR-FAMILY').toRefuseAsStated()
    }
    await independently(...arrange.drawn(pairs, 1).map(pair => () => refused(pair)))
  })

  test('of a family without child fare are refused for children', {
    tags: ['V1-PARK-A-ERR-NO-CHILD-FARE'],
    kinds,
  }, async context => {
    const { arrange, act, expect } = context
    const find = (people = ADULT) =>
      offerAmong(context, {
        what: 'a ticket without child fare',
        suits: ({ child }) => child === undefined,
        people,
      })
    const expecting = ['No child fare', 'Ticket not found.']
    // With an adult, and alone.
    const refusals = (
      [
        [1, 1],
        [0, undefined],
        [1, 2],
      ] as const
    )
      .slice(0, arrange.trafficIsFree ? 3 : 2)
      .map(
        ([adults, some]) =>
          () =>
            act.book({
              async body() {
                const offer = await find()
                const children = some ?? arrange.adapter.people().adults
                const body = arrange.anyBody(offer)
                const [adult] = (body.pax ?? []) as Record<string, unknown>[]
                const year = Number(offer.date.slice(0, 4)) - 7
                const child = { ...adult, name: 'Kim', type: 'child', birthdate: `${year}-01-20` }
                const { product_id_adult: code, ...childAlone } = body
                return {
                  ...(adults > 0 ? body : childAlone),
                  adults,
                  children,
                  product_id_child: code,
                  total_amount: sumOf(Array(adults + children).fill(offer.total)),
                  pax: [
                    ...(adults > 0 ? [adult] : []),
                    ...['Paz', 'Rey'].slice(0, children).map(surname => ({ ...child, surname })),
                  ],
                }
              },
              expecting,
            }),
      )
    const answers = []
    for (const refusal of refusals) answers.push((await refusal()).answer)
    await assumeSoldTo(context, TWO_ADULTS, async () => arrange.anyBody(await find(TWO_ADULTS)))
    for (const answer of answers) {
      expect(answer).toHaveStatus(400)
      expect(answer).toSay(...expecting)
    }
  })
})
