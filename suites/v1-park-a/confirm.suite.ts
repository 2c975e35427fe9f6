import { isOfMarket } from '../../fixtures/check/buying/index.ts'
import { spread } from '../../fixtures/check/products/index.ts'
import {
  ADULT,
  ADULT_AND_CHILD,
  assumeSoldTo,
  attempt,
  claimAccepted,
  claimRefused,
  familiesOf,
  hasChildFare,
  hasChildFares,
  isRefusedOrder,
  offerAmong,
  offerWithChild,
  TWO_ADULTS,
  type V1Family,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import { at, type JsonObject, sumOf } from '../../fixtures/contracts/index.ts'
import { isUsableId } from '../../fixtures/service/index.ts'
import { addDays, assume, describe, independently, test } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

/** The number of further days searched for one on which two families are sold. */
const FORTNIGHT = 13

describe('POST /api/v1/parkA/ticketConfirm', () => {
  test('accepts products of the first brand without a brand', {
    tags: ['V1-PARK-A-CONFIRM-BRAND-DEFAULT', 'V1-PARK-A-CONFIRM-BRAND-1'],
    kinds,
  }, async context => {
    const { arrange } = context
    const [brand] = arrange.adapter.brands
    const suits = (one: V1Family) => one.brand === brand && hasChildFare(one)
    const withChild = await arrange.adapter.families(await arrange.actor(), undefined, suits)
    const groups = withChild.length > 0 ? arrange.drawn([ADULT, ADULT_AND_CHILD], 1) : [ADULT]
    for (const people of groups) {
      const unnamed = async () => {
        const offer = await (people === ADULT ? arrange.offer() : offerWithChild(context))
        assume(offer.productData.family.brand === brand, 'a first brand with a catalog')
        return arrange.anyBody(offer)
      }
      const named = async () => ({ ...(await unnamed()), brand })
      const forms = [
        ['V1-PARK-A-CONFIRM-BRAND-DEFAULT', 'without brand', unnamed, named],
        ['V1-PARK-A-CONFIRM-BRAND-1', 'with that brand', named, unnamed],
      ] as const
      await independently(
        ...forms.map(([clause, how, tested, beside]) => async () => {
          const tried = `Confirming a ticket of the first brand ${how}`
          const make = async () => ({ tested: await tested(), beside: await beside() })
          await claimAccepted(context, { clause, tried, make })
        }),
      )
    }
  })

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
      async () => expect(await act.voucher({ id }), 'V1-PARK-A-PDF').toBePdf(),
      async () => expect(await act.cancel({ id }), 'V1-PARK-A-CANCEL-SUCCESS').toSucceed(),
    )
  })

  test('accepts adults without product_id_child', {
    tags: ['V1-PARK-A-CONFIRM-ADULT-CODE-ONLY'],
    kinds,
  }, async context => {
    const { arrange } = context
    const withChildren = await hasChildFares(context)
    const taken = (how: string, otherwise: (body: JsonObject, code: unknown) => JsonObject) =>
      claimAccepted(context, {
        clause: 'V1-PARK-A-CONFIRM-ADULT-CODE-ONLY',
        tried: `Confirming a ticket for an adult ${how}`,
        async make() {
          const suits = withChildren ? hasChildFare : () => true
          const offer = await offerAmong(context, { what: 'a ticket for adults', suits })
          const body = arrange.anyBody(offer)
          return { tested: body, beside: otherwise(body, offer.productData.family.child?.product_id) }
        },
      })
    await independently(
      () => taken('without product_id_child', (body, product_id_child) => ({ ...body, product_id_child })),
      () => taken('with children: 0', ({ children: _, ...body }) => body),
    )
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
