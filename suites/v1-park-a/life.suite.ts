import { walkThroughOrders } from '../../fixtures/check/v1/ticket-walks.ts'
import { describe, test } from '../../fixtures/test.ts'

describe('the life of an order of operator A', () => {
  test(
    'every walk through it is answered as its state demands',
    {
      tags: [
        'V1-PARK-A-CANCEL-SUCCESS',
        'V1-PARK-A-STATE-CANCEL-TWICE',
        'V1-PARK-A-STATE-CANCELLED-VOUCHER',
        'V1-IDEM-REPLAY-ORDER-PARK-A',
      ],
      opportunistic: [
        'V1-PARK-A-STATE-VOUCHER-PUBLISHED',
        'V1-PARK-A-ERR-CANCEL-FOREIGN',
        'V1-IDEM-REPLAY-STATUS-PARK-A',
        'V1-IDEM-REPLAY-FLAG-PARK-A',
      ],
      kinds: ['v1-park-a'],
    },
    async context =>
      walkThroughOrders(context, {
        operator: 'parkA',
        again: 'already cancelled',
        clauses: {
          cancel: 'V1-PARK-A-CANCEL-SUCCESS',
          again: 'V1-PARK-A-STATE-CANCEL-TWICE',
          foreign: 'V1-PARK-A-ERR-CANCEL-FOREIGN',
          gone: 'V1-PARK-A-STATE-CANCELLED-VOUCHER',
          published: 'V1-PARK-A-STATE-VOUCHER-PUBLISHED',
        },
      }),
  )
})
