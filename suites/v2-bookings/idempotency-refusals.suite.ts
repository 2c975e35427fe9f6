import {
  bookOnce,
  bookWith,
  counted,
  describe,
  find,
  pair,
  price,
  rate,
  repeat,
  story,
  supplier,
} from '../../fixtures/test.ts'

/** What makes a source refuse a booking, and the clause about its key. */
const REFUSALS = [
  [supplier('refuses'), 'refused', 'V2-IDEM-4XX-FREES'],
  [rate('is gone'), 'expired', 'V2-IDEM-4XX-FREES'],
  [supplier('fails'), 'providerError', 'V2-IDEM-5XX-FREES'],
  [supplier('is unavailable'), 'providerUnavailable', 'V2-IDEM-5XX-FREES'],
] as const

describe('Idempotency-Key: after a refusal', () => {
  // A refusal because of its form, and one because of its offer: different code may free the key.
  for (const fault of ['no offer', 'an unknown offer'] as const)
    pair(`a booking succeeds as often with a key that was used to book with ${fault}`, {
      for: ['V2-IDEM-4XX-FREES'],
      given: [bookWith(fault)],
      act: { with: bookWith('its key and another offer'), without: bookOnce },
    })

  story([find, price('rises'), bookOnce, bookWith('its key and another offer')], {
    for: ['V2-IDEM-4XX-FREES'],
    needs: ['control:price'],
  })

  for (const [event, kind, clause] of REFUSALS) {
    story([event, bookOnce, bookWith('its key and another offer')], {
      for: [clause],
      needs: ['control:outcome'],
      over: { items: ['1', '2'] },
    })

    const isFailure = clause === 'V2-IDEM-5XX-FREES'
    const of = kind === 'providerError' ? 'V2-PROVIDER-ERROR' : 'V2-PROVIDER-UNAVAILABLE'
    if (isFailure)
      story([event, bookOnce, repeat, repeat], {
        for: [of, 'V2-PROVIDER-RETRY', 'V2-IDEM-5XX-FREES'],
        needs: ['control:outcome'],
      })

    // An unavailable offer may stay unavailable. Only an unused key distinguishes that from a stored refusal.
    if (kind === 'refused')
      story([event, bookOnce, repeat], {
        for: ['V2-IDEM-4XX-FREES-SAME-BODY'],
        needs: ['control:outcome'],
      })
    else
      pair(`a repeat succeeds as often as a booking with a new key after ${event.title}`, {
        for: [isFailure ? 'V2-PROVIDER-RETRY' : 'V2-IDEM-4XX-FREES-SAME-BODY'],
        given: [event, bookOnce],
        act: { with: repeat, without: bookWith('another key') },
        needs: ['control:outcome'],
      })

    story([counted, event, bookOnce, counted], {
      for: [isFailure ? 'V2-PROVIDER-NOTHING-BOOKED' : 'V2-BOOK-REFUSED-NOTHING'],
      needs: ['control:outcome', 'control:counters'],
    })
  }
})
