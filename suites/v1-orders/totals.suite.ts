import { counted, describe, findAt, orderAt, pair, price, story } from '../../fixtures/test.ts'

const PARKS = ['v1-park-a', 'v1-park-b'] as const
const TRANSFERS = ['v1-transfers'] as const
const kinds = [...PARKS, ...TRANSFERS]
const FAMILY = { adults: 1, children: 1 }
/** They expose a tolerance that grows with the total or the number of people. */
const GROUPS = [
  { adults: 1, children: 0 },
  { adults: 4, children: 0 },
  { adults: 1, children: 2 },
  { adults: 0, children: 2 },
]

describe('total_amount of an order', () => {
  for (const people of [...GROUPS, { adults: 2, children: 0 }, { adults: 3, children: 0 }, FAMILY]) {
    const cents = ['a cent that slips', 0.01, -0.01] as const
    const prices = people === FAMILY ? (['all as adults', 'adults alone'] as const) : cents
    const steps = [orderAt({ people }), ...prices.map(off => orderAt({ people, off }))]
    story(steps, { for: ['V1-*-CONFIRM-TOTAL-CENT', 'V1-*-ERR-PRICE'], kinds: PARKS })
    story(steps, { for: ['V1-TRANSFER-CONFIRM-TOTAL-CENT'], kinds: TRANSFERS })
  }

  story([orderAt, ...[25, 1, -1].map(off => orderAt({ off }))], {
    for: ['V1-TRANSFER-CONFIRM-TOTAL'],
    kinds: TRANSFERS,
  })

  story(
    [0.27, -0.14, 3].map(off => orderAt({ off })),
    { for: ['V1-PARK-A-ERR-PRICE-MESSAGE'], kinds: ['v1-park-a'] },
  )

  for (const people of GROUPS)
    story(
      [0.004, -0.004, 0.001].map(off => orderAt({ people, off })),
      { for: ['V1-*-CONFIRM-TOTAL-WITHIN'], kinds: PARKS },
    )

  for (const off of [0.004, -0.004])
    pair(`an order succeeds as often with a total that is ${off} off`, {
      for: ['V1-TRANSFER-CONFIRM-TOTAL-WITHIN'],
      act: { with: orderAt({ off }), without: orderAt },
      kinds: TRANSFERS,
    })

  for (const [found, move] of [
    [findAt, 'falls'],
    [findAt, 'rises'],
    [findAt({ people: FAMILY, childs: true }), 'rises'],
  ] as const)
    story([orderAt, found, price(move), orderAt, orderAt], {
      for: ['V1-*-CONFIRM-TOTAL-NEW-QUOTE'],
      needs: ['control:price'],
      kinds,
    })

  for (const wish of [{ off: 5 }, { off: -0.01 }, { people: FAMILY, off: 0.01 }]) {
    const right = orderAt({ ...wish, off: 0 })
    story([right, counted, orderAt(wish), counted], {
      for: ['V1-*-CONFIRM-TOTAL-NOTHING'],
      needs: ['control:counters'],
      kinds: PARKS,
    })

    story([right, orderAt(wish), orderAt({ ...wish, off: 0, reference: 'its reference' })], {
      for: ['V1-*-CONFIRM-TOTAL-NOTHING'],
      kinds: PARKS,
    })
  }
})
