import { describe, story } from '../../fixtures/test.ts'

const only = { kinds: ['transfers'], needs: ['control:clock'] } as const

describe('POST /api/v2/bookings/{booking_id}/cancel and its deadline', () => {
  story('book, [the deadline passes], cancel, read, cancel with a reason, read', {
    ...only,
    for: [
      'V2-CANCEL-DEADLINE',
      'V2-CANCEL-DEADLINE-UNCHANGED',
      'V2-ERR-STATUS-NOT-CANCELLABLE',
      'V2-BOOKING-CANCELLATION-TOLD',
    ],
  })

  for (const order of ['earliest date first', 'latest date first'] as const)
    story(`find, [${order}], book, [the deadline passes], cancel, read`, {
      ...only,
      for: ['V2-CANCEL-DEADLINE'],
      opportunistic: ['V2-CANCEL-DEADLINE-UNCHANGED'],
      over: { items: ['2'] },
    })

  story('book, [the deadline comes near], book another, read, cancel, [the deadline passes], cancel', {
    ...only,
    for: [
      'V2-CANCEL-DEADLINE',
      'V2-BOOKING-CANCELLATION-TOLD',
      'V2-CANCEL-AGAIN-STATUS',
      'V2-CANCEL-AGAIN-FLAG',
    ],
  })
})
