import { describe, EVERY_KIND, EVERY_SORT, story } from '../../fixtures/test.ts'

const SEVERAL = { items: ['2', '3'], position: ['first', 'second', 'last'] } as const

describe('offers cannot be forged', () => {
  const OF_ALTERED = {
    for: ['V2-OFFER-ALTERED-CHECK', 'V2-OFFER-ALTERED-BOOK', 'V2-ERR-STATUS-OFFER-INVALID'],
    kinds: EVERY_KIND,
  } as const
  story('find, alter the offer, check, book', {
    ...OF_ALTERED,
    over: { forged: ['beginning', 'middle', 'end', 'longer', 'readable'] },
  })
  // The checked offer is altered.
  story('find, check, alter the offer, check, book', {
    ...OF_ALTERED,
    over: { forged: ['end', 'readable'] },
  })

  story('find one, alter the offer, book it together with others', {
    for: ['V2-OFFER-ALTERED-BOOK'],
    over: { ...SEVERAL, forged: ['beginning', 'middle', 'end'] },
    kinds: EVERY_KIND,
  })

  story('find, check, invent an offer, check, book', {
    for: ['V2-OFFER-MALFORMED-CHECK', 'V2-OFFER-MALFORMED-BOOK'],
    kinds: EVERY_KIND,
  })

  story(
    'find, check, check by another company, book by another company, check by another company, check the checked offer by another company, book the checked offer by another company',
    {
      for: ['V2-OFFER-FOREIGN-CHECK', 'V2-OFFER-FOREIGN-BOOK'],
      needs: ['role:otherCompany'],
      over: { people: ['one', 'children'] },
      kinds: EVERY_SORT,
    },
  )

  // An answer that is kept for all must not be that of another company.
  story('find, find the same and check it by another company', {
    for: ['V2-OFFER-CHECK-OK'],
    needs: ['role:otherCompany'],
    kinds: ['transfers', 'parkA', 'parkB'],
  })

  story('find one, book it together with others by another company', {
    for: ['V2-OFFER-FOREIGN-BOOK'],
    needs: ['role:otherCompany'],
    over: { ...SEVERAL, checked: ['as-found', 'checked'] },
    kinds: EVERY_KIND,
  })

  story('find, [price rises], check, check the current offer by another company', {
    for: ['V2-OFFER-FOREIGN-CHECK'],
    needs: ['role:otherCompany', 'control:price'],
    kinds: EVERY_KIND,
  })

  story('find, check, check an alternative by another company', {
    for: ['V2-OFFER-FOREIGN-CHECK'],
    needs: ['role:otherCompany'],
    kinds: ['hotels'],
  })
})
