import { walkThroughOrders } from '../../fixtures/check/v1/ticket-walks.ts'
import { describe, test } from '../../fixtures/test.ts'

describe('the life of an order of operator B', () => {
  test(
    'every walk through it is answered as its state demands',
    {
      tags: [
        'V1-PARK-B-CANCEL-SUCCESS',
        'TEST-MODE-V1-PARK-B-CANCEL-TWICE',
        'TEST-MODE-V1-PARK-B-CANCELLED-VOUCHER',
        'V1-IDEM-REPLAY-ORDER-PARK-B',
      ],
      opportunistic: [
        'V1-PARK-B-STATE-VOUCHER-PUBLISHED',
        'V1-PARK-B-ERR-CANCEL-FOREIGN',
        'V1-IDEM-REPLAY-STATUS-PARK-B',
        'V1-IDEM-REPLAY-FLAG-PARK-B',
      ],
      kinds: ['v1-park-b'],
    },
    async context =>
      walkThroughOrders(context, {
        operator: 'parkB',
        again: 'refused',
        clauses: {
          cancel: 'V1-PARK-B-CANCEL-SUCCESS',
          again: 'TEST-MODE-V1-PARK-B-CANCEL-TWICE',
          foreign: 'V1-PARK-B-ERR-CANCEL-FOREIGN',
          gone: 'TEST-MODE-V1-PARK-B-CANCELLED-VOUCHER',
          published: 'V1-PARK-B-STATE-VOUCHER-PUBLISHED',
        },
      }),
  )
})
