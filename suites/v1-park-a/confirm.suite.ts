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
  type V1Family,
} from '../../fixtures/check/v1/index.ts'
import { at } from '../../fixtures/contracts/index.ts'
import { isUsableId } from '../../fixtures/service/index.ts'
import { addDays, assume, describe, independently, testFor } from '../../fixtures/test.ts'

const test = testFor('v1-park-a')

const TWO_ADULTS = { adults: 2, children: 0 }

/** Further days looked at for one on which two families are sold. */
const FORTNIGHT = 13

describe('POST /api/v1/parkA/ticketConfirm', () => {
  test('takes products of the first brand where none is named', {
    tags: ['V1-PARK-A-CONFIRM-BRAND-DEFAULT', 'V1-PARK-A-CONFIRM-BRAND-1'],
  }, async context => {
    const { arrange } = context
    const unnamed = async () => arrange.anyBody(await arrange.offer())
    const named = async () => ({ ...(await unnamed()), brand: arrange.adapter.brands[0] })
    await independently(
      () =>
        claimAccepted(context, {
          clause: 'V1-PARK-A-CONFIRM-BRAND-DEFAULT',
          tried: 'Confirming a ticket of the first brand without brand',
          make: async () => ({ tested: await unnamed(), beside: await named() }),
        }),
      () =>
        claimAccepted(context, {
          clause: 'V1-PARK-A-CONFIRM-BRAND-1',
          tried: 'Confirming a ticket of the first brand with that brand',
          make: async () => ({ tested: await named(), beside: await unnamed() }),
        }),
    )
  })

  test('takes products of another brand with that brand', {
    tags: [
      'V1-PARK-A-CONFIRM-BRAND-2',
      'V1-PARK-A-CONFIRM-BRAND-2-MISSING',
      'V1-PARK-A-PDF',
      'V1-PARK-A-CANCEL-SUCCESS',
    ],
  }, async context => {
    const { arrange, act, expect } = context
    const brand = arrange.adapter.brands[1]
    assume(brand !== undefined, 'a second brand')
    const listed = await arrange.adapter.catalog(await arrange.actor(), brand)
    const { json } = listed.response
    assume(Array.isArray(json) && json.length > 0, 'a second brand with a catalog')
    const find = () => offerAmong(context, { what: 'a ticket of the second brand', brand })
    const { answer } = await act.book({ offer: () => find() })
    expect(answer, 'V1-PARK-A-CONFIRM-BRAND-2').toSucceed()
    const unnamed = async () => {
      const { brand: _, ...body } = arrange.anyBody(await find())
      return body
    }
    claimRefused(context, 'V1-PARK-A-CONFIRM-BRAND-2-MISSING', {
      tried: 'Confirming a ticket of the second brand without brand, which then is the first',
      answer: await attempt(context, unnamed),
    })
    // What it sells is printed and cancelled like tickets of the first brand.
    const id = at(answer.response.json, 'id_order')
    assume(isUsableId(id), 'an order that shows its id')
    await independently(
      async () => expect(await act.voucher({ id }), 'V1-PARK-A-PDF').toBePdf(),
      async () => expect(await act.cancel({ id }), 'V1-PARK-A-CANCEL-SUCCESS').toSucceed(),
    )
  })

  test('takes adults without a code for children', {
    tags: ['V1-PARK-A-CONFIRM-ADULT-CODE-ONLY'],
  }, async context => {
    const { arrange } = context
    const withChildren = await hasChildFares(context)
    await claimAccepted(context, {
      clause: 'V1-PARK-A-CONFIRM-ADULT-CODE-ONLY',
      tried: 'Confirming a ticket for an adult without product_id_child',
      async make() {
        const suits = withChildren ? hasChildFare : () => true
        const offer = await offerAmong(context, { what: 'a ticket for adults', suits, people: ADULT })
        const body = arrange.anyBody(offer)
        return {
          tested: body,
          beside: { ...body, product_id_child: offer.productData.family.child?.product_id },
        }
      },
    })
  })

  test('takes children without a code for adults', {
    tags: ['V1-PARK-A-CONFIRM-CHILD-CODE-ONLY'],
  }, async context => {
    const { act, arrange, expect } = context
    const children = { adults: 0, children: 1 }
    const { answer } = await act.book({
      offer: () => offerWithChild(context, children),
      beside: async () => arrange.body(await offerWithChild(context)),
    })
    expect(answer).toSucceed()
  })
})

describe('the codes of POST /api/v1/parkA/ticketConfirm', () => {
  test('have to be of one family', {
    tags: ['V1-PARK-A-CONFIRM-FAMILY', 'V1-PARK-A-ERR-FAMILY'],
  }, async context => {
    const { arrange, act, expect, claim } = context
    const by = await arrange.actor()
    const { adapter } = arrange
    const withChildOf = (brand: string) =>
      offerAmong(context, {
        what: 'a ticket with a child fare',
        suits: hasChildFare,
        people: ADULT_AND_CHILD,
        brand,
      })
    const ofTwo = async (families: readonly V1Family[], brand: string) => {
      const offer = await withChildOf(brand)
      const { date, productData } = offer
      const own = productData.family
      const others = families.filter(
        family =>
          family.family !== own.family &&
          hasChildFare(family) &&
          [undefined, own.eventDate ?? family.eventDate].includes(family.eventDate),
      )
      // They need not be sold on the same days, and an event is sold on its day alone.
      const stretch = { from: date, to: own.eventDate ?? addDays(date, FORTNIGHT) }
      const offers = await adapter.between(by, own, ADULT_AND_CHILD, stretch)
      const likeliest = others.sort(
        (a, b) => Number(a.eventDate !== own.eventDate) - Number(b.eventDate !== own.eventDate),
      )
      for (const family of likeliest.slice(0, 3)) {
        const { eventDate } = family
        const days = eventDate === undefined ? stretch : { from: eventDate, to: eventDate }
        const children = await adapter.between(by, family, { adults: 0, children: 1 }, days)
        const adults =
          eventDate === own.eventDate ? offers : await adapter.between(by, own, ADULT_AND_CHILD, days)
        const onDay = new Map([offer, ...adults].map(one => [one.date, one]))
        const other = children.find(one => onDay.has(one.date))
        if (other === undefined) continue
        const adult = onDay.get(other.date)!
        const total = Math.round((adult.productData.adultPrice! + other.total) * 100) / 100
        return {
          ...arrange.anyBody(adult),
          product_id_child: family.child?.product_id,
          total_amount: total,
        }
      }
      assume(false, 'two families with a child fare that are sold on one day')
    }
    for (const brand of arrange.trafficIsFree ? adapter.brands : adapter.brands.slice(0, 1)) {
      const { json } = (await adapter.catalog(by, brand)).response
      const families = familiesOf(json, brand)
      // The first brand is told of where it has no two; another one need not have them.
      if (brand !== adapter.brands[0] && families.filter(hasChildFare).length < 2) continue
      const { answer } = await act.book({
        body: () => ofTwo(families, brand),
        expecting: ['Ticket not found.'],
      })
      claim('V1-PARK-A-CONFIRM-FAMILY', isRefusedOrder(answer), {
        tried: `Confirming adult and child tickets of different families of ${brand}`,
        expected: 'a refusal (400 or higher) and no order',
        observed: `${answer.response.status}`,
        exchanges: [answer],
      })
      await assumeSoldTo(context, ADULT_AND_CHILD, async () => arrange.anyBody(await withChildOf(brand)))
      expect(answer, 'V1-PARK-A-ERR-FAMILY').toRefuseAsStated()
    }
  })

  test('of a family without child fare are for adults alone', {
    tags: ['V1-PARK-A-ERR-NO-CHILD-FARE'],
  }, async context => {
    const { arrange, act, expect } = context
    const find = (people = ADULT) =>
      offerAmong(context, {
        what: 'a ticket without child fare',
        suits: ({ child }) => child === undefined,
        people,
      })
    const expecting = ['No child fare', 'Ticket not found.']
    // A child comes with an adult, or alone.
    const refusals = ([1, 0] as const).map(
      adults => () =>
        act.book({
          async body() {
            const offer = await find()
            const body = arrange.anyBody(offer)
            const [adult] = (body.pax ?? []) as Record<string, unknown>[]
            const year = Number(offer.date.slice(0, 4)) - 7
            const child = { ...adult, name: 'Kim', type: 'child', birthdate: `${year}-01-20` }
            const { product_id_adult: code, ...childAlone } = body
            return {
              ...(adults > 0 ? body : childAlone),
              adults,
              children: 1,
              product_id_child: code,
              total_amount: Math.round(offer.total * 100 * (adults + 1)) / 100,
              pax: adults > 0 ? [adult, child] : [child],
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
