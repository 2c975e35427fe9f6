import { claimClosed, type HotelOffer, roomsApart, roomsOfGroup } from '../../fixtures/check/v1/index.ts'
import { at } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  describe,
  type Exchange,
  getNumber,
  independently,
  order,
  story,
  test,
} from '../../fixtures/test.ts'

const kinds = ['v1-hotels'] as const

/** Seconds between two looks at missing numbers, and the number of looks. */
const LATER = 600
const LOOKS = 6
/** Seconds after which a final status is read again. */
const HOURS_LATER = 2 * 3600 + 60

const statusIn = ({ response }: Exchange): unknown => at(response.json, 'hcn_status')

describe('GET /api/v1/hotel/distribution/bookingHcn', () => {
  for (const people of ['one', 'several'] as const)
    story([order, getNumber, getNumber], {
      title: `order for ${people} with a test credential, get number twice`,
      for: [
        'V1-HOTEL-HCN-ROOMS',
        'V1-HOTEL-HCN-STATUS',
        'V1-HOTEL-HCN-NUMBER',
        'TEST-MODE-V1-HOTEL-HCN',
        'TEST-MODE-V1-HOTEL-HCN-NUMBERS',
      ],
      kinds,
      over: { account: ['ordinary'], people: [people] },
    })

  // Rows judge every look: until all numbers are there, then, hours later, and after the cancellation.
  test('is pending until every room has its number, and available afterwards', {
    tags: [
      'V1-HOTEL-HCN-BECOMES-AVAILABLE',
      'V1-HOTEL-HCN-PDF',
      'V1-HOTEL-HCN-NUMBER',
      'V1-HOTEL-HCN-ROOMS',
      'V1-HOTEL-HCN-CANCELLED',
      'AUTH-V1-HOTEL-VOUCHER',
    ],
    kinds,
  }, async context => {
    const { arrange, act, control } = context
    const becomes = async (actor: Actor, find: (actor: Actor) => Promise<HotelOffer>) => {
      const { id } = await arrange.order({ actor, offer: () => find(actor) })
      const look = () => actor.v1.hotels.number({ id_orden: id })
      let last = await look()
      for (let looks = 1; statusIn(last) === 'pending' && looks < LOOKS; looks++) {
        // Hotels take hours, so the interval doubles each time if a clock can be moved.
        await arrange.elapse(actor, control.offers('advanceClock') ? LATER * 2 ** (looks - 1) : LATER)
        last = await look()
      }
      assume(
        statusIn(last) !== 'pending',
        `hotel confirmation numbers that arrive within ${LOOKS} reads, at least ${LATER / 60} minutes apart`,
      )
      await look()
      if (control.offers('advanceClock')) await control.advanceClock(actor, HOURS_LATER)
      await look()
      await independently(
        () => claimClosed(context, last, id),
        async () => {
          await act.cancelled({ id }, actor)
          await look()
        },
      )
    }
    const seller = await arrange.actor('live')
    await independently(
      () => becomes(seller, actor => roomsApart(arrange, { actor })),
      ...(arrange.trafficIsFree ? [() => becomes(seller, actor => roomsOfGroup(arrange, actor))] : []),
    )
  })
})
