import { describe, EVERY_KIND, story } from '../../fixtures/test.ts'

describe('Idempotency-Key: what happens after its first request', () => {
  // The document states no lifetime of keys, so none is repeated after the hour that a client may wait for its booking.
  story('book, [16 minutes pass], repeat, [43 more minutes pass], repeat', {
    for: ['V2-IDEM-REPLAY-SAME-BOOKING', 'V2-IDEM-REPLAY-STATUS', 'V2-IDEM-REPLAY-FLAG'],
    kinds: EVERY_KIND,
  })

  story('book, cancel, repeat with another offer', { for: ['V2-IDEM-REUSED-OFFER'], kinds: EVERY_KIND })

  // For an offer at the new price.
  story('find, [price rises], book once, book another offer with its key', {
    for: ['V2-IDEM-4XX-FREES'],
    kinds: EVERY_KIND,
  })
})
