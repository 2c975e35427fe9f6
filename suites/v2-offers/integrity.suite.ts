import {
  alter,
  book,
  bookTogether,
  by,
  check,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  find,
  invent,
  price,
  story,
} from '../../fixtures/test.ts'

const SEVERAL = { items: ['2', '3'], position: ['first', 'second', 'last'] } as const

describe('offers cannot be forged', () => {
  const OF_ALTERED = {
    for: ['V2-OFFER-ALTERED-CHECK', 'V2-OFFER-ALTERED-BOOK', 'V2-ERR-STATUS-OFFER-INVALID'],
    kinds: EVERY_KIND,
  } as const
  story([find, alter, check, book], {
    ...OF_ALTERED,
    over: { forged: ['beginning', 'middle', 'end', 'longer', 'readable'] },
  })
  // The checked offer is altered.
  story([find, check, alter, check, book], {
    ...OF_ALTERED,
    over: { forged: ['end', 'readable'] },
  })

  story([find('one'), alter, bookTogether], {
    for: ['V2-OFFER-ALTERED-BOOK'],
    over: { ...SEVERAL, forged: ['beginning', 'middle', 'end'] },
    kinds: EVERY_KIND,
  })

  story([find, check, invent, check, book], {
    for: ['V2-OFFER-MALFORMED-CHECK', 'V2-OFFER-MALFORMED-BOOK'],
    kinds: EVERY_KIND,
  })

  story(
    [
      find,
      check,
      by('another company', check, book, check, check('the checked offer'), book('the checked offer')),
    ],
    {
      for: ['V2-OFFER-FOREIGN-CHECK', 'V2-OFFER-FOREIGN-BOOK'],
      needs: ['role:otherCompany'],
      over: { people: ['one', 'children'] },
      kinds: EVERY_SORT,
    },
  )

  // An answer that is kept for all must not be that of another company.
  story([find, by('another company', find('the same and check it'))], {
    for: ['V2-OFFER-CHECK-OK'],
    needs: ['role:otherCompany'],
    kinds: ['transfers', 'parkA', 'parkB'],
  })

  story([find('one'), by('another company', bookTogether)], {
    for: ['V2-OFFER-FOREIGN-BOOK'],
    needs: ['role:otherCompany'],
    over: { ...SEVERAL, checked: ['as-found', 'checked'] },
    kinds: EVERY_KIND,
  })

  story([find, price('rises'), check, by('another company', check('the current offer'))], {
    for: ['V2-OFFER-FOREIGN-CHECK'],
    needs: ['role:otherCompany', 'control:price'],
    kinds: EVERY_KIND,
  })

  story([find, check, by('another company', check('an alternative'))], {
    for: ['V2-OFFER-FOREIGN-CHECK'],
    needs: ['role:otherCompany'],
    kinds: ['hotels'],
  })
})
