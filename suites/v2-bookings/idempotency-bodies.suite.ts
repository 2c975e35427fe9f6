import { book, cancel, describe, find, repeat, story } from '../../fixtures/test.ts'

describe('Idempotency-Key: the same key with another body', () => {
  story(
    [
      book,
      repeat('without its last item'),
      repeat('with another last traveler'),
      repeat('with another offer'),
      repeat('with another reference'),
      repeat,
    ],
    {
      for: ['V2-IDEM-REUSED-TRAVELER', 'V2-IDEM-REUSED-OFFER', 'V2-IDEM-REUSED-REFERENCE'],
      over: { items: ['2', '3'], reference: ['none', 'given'] },
    },
  )

  story([book, repeat('with another last traveler')], {
    for: ['V2-IDEM-REUSED-TRAVELER'],
    over: { people: ['one', 'several', 'children'] },
  })

  story([book, repeat('with other logistics')], {
    for: ['V2-IDEM-REUSED-LOGISTICS'],
    kinds: ['transfers'],
    over: { items: ['1', '2'] },
  })

  // The options of other products are not shown, and may be none.
  story([find('with options'), book, repeat('with another option')], {
    for: ['V2-IDEM-REUSED-OPTIONS'],
    kinds: ['parkB'],
    over: { items: ['1', '2'] },
  })

  story([book, cancel, repeat('with another offer')], { for: ['V2-IDEM-REUSED-OFFER'] })
})
