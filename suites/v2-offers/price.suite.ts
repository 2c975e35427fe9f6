import { describe, EVERY_KIND, EVERY_SORT, story } from '../../fixtures/test.ts'

const OF_A_DAY = ['transfers', 'parkA', 'parkB'] as const

const MOVES = [
  ['rises', 'V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-BOOK'],
  ['falls', 'V2-OFFER-PRICE-CHECK-LOWER', 'V2-OFFER-PRICE-BOOK-LOWER'],
  ['rises by a cent', 'V2-OFFER-PRICE-CHECK-EDGE', 'V2-OFFER-PRICE-BOOK-EDGE'],
  ['falls by a cent', 'V2-OFFER-PRICE-CHECK-EDGE', 'V2-OFFER-PRICE-BOOK-EDGE'],
] as const

describe('a price that moves after the offer', () => {
  for (const [how, onCheck, onBook] of MOVES)
    story(
      `find, [price ${how}], [bookings are counted], book, book, [bookings are counted], check, check, book`,
      {
        for: [
          onCheck,
          onBook,
          'V2-ERR-STATUS-PRICE-CHANGED',
          'V2-OFFER-PRICE-CURRENT-OFFER',
          'V2-PRICE-CHANGED-OFFER-ID',
          'V2-OFFER-PRICE-NOTHING-CREATED',
          'FORMAT-V2-AMOUNT-CURRENT-OFFER',
          'FORMAT-V2-CURRENCY-CURRENT-OFFER',
        ],
        over: { people: ['one', 'several', 'children'] },
        kinds: EVERY_KIND,
      },
    )

  // Hotel offers have no expiry before they are checked.
  story('find, [price falls], check, book the current offer', {
    for: ['FORMAT-V2-TIMESTAMP-CURRENT-OFFER'],
    over: { people: ['one', 'children', 'infants'] },
    kinds: OF_A_DAY,
  })

  story('find, [price rises by less], check, book', {
    for: ['V2-OFFER-PRICE-CHECK-WITHIN', 'V2-OFFER-PRICE-BOOK-WITHIN'],
    kinds: EVERY_KIND,
  })

  for (const text of ['find, [price rises], book, check', 'find, [price falls], book, check'])
    story(text, {
      for: ['V2-OFFER-PRICE-BOOK-CHECKED', 'V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-CURRENT-OFFER'],
      over: { checked: ['checked'] },
      kinds: EVERY_SORT,
    })

  story('find, [price rises], check, check the current offer, [price rises], book the current offer', {
    for: ['V2-OFFER-PRICE-BOOK'],
    over: { checked: ['as-found', 'checked'] },
    kinds: EVERY_KIND,
  })

  // Rooms of one booking are of one hotel, and prices change by hotel.
  story(
    'find one, [price rises], [bookings are counted], book it with others, [bookings are counted], book the current offer',
    {
      for: ['V2-OFFER-PRICE-BOOK', 'V2-OFFER-PRICE-NOTHING-CREATED', 'V2-OFFER-PRICE-CURRENT-OFFER'],
      over: {
        items: ['2', '3'],
        position: ['first', 'second', 'last'],
        checked: ['as-found', 'checked'],
      },
      kinds: OF_A_DAY,
    },
  )

  story('find, book once, check each, find, book once, check each', {
    for: ['V2-OFFER-PRICE-STANDS'],
    over: { items: ['2'] },
    kinds: EVERY_KIND,
  })

  for (const text of [
    'find, [price rises], check, book the current offer',
    'find, [price rises], book, book the current offer',
  ])
    story(text, {
      for: [
        'V2-PRICE-CHANGED-OFFER-BOOKABLE',
        'V2-OFFER-CARRIES-DATE',
        'V2-OFFER-CARRIES-PRICE',
        'V2-OFFER-CARRIES-CURRENCY',
      ],
      kinds: EVERY_SORT,
    })
})
