import {
  book,
  bookOnce,
  bookWith,
  by,
  cancel,
  counted,
  describe,
  EVERY_KIND,
  EVERY_SORT,
  having,
  offers,
  pair,
  pass,
  price,
  rate,
  read,
  repeat,
  stock,
  story,
} from '../../fixtures/test.ts'

describe('Idempotency-Key: the same key and body after completion', () => {
  story(
    [
      book,
      repeat,
      having('X-Test-Mode', 'true', repeat),
      having('X-Idempotency-Key', 'of-this-request', repeat),
      read,
      repeat,
      cancel,
      pass({ minutes: 16 }),
      repeat,
      pass({ minutes: 43 }),
      repeat,
    ],
    {
      for: [
        'V2-IDEM-REPLAY-STATUS',
        'V2-IDEM-REPLAY-FLAG',
        'V2-IDEM-REPLAY-SAME-BOOKING',
        'V2-IDEM-READ-NOT-REPLAY',
      ],
      needs: ['control:clock'],
      over: { header: ['none', 'false'], items: ['1', '2'] },
    },
  )

  story([book, repeat], {
    for: ['TEST-MODE-V2-IDEM', 'V2-BOOKING-REPLAY-BOOLEAN'],
    kinds: EVERY_KIND,
    over: { mode: ['test'] },
  })

  // The document states no lifetime of keys, so none is repeated after the hour that a client may wait for its booking.
  story([book, pass({ minutes: 16 }), repeat, pass({ minutes: 43 }), repeat], {
    for: ['V2-IDEM-REPLAY-SAME-BOOKING', 'V2-IDEM-REPLAY-STATUS', 'V2-IDEM-REPLAY-FLAG'],
    kinds: EVERY_KIND,
  })

  for (const [change, clause, need] of [
    [price('rises'), 'V2-IDEM-REPLAY-PRICE-MOVED', 'control:price'],
    [price('falls'), 'V2-IDEM-REPLAY-PRICE-MOVED', 'control:price'],
    [rate('is gone'), 'V2-IDEM-REPLAY-OFFER-GONE', 'control:outcome'],
    [offers('expire'), 'V2-IDEM-REPLAY-OFFER-GONE', 'control:offers'],
    [stock('is sold out'), 'V2-IDEM-REPLAY-SOLD-OUT', 'control:stock'],
  ] as const)
    story([book, change, repeat, bookWith('another key'), repeat], {
      for: [clause, 'V2-IDEM-REPLAY-FLAG'],
      needs: [need],
    })

  story([book, counted, repeat, repeat, counted], {
    for: ['V2-IDEM-REPLAY-NO-SECOND'],
    needs: ['control:counters'],
  })
})

describe('Idempotency-Key: the key itself', () => {
  story([bookWith('no key'), bookWith('a reference instead of a key'), book], {
    for: ['V2-IDEM-KEY-REQUIRED'],
  })

  story([bookWith('X-Idempotency-Key alone'), book], { for: ['V2-IDEM-KEY-OTHER-HEADER'], kinds: EVERY_KIND })

  for (const [key, clause, kinds] of [
    ['a short key', 'V2-IDEM-KEY-SHORT', EVERY_KIND],
    ['a key of 191 bytes', 'V2-IDEM-KEY-191-BYTES', EVERY_SORT],
  ] as const)
    pair(`a booking succeeds as often with ${key}`, {
      for: [clause],
      act: { with: bookWith(key), without: bookOnce },
      kinds,
    })

  story([bookWith('a key of 191 bytes'), bookWith('its key but another last byte'), repeat], {
    for: ['V2-IDEM-KEY-WHOLE', 'V2-IDEM-REPLAY-SAME-BOOKING'],
  })

  story(
    [
      book,
      bookWith('its key in capitals'),
      bookWith('its key followed by a dash'),
      bookWith('its key after a dash'),
      bookWith('its key URL-encoded'),
    ],
    { for: ['V2-IDEM-KEY-CASE', 'V2-IDEM-KEY-DASHES'], kinds: EVERY_KIND },
  )

  // Offers are tied to a credential, so other answers to the second credential are open.
  story([book, by('colleague', bookWith('its key'), repeat), repeat], {
    for: ['V2-IDEM-COMPANY-SHARED'],
    needs: ['control:mint'],
  })

  story([book, by('another company', bookWith('its key')), repeat], {
    for: ['V2-IDEM-COMPANIES-APART'],
    needs: ['role:otherCompany'],
  })

  story([book, by('live credential', bookWith('its key')), repeat], {
    for: ['V2-IDEM-TEST-APART'],
    opportunistic: ['V2-BOOKING-TEST-MODE-LIVE'],
    kinds: EVERY_KIND,
    over: { mode: ['test'] },
    needs: ['mode:live', 'role:live', 'control:mint'],
  })
})
