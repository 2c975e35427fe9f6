import { claimNoneMore } from '../../fixtures/check/buying/index.ts'
import { assume, describe, EVERY_KIND, EVERY_SORT, pair, story, test } from '../../fixtures/test.ts'

describe('Idempotency-Key: the same key and body after completion', () => {
  story(
    'book, repeat, repeat with X-Test-Mode true, repeat with X-Idempotency-Key, read, repeat, cancel, [16 minutes pass], repeat, [43 more minutes pass], repeat',
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

  story('book, repeat', {
    for: ['TEST-MODE-V2-IDEM', 'V2-BOOKING-REPLAY-BOOLEAN'],
    kinds: EVERY_KIND,
    over: { mode: ['test'] },
  })

  for (const [change, clause, need] of [
    ['price rises', 'V2-IDEM-REPLAY-PRICE-MOVED', 'control:price'],
    ['price falls', 'V2-IDEM-REPLAY-PRICE-MOVED', 'control:price'],
    ['rate is gone', 'V2-IDEM-REPLAY-OFFER-GONE', 'control:outcome'],
    ['offers expire', 'V2-IDEM-REPLAY-OFFER-GONE', 'control:offers'],
    ['sold out', 'V2-IDEM-REPLAY-SOLD-OUT', 'control:stock'],
  ] as const)
    story(`book, [${change}], repeat, book with another key, repeat`, {
      for: [clause, 'V2-IDEM-REPLAY-FLAG'],
      needs: [need],
    })

  test('a repeat makes no second booking', {
    kinds: EVERY_SORT,
    tags: ['V2-IDEM-REPLAY-NO-SECOND'],
  }, async ({ v2, arrange, control, claim }) => {
    const actor = await arrange.actor()
    const { key, body, exchange: first } = await arrange.booking()
    const before = await control.counters(actor)
    const repeats = [await v2.book({ key, body }), await v2.book({ key, body })]
    const after = await control.counters(actor)
    assume(
      after.bookings[arrange.kind] !== before.bookings[arrange.kind] ||
        repeats.some(({ response }) => response.status < 300),
      'a repeat that returns a booking',
    )
    claimNoneMore({ claim }, 'V2-IDEM-REPLAY-NO-SECOND', {
      tried: 'Repeating key and body twice after completion',
      before: before.bookings[arrange.kind] ?? 0,
      after: after.bookings[arrange.kind] ?? 0,
      exchanges: [first, ...repeats],
    })
  })
})

describe('Idempotency-Key: the key itself', () => {
  story('book without a key, book with a reference instead of a key, book', {
    for: ['V2-IDEM-KEY-REQUIRED'],
  })

  story('book with X-Idempotency-Key alone, book', { for: ['V2-IDEM-KEY-OTHER-HEADER'], kinds: EVERY_KIND })

  for (const [key, clause, kinds] of [
    ['a short key', 'V2-IDEM-KEY-SHORT', EVERY_KIND],
    ['a key of 191 bytes', 'V2-IDEM-KEY-191-BYTES', EVERY_SORT],
  ] as const)
    pair(`a booking succeeds as often with ${key}`, {
      for: [clause],
      act: { with: `book with ${key}`, without: 'book once' },
      kinds,
    })

  story('book with a key of 191 bytes, book with its key but another last byte, repeat', {
    for: ['V2-IDEM-KEY-WHOLE', 'V2-IDEM-REPLAY-SAME-BOOKING'],
  })

  test('the key "0" works like any other', {
    kinds: EVERY_KIND,
    tags: ['V2-IDEM-KEY-SHORT', 'V2-IDEM-REPLAY-SAME-BOOKING'],
  }, async ({ v2, act, arrange, control }) => {
    // A company with earlier bookings may have used it.
    control.require('mint')
    const { answer, sent } = await act.book({
      key: '0',
      body: async () => arrange.body(await arrange.offer()),
    })
    assume.notPending(answer)
    await v2.book({ key: '0', body: sent })
  })

  story(
    'book, book with its key in capitals, book with its key followed by a dash, book with its key after a dash, book with its key URL-encoded',
    { for: ['V2-IDEM-KEY-CASE', 'V2-IDEM-KEY-DASHES'], kinds: EVERY_KIND },
  )

  // Offers are tied to a credential, so other answers to the second credential are open.
  story('book, book with its key by colleague, repeat by colleague, repeat', {
    for: ['V2-IDEM-COMPANY-SHARED'],
    needs: ['control:mint'],
  })

  story('book, book with its key by another company, repeat', {
    for: ['V2-IDEM-COMPANIES-APART'],
    needs: ['role:otherCompany'],
  })

  story('book, book with its key by live credential, repeat', {
    for: ['V2-IDEM-TEST-APART'],
    opportunistic: ['V2-BOOKING-TEST-MODE-LIVE'],
    kinds: EVERY_KIND,
    over: { mode: ['test'] },
    needs: ['mode:live', 'role:live', 'control:mint'],
  })
})
