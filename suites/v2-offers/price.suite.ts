import {
  book,
  bookOnce,
  bookTogether,
  check,
  counted,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  find,
  price,
  story,
} from '../../fixtures/test.ts'

const OF_A_DAY = ['transfers', 'parkA', 'parkB'] as const

const TOLD = [
  'V2-OFFER-PRICE-CHECK',
  'V2-OFFER-PRICE-BOOK',
  'V2-ERR-STATUS-PRICE-CHANGED',
  'V2-OFFER-PRICE-CURRENT-OFFER',
  'V2-PRICE-CHANGED-OFFER-ID',
  'V2-OFFER-PRICE-NOTHING-CREATED',
  'V2-PRICE-CHANGED-OFFER-BOOKABLE',
  'V2-OFFER-CARRIES-DATE',
  'V2-OFFER-CARRIES-PRICE',
  'V2-OFFER-CARRIES-CURRENCY',
  'FORMAT-V2-AMOUNT-CURRENT-OFFER',
  'FORMAT-V2-CURRENCY-CURRENT-OFFER',
] as const

describe('a price that changes after the offer', () => {
  // Hotel offers have no expiry before they are checked.
  for (const [kinds, more, over] of [
    [OF_A_DAY, ['FORMAT-V2-TIMESTAMP-CURRENT-OFFER'], { people: ['one', 'children', 'infants'] }],
    [['hotels', 'resortHotels'], [], {}],
  ] as const)
    story(
      [find, price('rises'), counted, book, book, counted, check, book('the current offer'), check, book],
      { for: [...TOLD, ...more], over, kinds },
    )

  story([find, price('falls'), check, book, book], {
    for: ['V2-OFFER-PRICE-CHECK-LOWER', 'V2-OFFER-PRICE-BOOK-LOWER'],
    kinds: EVERY_KIND,
  })

  const OF_A_CENT = {
    for: ['V2-OFFER-PRICE-CHECK-EDGE', 'V2-OFFER-PRICE-BOOK-EDGE'],
    over: { people: ['one', 'several'] },
    kinds: EVERY_KIND,
  } as const
  story([find, price('rises by a cent'), check, book], OF_A_CENT)
  story([find, price('falls by a cent'), check, book], OF_A_CENT)

  story([find, price('rises by less than a cent'), check, book], {
    for: ['V2-OFFER-PRICE-CHECK-WITHIN', 'V2-OFFER-PRICE-BOOK-WITHIN'],
    kinds: EVERY_KIND,
  })

  story(
    [
      find,
      price('rises'),
      check,
      book,
      check('the current offer'),
      price('rises'),
      book('the current offer'),
    ],
    {
      for: ['V2-OFFER-PRICE-BOOK-CHECKED', 'V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-BOOK'],
      over: { checked: ['checked'] },
      kinds: EVERY_SORT,
    },
  )

  story([find, price('falls'), check, book, book('the current offer')], {
    for: ['V2-OFFER-PRICE-BOOK-CHECKED', 'V2-OFFER-PRICE-CHECK', 'V2-OFFER-PRICE-CURRENT-OFFER'],
    over: { checked: ['checked'] },
    kinds: EVERY_SORT,
  })

  // Rooms of one booking are of one hotel, and prices change by hotel.
  story([find('one'), price('rises'), counted, bookTogether, counted], {
    for: ['V2-OFFER-PRICE-BOOK', 'V2-OFFER-PRICE-NOTHING-CREATED', 'V2-OFFER-PRICE-CURRENT-OFFER'],
    over: { items: ['3'], position: ['first', 'last'] },
    kinds: OF_A_DAY,
  })

  story([find('one'), price('rises'), bookTogether, book('the current offer')], {
    for: ['V2-OFFER-PRICE-BOOK', 'V2-PRICE-CHANGED-OFFER-BOOKABLE', 'V2-OFFER-CARRIES-DATE'],
    over: { items: ['2'], checked: ['checked'] },
    kinds: OF_A_DAY,
  })

  story([find, bookOnce, check('each')], {
    for: ['V2-OFFER-PRICE-STANDS'],
    over: { items: ['2'] },
    kinds: EVERY_KIND,
  })
})
