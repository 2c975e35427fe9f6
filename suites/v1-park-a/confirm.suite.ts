import {
  ADULT,
  ADULT_AND_CHILD,
  hasChildFare,
  hasChildFares,
  offerAmong,
  onDay,
  type ParkACheck,
  type ParkAOffer,
} from '../../fixtures/check/v1/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { cancel, describe, getVoucher, orderAt, pair, story, voucherIsReady } from '../../fixtures/test.ts'

const kinds = ['v1-park-a'] as const

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

  story([orderAt({ found: onDay(0) }), voucherIsReady, getVoucher, cancel], {
    title: 'tickets of the last brand are printed and cancelled',
    for: ['V1-PARK-A-PDF', 'V1-PARK-A-CANCEL-SUCCESS'],
    kinds,
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
})
