import { claimNothingBooked } from '../../fixtures/check/buying/index.ts'
import { limited, untilLimited } from '../../fixtures/check/sending/index.ts'
import type { JsonObject } from '../../fixtures/contracts/index.ts'
import {
  type Actor,
  assume,
  type Check,
  describe,
  EVERY_KIND,
  EVERY_V1_KIND,
  type Exchange,
  type ProductCheck,
  test,
} from '../../fixtures/test.ts'

/** The requests that a credential has left if it is nearly used up: more than the others of the check. */
const LEFT = 50

interface PastLimit {
  /** Returns a confirmation or booking that would be accepted. */
  body(actor: Actor): Promise<JsonObject>
  book(actor: Actor, body: JsonObject): Promise<Exchange>
}

/** Books with a credential that is past its limit what it could book otherwise. */
async function bookedPastLimit(
  { arrange, control }: Pick<Check, 'arrange'> & Pick<ProductCheck, 'control'>,
  version: 'v1' | 'v2',
  { body, book }: PastLimit,
): Promise<{ actor: Actor; before: number | undefined; answer: Exchange }> {
  control.require('mint')
  control.require('counters')
  const actor = await arrange.actor('expendable', { spent: { [version]: arrange.limit - LEFT } })
  const valid = await body(actor)
  await untilLimited([], actor, arrange.cheapRead(version), arrange.limit)
  const before = await control.counted(actor)
  const answer = await book(actor, valid)
  assume(limited(answer), 'a credential that reaches its limit')
  return { actor, before, answer }
}

describe('a credential past its limit', () => {
  test('makes no booking with v2', {
    tags: ['V2-BOOK-REFUSED-NOTHING'],
    kinds: EVERY_KIND,
    costs: 'requests',
    forReal: false,
  }, async check => {
    const { arrange, control } = check
    const { actor, before, answer } = await bookedPastLimit(check, 'v2', {
      body: async by => arrange.anyBody([await arrange.offer({ actor: by })]),
      book: (by, body) => by.v2.book({ key: arrange.key(), body }, { unpaced: true }),
    })
    const counted = { before, after: await control.counted(actor), answer }
    claimNothingBooked(check, 'V2-BOOK-REFUSED-NOTHING', { tried: 'Booking past the limit', ...counted })
  })

  // The orders of every check are counted.
  test('makes no order with v1', {
    tags: ['V1-CONFIRM-COUNTED-*'],
    kinds: EVERY_V1_KIND,
    costs: 'requests',
    forReal: false,
  }, async check => {
    const { arrange } = check
    await bookedPastLimit(check, 'v1', {
      body: async by => arrange.anyBody(await arrange.offer({ actor: by })),
      book: (by, body) => arrange.adapter.book(by, { body, key: arrange.reference() }, { unpaced: true }),
    })
  })
})
