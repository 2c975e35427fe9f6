import {
  codeOfAdults,
  codesOfAges,
  offerWanted,
  type ParkBCheck,
  type TicketOffer,
} from '../../fixtures/check/v1/index.ts'
import { at, type JsonObject, objects, textOf } from '../../fixtures/contracts/index.ts'
import { describe, order, orderAt, pair, repeat, story } from '../../fixtures/test.ts'

const kinds = ['v1-park-b'] as const

/** Returns the time (`HH:MM`) of the row of an offer. */
const timeOf = ({ exchange, date }: TicketOffer): string => {
  const rows = at(exchange.response.json, 'eventResults')
  const times = objects(rows).map(row => textOf(row.eventDateTime))
  return times.find(time => time.startsWith(date))?.slice(11, 16) ?? '00:00'
}

type Form = readonly [how: string, write: (body: JsonObject, offer: TicketOffer) => JsonObject]

const asItIs: Form = ['as it is', body => body]
const bothCodes: Form = ['by two codes', ({ plu, ...body }) => ({ ...body, plu_ad: plu, plu_ch: plu })]

describe('POST /api/v1/parkB/ticketConfirm', () => {
  for (const adults of [1, 3]) {
    const ordered = (form: Form) => orderAt({ people: { adults, children: 1 }, form })
    pair(`takes one code for ${adults} and a child`, {
      for: ['V1-PARK-B-CONFIRM-ONE-CODE'],
      act: { with: ordered(asItIs), without: ordered(bothCodes) },
      kinds,
    })
  }

  const found = [
    'of a day with one row',
    async (check: ParkBCheck) => {
      const isAlone = ({ productData }: TicketOffer) => productData.time === undefined
      const by = await check.arrange.actor()
      return offerWanted(check, by, isAlone, 'a ticket that is on sale for days with one row each')
    },
  ] as const
  const noTime: Form = ['without event_time', ({ event_time: _, ...body }) => body]
  const timed: Form = ['at its time', (body, offer) => ({ ...body, event_time: timeOf(offer) })]
  pair('needs no event_time for a product without time slots', {
    for: ['V1-PARK-B-CONFIRM-NO-TIME'],
    act: { with: orderAt({ found, form: noTime }), without: orderAt({ found, form: timed }) },
    kinds,
  })

  story([order, repeat, repeat], { for: ['V1-PARK-B-REPLAY-ID'], kinds })

  pair('takes plu_ad and plu_ch as often as one code, if those of adults and children differ', {
    for: ['V1-PARK-B-CONFIRM-TWO-CODES'],
    act: { with: orderAt({ found: codesOfAges }), without: orderAt({ found: codeOfAdults }) },
    kinds,
  })
})
