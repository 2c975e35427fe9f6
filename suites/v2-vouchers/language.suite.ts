import type { Exchange } from '../../fixtures/client/exchange.ts'
import { assume, describe, EVERY_KIND, test } from '../../fixtures/test.ts'

const LANGUAGES = ['es', 'en', 'pt'] as const

const sameDocument = (one: Exchange, other: Exchange): boolean =>
  Buffer.from(one.response.body).equals(Buffer.from(other.response.body))

describe('the language of a voucher', () => {
  // What a voucher says is not shown: that nothing of it changes with the language is all that can be told.
  test('is that of the credential that fetches it', {
    tags: ['FEATURE-VOUCHER-LANGUAGE'],
    kinds: EVERY_KIND,
  }, async ({ v2, arrange, control, claim }) => {
    control.require('mint')
    const actor = await arrange.actor()
    const { bookingId } = await arrange.voucherReady(await arrange.booking())
    const first = assume.accepted(await v2.voucher(bookingId), 'a voucher')
    const again = assume.accepted(await v2.voucher(bookingId), 'the same voucher once more')
    assume(sameDocument(first, again), 'vouchers that are the same every time they are fetched')
    const fetched: Exchange[] = []
    for (const voucherLanguage of LANGUAGES) {
      const colleague = await arrange.actor('otherCompany', {
        companyOf: actor.tenant,
        features: { voucherLanguage },
        modes: actor.modes,
      })
      const answer = await colleague.v2.voucher(bookingId)
      assume(answer.response.status === 200, 'a voucher that another credential of the company may fetch')
      fetched.push(answer)
    }
    for (const [at, one] of fetched.entries()) {
      for (const [later, other] of fetched.entries()) {
        if (later <= at) continue
        claim('FEATURE-VOUCHER-LANGUAGE', !sameDocument(one, other), {
          tried: `Fetching one voucher with credentials set to ${LANGUAGES[at]} and ${LANGUAGES[later]}`,
          expected: 'two documents',
          observed: 'the same document, byte by byte',
          exchanges: [one, other],
        })
      }
    }
  })
})
