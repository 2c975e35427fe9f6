import {
  by,
  counted,
  describe,
  EVERY_V1_KIND,
  find,
  order,
  orderAnother,
  orderAtOnce,
  orderElsewhere,
  orderFaulty,
  orderOnce,
  orderTwice,
  orderTwoAtOnce,
  pair,
  pass,
  price,
  rate,
  released,
  repeat,
  settled,
  stock,
  story,
  supplier,
  together,
} from '../../fixtures/test.ts'

const kinds = EVERY_V1_KIND
/** Products whose references count in test mode, too: they are tried for real apart. */
const TICKETS = ['v1-park-a', 'v1-park-b'] as const
const REPLAYED = ['V1-IDEM-REPLAY-STATUS-*', 'V1-IDEM-REPLAY-FLAG-*'] as const
const FIRST = 'V1-*-CONFIRM-FIRST-NO-REPLAY'

describe('external_reference: a repeat of a finished confirmation', () => {
  story([order({ place: 'both' }), repeat, repeat, orderAnother, repeat], {
    for: ['V1-IDEM-REPLAY-ORDER-*', ...REPLAYED, FIRST],
    kinds,
  })

  story([order, repeat], {
    for: ['V1-IDEM-BODY-*', ...REPLAYED],
    kinds,
    over: { people: ['one', 'several'] },
  })

  story([order({ place: 'header' }), repeat], { for: ['V1-IDEM-HEADER-*', FIRST, ...REPLAYED], kinds })

  story([order, repeat('with its reference in the header')], { for: ['V1-IDEM-EITHER-PLACE-*'], kinds })

  story(
    [
      order({ place: 'apart' }),
      repeat('with another header'),
      order({ reference: 'its reference', place: 'header apart' }),
    ],
    {
      for: ['V1-IDEM-BODY-WINS-*', FIRST],
      kinds,
    },
  )

  story([order, pass({ minutes: 10.5 }), repeat, pass({ hours: 2 }), repeat], {
    for: ['V1-IDEM-REPLAY-ORDER-*', 'V1-IDEM-REPLAY-LATER-*', ...REPLAYED],
    needs: ['control:mint', 'control:clock'],
    kinds,
    over: { people: ['one', 'several'] },
  })

  story([find, order, price('rises'), repeat], {
    for: ['V1-IDEM-REPLAY-ORDER-*'],
    needs: ['control:mint', 'control:price'],
    kinds,
  })

  for (const place of ['body', 'header'] as const)
    story([order({ reference: 'of three characters at most', place }), repeat], {
      for: ['V1-IDEM-REPLAY-ORDER-*'],
      // A company with earlier orders may have used such a short reference.
      needs: ['control:mint'],
      kinds,
    })

  for (const [place, cut] of [
    ['body', 'V1-IDEM-CUT-*'],
    ['header', 'V1-IDEM-CUT-HEADER-*'],
  ] as const)
    for (const reference of ['long', 'of 51 characters'] as const)
      story([order({ reference, place }), repeat('with other ends of its long reference')], {
        for: [cut, ...REPLAYED],
        kinds,
      })

  story([order, repeat], {
    for: ['V1-IDEM-TEST-TRANSFER-IGNORED'],
    kinds: ['v1-transfers'],
    over: { account: ['ordinary'] },
  })
})

describe('external_reference: what does not count as a repeat', () => {
  for (const place of ['neither', 'body', 'header'] as const)
    story([order({ place, tracked: true }), order({ place, tracked: true })], {
      for: ['V1-IDEM-TRACKING-ONLY-*', FIRST],
      kinds,
    })

  for (const [reference, others, clause] of [
    [
      'of 50 characters',
      ['its reference without an end', 'its reference without a beginning'],
      'V1-IDEM-WHOLE-50-*',
    ],
    ['with a dash', ['its reference URL-encoded'], 'V1-IDEM-WHOLE-50-*'],
    ['in capitals', ['its reference in small letters', 'its reference in mixed letters'], 'V1-IDEM-CASE-*'],
    [
      'in other letters',
      ['another end of its reference', 'its reference without accents', 'its reference with another picture'],
      'V1-IDEM-CHARACTERS-*',
    ],
  ] as const)
    story([order({ reference }), ...others.map(one => order({ reference: one }))], { for: [clause], kinds })

  story(
    [
      order({ reference: 'of 50 characters', place: 'header' }),
      order({ reference: 'its reference without an end', place: 'header' }),
    ],
    { for: ['V1-IDEM-WHOLE-50-*'], kinds },
  )

  for (const wish of [{}, { place: 'header' }] as const)
    story([order(wish), by('another company', order({ ...wish, reference: 'its reference' }))], {
      for: ['V1-IDEM-PER-ACCOUNT-*'],
      needs: ['role:otherCompany'],
      kinds,
    })

  story([orderElsewhere, order({ reference: 'its reference' })], {
    for: ['V1-IDEM-PER-PRODUCT-*'],
    kinds,
    over: { mode: ['test', 'live'] },
  })

  pair('an order succeeds as often with a reference that orders of other products have', {
    for: ['V1-IDEM-PER-PRODUCT-*'],
    given: [orderElsewhere],
    act: { with: orderOnce({ reference: 'its reference' }), without: orderOnce },
    kinds,
  })

  story([orderTwoAtOnce], { for: ['V1-IDEM-WHOLE-50-*'], kinds })

  for (const [wish, without, clause] of [
    [{ reference: 'long' }, {}, 'V1-IDEM-LONG-ACCEPTED-*'],
    [{ reference: 'short' }, {}, 'V1-IDEM-SHORT-ACCEPTED-*'],
    [{ place: 'header' }, {}, 'V1-IDEM-CARRIED-*'],
    [{ place: 'both', tracked: true }, { place: 'header' }, 'V1-IDEM-CARRIED-*'],
  ] as const)
    for (const over of [{ account: ['ordinary'] }, { mode: ['live'] }] as const)
      pair(`an order succeeds as often: ${orderOnce(wish).title}, ${Object.values(over).join()}`, {
        for: [clause],
        act: { with: orderOnce(wish), without: orderOnce(without) },
        kinds,
        over,
      })
})

const AGAIN = order({ reference: 'its reference' })
/** How many results have to be unknown until that is no chance. */
const until = 6

describe('external_reference: after a confirmation that failed', () => {
  story([orderFaulty, AGAIN, orderAnother], {
    for: ['V1-IDEM-RELEASED-*'],
    kinds,
    over: { mode: ['test', 'live'] },
    until,
  })

  // A test credential of hotels, too, has a reference to keep.
  story([orderFaulty, AGAIN], {
    for: ['V1-IDEM-RELEASED-*'],
    kinds: ['v1-hotels'],
    over: { account: ['ordinary'] },
  })

  story([counted, orderFaulty, counted], { for: ['V1-IDEM-RELEASED-*'], needs: ['control:counters'], kinds })

  for (const event of [supplier('refuses'), rate('is gone'), supplier('fails'), supplier('is unavailable')]) {
    story([event, order, AGAIN, orderAnother], {
      for: ['V1-IDEM-RELEASED-*'],
      needs: ['control:outcome'],
      kinds,
      over: { mode: ['test', 'live'] },
      until,
    })

    story([counted, event, order, counted], {
      for: ['V1-IDEM-RELEASED-*'],
      needs: ['control:outcome', 'control:counters'],
      kinds,
    })

    pair(`an order succeeds as often after ${event.title}`, {
      for: ['V1-IDEM-RELEASED-*'],
      given: [find, stock('has one left')],
      with: together(event, orderOnce),
      act: orderOnce,
      needs: ['control:outcome', 'control:stock'],
      kinds,
    })
  }

  story([find, stock('is sold out'), order, stock('has one left'), AGAIN, orderAnother], {
    for: ['V1-IDEM-RELEASED-*'],
    needs: ['control:stock'],
    kinds,
    until,
  })

  story([supplier('does not answer, not booked'), order, settled, AGAIN], {
    for: ['V1-IDEM-RELEASED-*'],
    needs: ['control:outcome', 'control:clock'],
    kinds,
  })
})

describe('external_reference: while the first confirmation runs', () => {
  story([orderTwice, repeat, repeat('with its reference in the header'), released, repeat], {
    for: ['V1-IDEM-RUNNING-*', 'V1-IDEM-NEVER-TWO-*'],
    needs: ['control:outcome'],
    kinds,
  })

  // The tables of the operators state the words.
  story([orderTwice, repeat, released], {
    for: ['V1-*-ERR-RUNNING'],
    needs: ['control:outcome'],
    kinds: TICKETS,
  })

  story([orderTwice({ place: 'header' }), repeat, released, repeat], {
    for: ['V1-IDEM-NEVER-TWO-*'],
    needs: ['control:outcome'],
    kinds,
  })

  story([orderTwice, pass({ minutes: 2.8 }), repeat, released, repeat], {
    for: ['V1-IDEM-NEVER-TWO-*'],
    needs: ['control:outcome', 'control:clock'],
    kinds,
  })

  story([orderTwice, by('another company', AGAIN, orderAnother), released], {
    for: ['V1-IDEM-PER-ACCOUNT-*'],
    needs: ['control:outcome', 'role:otherCompany'],
    kinds,
    until,
  })

  story([orderTwice, orderElsewhere, released], {
    for: ['V1-IDEM-PER-PRODUCT-*'],
    needs: ['control:outcome'],
    kinds,
    over: { mode: ['test', 'live'] },
    until,
  })

  story([counted, orderAtOnce, repeat, counted], {
    for: ['V1-IDEM-NEVER-TWO-*'],
    kinds,
    over: { mode: ['test', 'live'] },
  })

  story([counted, supplier('does not answer, booked'), order, repeat, settled, repeat, counted], {
    for: ['V1-IDEM-REPLAY-ORDER-*', ...REPLAYED],
    needs: ['control:outcome', 'control:clock', 'control:counters'],
    kinds,
  })
})
