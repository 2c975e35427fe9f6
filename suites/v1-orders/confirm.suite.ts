import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { counted, describe, order, orderAt, pair, rate, story, supplier } from '../../fixtures/test.ts'

const PARKS = ['v1-park-a', 'v1-park-b'] as const
const AGAIN = order({ reference: 'its reference' })
const needs = ['control:outcome'] as const

describe('ticketConfirm', () => {
  for (const [product, requestId] of [
    ['v1-park-a', 'V1-PARK-A-CONFIRM-REQUEST-ID'],
    ['v1-park-b', 'V1-PARK-B-CONFIRM-NO-REQUEST-ID'],
  ] as const)
    for (const [who, ordered] of [
      ['anybody', orderAt],
      ['a family', orderAt({ people: { adults: 2, children: 1 } })],
    ] as const)
      story([ordered], {
        title: `${product} is ordered for ${who}`,
        for: [
          requestId,
          'V1-*-CONFIRM-FIRST-NO-REPLAY',
          'V1-*-CONFIRM-SUCCESS',
          'V1-*-CONFIRM-CODE',
          'V1-*-CONFIRM-ID',
          'V1-*-CONFIRM-PDF',
        ],
        kinds: [product],
      })

  const people = { adults: 1, children: 1 }
  const reversed = (body: JsonObject) => ({ ...body, pax: (body.pax as unknown[]).toReversed() })
  pair('its passengers may come in any order', {
    for: ['V1-*-PAX-ANY-ORDER'],
    act: {
      with: orderAt({ people, form: ['with the child first', reversed] }),
      without: orderAt({ people }),
    },
    kinds: PARKS,
  })

  for (const [event, said] of [
    [supplier('fails'), 'PROVIDER'],
    [supplier('is unavailable'), 'UNAVAILABLE'],
  ] as const) {
    story([order, event, order], { for: [`V1-*-ERR-${said}`], needs, kinds: PARKS })

    const nothing = [`V1-PARK-A-ERR-${said}-NOTHING`] as const
    story([order, event, order, AGAIN], { for: nothing, needs, kinds: ['v1-park-a'] })

    const all = [...needs, 'control:counters'] as const
    story([order, counted, event, order, counted], { for: nothing, needs: all, kinds: ['v1-park-a'] })
  }

  for (const [event, said] of [
    [rate('is gone'), 'V1-PARK-A-ERR-INVALID'],
    [supplier('refuses'), 'V1-PARK-A-ERR-NO-AVAILABILITY'],
    [supplier('does not answer, not booked'), 'V1-PARK-A-ERR-TIMEOUT'],
  ] as const)
    story([order, event, order], { for: [said], needs, kinds: ['v1-park-a'] })
})
