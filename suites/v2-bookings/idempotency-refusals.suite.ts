import { claimNoneMore, isAway } from '../../fixtures/check/buying/index.ts'
import { assume, describe, EVERY_SORT, pair, story, test } from '../../fixtures/test.ts'

/** What makes a source refuse a booking, and the clause about its key. */
const REFUSALS = [
  ['[supplier refuses]', 'refused', 'V2-IDEM-4XX-FREES'],
  ['[rate is gone]', 'expired', 'V2-IDEM-4XX-FREES'],
  ['[supplier fails]', 'providerError', 'V2-IDEM-5XX-FREES'],
  ['[supplier is unavailable]', 'providerUnavailable', 'V2-IDEM-5XX-FREES'],
] as const

describe('Idempotency-Key: after a refusal', () => {
  // A refusal because of its form, and one because of its offer: different code may free the key.
  for (const refused of ['book without an offer', 'book an unknown offer'])
    pair(`a booking succeeds as often with a key that was used to ${refused}`, {
      for: ['V2-IDEM-4XX-FREES'],
      given: refused,
      act: { with: 'book another offer with its key', without: 'book once' },
    })

  story('find, [price rises], book once, book another offer with its key', {
    for: ['V2-IDEM-4XX-FREES'],
    needs: ['control:price'],
  })

  for (const [event, kind, clause] of REFUSALS) {
    story(`${event}, book once, book another offer with its key`, {
      for: [clause],
      needs: ['control:outcome'],
      over: { items: ['1', '2'] },
    })

    const isFailure = clause === 'V2-IDEM-5XX-FREES'
    const of = kind === 'providerError' ? 'V2-PROVIDER-ERROR' : 'V2-PROVIDER-UNAVAILABLE'
    if (isFailure)
      story(`${event}, book once, repeat, repeat`, {
        for: [of, 'V2-PROVIDER-RETRY', 'V2-IDEM-5XX-FREES'],
        needs: ['control:outcome'],
      })

    // An unavailable offer may stay unavailable. Only an unused key distinguishes that from a stored refusal.
    if (kind === 'refused')
      story(`${event}, book once, repeat`, {
        for: ['V2-IDEM-4XX-FREES-SAME-BODY'],
        needs: ['control:outcome'],
      })
    else
      pair(`a repeat succeeds as often as a booking with a new key after ${event}`, {
        for: [isFailure ? 'V2-PROVIDER-RETRY' : 'V2-IDEM-4XX-FREES-SAME-BODY'],
        given: `${event}, book once`,
        act: { with: 'repeat', without: 'book with another key' },
        needs: ['control:outcome'],
      })

    test(`a refused request makes no booking, by the deployment's own count (${kind})`, {
      kinds: EVERY_SORT,
      tags: isFailure
        ? ['V2-BOOK-REFUSED-NOTHING', 'V2-PROVIDER-NOTHING-BOOKED']
        : ['V2-BOOK-REFUSED-NOTHING'],
    }, async ({ v2, arrange, control, claim }) => {
      const actor = await arrange.actor()
      const offer = await arrange.offer()
      await control.setOutcome(actor, 'book', { kind })
      const before = await control.counted(actor)
      const answer = await v2.book({ key: arrange.key(), body: arrange.anyBody([offer]) })
      if (isFailure) assume(isAway(answer), 'control.setOutcome that makes the supplier fail')
      else assume.refused(answer, 'a booking that is refused')
      const after = await control.counted(actor)
      // A deployment may report no count for a company without bookings.
      const had = before ?? (after === 1 ? 0 : undefined)
      const counted = { tried: 'Booking what is refused', before: had, after, answer }
      claimNoneMore({ claim }, 'V2-BOOK-REFUSED-NOTHING', counted)
      if (isFailure) claimNoneMore({ claim }, 'V2-PROVIDER-NOTHING-BOOKED', counted)
      assume(had !== undefined && after !== undefined, `control that counts bookings of ${arrange.kind}`)
    })
  }
})
