import { describe, story } from '../../fixtures/test.ts'

describe('Idempotency-Key: the same key with another body', () => {
  story(
    'book, again without its last item, again with another last traveler, again with another offer, again with another reference, again',
    {
      for: ['V2-IDEM-REUSED-TRAVELER', 'V2-IDEM-REUSED-OFFER', 'V2-IDEM-REUSED-REFERENCE'],
      over: { items: ['2', '3'], reference: ['none', 'given'] },
    },
  )

  story('book, again with another last traveler', {
    for: ['V2-IDEM-REUSED-TRAVELER'],
    over: { people: ['one', 'several', 'children'] },
  })

  story('book, again with other logistics', {
    for: ['V2-IDEM-REUSED-LOGISTICS'],
    kinds: ['transfers'],
    over: { items: ['1', '2'] },
  })

  // The options of other products are not shown, and may be none.
  story('find with options, book, again with another option', {
    for: ['V2-IDEM-REUSED-OPTIONS'],
    kinds: ['parkB'],
    over: { items: ['1', '2'] },
  })

  story('book, cancel, again with another offer', { for: ['V2-IDEM-REUSED-OFFER'] })
})
