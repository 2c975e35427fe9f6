import {
  offerWanted,
  type ParkBCheck,
  type TicketOffer,
  type V1People,
} from '../../fixtures/check/v1/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import { methodsOf } from '../../fixtures/service/index.ts'
import { type Actor, cancel, describe, getVoucher, orderAt, repeat, story } from '../../fixtures/test.ts'

const kinds = ['v1-park-b'] as const

const lists53 = ({ productData: { ticket } }: TicketOffer) => methodsOf(ticket.adult!).includes('53')

describe('vouchers of operator B', () => {
  const vouchers = {
    role: 'sellsVouchers',
    found: [
      'that lists 53',
      (check: ParkBCheck, people: V1People, by: Actor) =>
        offerWanted(check, by, lists53, 'a ticket that lists 53', people),
    ],
    form: ['as a voucher', (body: JsonObject) => ({ ...body, DeliveryMethod: '53' })],
  } as const

  story([orderAt(vouchers), orderAt({ ...vouchers, off: 7 })], {
    for: ['V1-PARK-B-PRICE-PER-TICKET', 'V1-PARK-B-CONFIRM-TOTAL'],
    needs: ['role:sellsVouchers'],
    kinds,
  })

  story([orderAt(vouchers), repeat, getVoucher, cancel, getVoucher, cancel], {
    for: [
      'V1-PARK-B-PDF',
      'V1-PARK-B-CANCEL-SUCCESS',
      'TEST-MODE-V1-PARK-B-CANCELLED-VOUCHER',
      'TEST-MODE-V1-PARK-B-CANCEL-TWICE',
      'V1-IDEM-REPLAY-ORDER-PARK-B',
      'V1-IDEM-REPLAY-STATUS-PARK-B',
      'V1-IDEM-REPLAY-FLAG-PARK-B',
    ],
    needs: ['role:sellsVouchers'],
    kinds,
  })
})
