import {
  book,
  bookAnother,
  cancel,
  dates,
  deadline,
  describe,
  find,
  read,
  story,
} from '../../fixtures/test.ts'

const only = { kinds: ['transfers'], needs: ['control:clock'] } as const

describe('POST /api/v2/bookings/{booking_id}/cancel and its deadline', () => {
  story([book, deadline('passes'), cancel, read, cancel({ reason: 'Avión cancelado' }), read], {
    ...only,
    for: [
      'V2-CANCEL-DEADLINE',
      'V2-CANCEL-DEADLINE-UNCHANGED',
      'V2-ERR-STATUS-NOT-CANCELLABLE',
      'V2-BOOKING-CANCELLATION-TOLD',
    ],
  })

  for (const order of [dates('ascend'), dates('descend')])
    story([find, order, book, deadline('passes'), cancel, read], {
      ...only,
      for: ['V2-CANCEL-DEADLINE'],
      opportunistic: ['V2-CANCEL-DEADLINE-UNCHANGED'],
      over: { items: ['2'] },
    })

  story([book, deadline('comes near'), bookAnother, read, cancel, deadline('passes'), cancel], {
    ...only,
    for: [
      'V2-CANCEL-DEADLINE',
      'V2-BOOKING-CANCELLATION-TOLD',
      'V2-CANCEL-AGAIN-STATUS',
      'V2-CANCEL-AGAIN-FLAG',
    ],
  })
})
