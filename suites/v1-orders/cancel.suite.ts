import {
  by,
  cancel,
  describe,
  getVoucher,
  order,
  read,
  story,
  supplier,
  together,
} from '../../fixtures/test.ts'

const TICKETS = ['v1-park-a', 'v1-park-b'] as const
const needs = ['control:outcome'] as const
/** How many cancellations a supplier may refuse until that is no chance. */
const until = 8

const REFUSED = together(supplier('refuses the cancellation'), cancel)

describe('a cancellation that the supplier does not complete', () => {
  for (const over of [{ account: ['ordinary'] }, { mode: ['live'] }] as const) {
    story([order, REFUSED, REFUSED, cancel, cancel], {
      title: `refused, and made later (${Object.values(over).join()})`,
      for: ['V1-*-ERR-CANCEL-REFUSED', 'V1-*-CANCEL-SUCCESS'],
      needs,
      kinds: TICKETS,
      over,
    })

    story([order, REFUSED, read, REFUSED, read, cancel], {
      title: `rejected, and made later (${Object.values(over).join()})`,
      for: ['V1-HOTEL-ERR-CANCEL-REJECTED', 'V1-HOTEL-ERR-CANCEL-REJECTED-ACTIVE'],
      needs,
      kinds: ['v1-hotels'],
      over: { ...over, people: ['one', 'several'] },
    })
  }

  story([order, REFUSED, cancel, cancel], {
    for: ['V1-PARK-A-STATE-FIRST-CANCEL', 'V1-PARK-A-STATE-ALREADY-CANCELLED'],
    needs,
    kinds: ['v1-park-a'],
  })

  for (const [event, ofA, ofB] of [
    ['finds nothing to cancel', 'V1-PARK-A-ERR-CANCEL-NONE', 'V1-PARK-B-ERR-CANCEL-NONE'],
    ['is unavailable to cancel', 'V1-PARK-A-ERR-CANCEL-UNAVAILABLE', 'V1-PARK-B-ERR-UNAVAILABLE'],
    ['fails to cancel', 'V1-PARK-A-ERR-TIMEOUT', 'V1-PARK-B-ERR-PROVIDER'],
  ] as const)
    for (const [product, clause] of [
      ['v1-park-a', ofA],
      ['v1-park-b', ofB],
    ] as const)
      story([order, supplier(event), cancel], {
        title: `supplier ${event} (${product})`,
        for: [clause],
        needs,
        kinds: [product],
      })

  story([order({ adults: 2 }), supplier('cancels in part'), cancel, cancel], {
    for: ['V1-*-ERR-CANCEL-PARTIAL', 'V1-*-STATE-PARTIAL'],
    needs,
    kinds: TICKETS,
  })

  story(
    [
      order({ adults: 2 }),
      together(supplier('cancels in part'), cancel),
      together(supplier('cancels the rest alone'), cancel),
      cancel,
    ],
    {
      for: [
        'V1-PARK-A-STATE-PARTIAL-KEPT',
        'V1-PARK-A-CANCEL-REST',
        'V1-PARK-A-STATE-FIRST-CANCEL',
        'V1-PARK-A-STATE-ALREADY-CANCELLED',
      ],
      needs,
      kinds: ['v1-park-a'],
      until,
    },
  )

  story([order, supplier('cancels in part'), cancel, read], {
    for: ['V1-HOTEL-STATE-ERROR'],
    needs,
    kinds: ['v1-hotels'],
    over: { account: ['ordinary'] },
    until,
  })

  story([order, supplier('refuses the cancellation'), cancel, getVoucher], {
    for: ['V1-TRANSFER-CANCEL-REFUSED-KEPT'],
    needs,
    kinds: ['v1-transfers'],
    over: { account: ['ordinary'] },
  })

  story([order, cancel, cancel], {
    for: ['TEST-MODE-V1-HOTEL-CANCEL'],
    kinds: ['v1-hotels'],
    over: { account: ['ordinary'] },
    until,
  })
})

describe('a cancellation', () => {
  for (const over of [{ account: ['ordinary'] }, { mode: ['live'] }] as const)
    story([order({ rooms: 'several' }), cancel, cancel], {
      title: `leaves no room (${Object.values(over).join()})`,
      for: ['V1-HOTEL-CANCEL-WHOLE'],
      kinds: ['v1-hotels'],
      over,
    })

  story([by('another company', order), cancel, order, cancel, cancel, cancel], {
    for: ['V1-TRANSFER-CANCEL', 'V1-TRANSFER-CANCEL-SAME-ANSWER'],
    needs: ['role:otherCompany'],
    kinds: ['v1-transfers'],
    over: { account: ['ordinary'] },
  })
})
